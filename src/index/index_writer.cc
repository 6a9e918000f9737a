#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "codec/compound.h"
#include "codec/file_names.h"
#include "index/commit_store.h"
#include "index/document_buffer.h"
#include "postern/error.h"
#include "postern/writer.h"
#include "store/locked_directory.h"

namespace postern {
namespace {

using index::CommitStore;
using index::DocumentBuffer;

void check(const WriterConfig& config) {
  if (std::isnan(config.ram_buffer_mb) || config.ram_buffer_mb < 0) {
    throw InvalidArgument("ram_buffer_mb must be positive, or 0 for no limit, not " +
                          std::to_string(config.ram_buffer_mb));
  }
  if (config.ram_buffer_mb == 0 && config.max_buffered_documents == 0) {
    throw InvalidArgument("at least one of ram_buffer_mb and max_buffered_documents must be set");
  }
}

codec::FieldInfos read_fields_of(const Directory& directory,
                                 const codec::SegmentCommitInfo& segment) {
  const codec::SegmentInfo& info = segment.info;
  if (segment.field_infos_gen >= 0) {  // later generations lie beside the compound file
    return codec::read_field_infos(
        directory, info.name, info.id,
        codec::to_base36(static_cast<uint64_t>(segment.field_infos_gen)));
  }
  if (info.compound) {
    return codec::read_field_infos(codec::CompoundReader(directory, info.name, info.id), info.name,
                                   info.id, "");
  }
  return codec::read_field_infos(directory, info.name, info.id, "");
}

// What is wrong with a value whatever the index holds; the document is refused before it gets a
// number.
void check_value(const FieldValue& value) {
  if (value.field == nullptr) throw InvalidDocument("a value without a field");
  if (value.kind != ValueKind::kText && value.kind != ValueKind::kTokens) return;
  size_t bad = find_malformed_utf8(value.bytes);
  if (bad != kNoError) {
    throw InvalidDocument("field \"" + value.field->name() +
                          "\": the value is not UTF-8 (malformed at byte " + std::to_string(bad) +
                          " of " + std::to_string(value.bytes.size()) + ")");
  }
}

}  // namespace

class IndexWriter::Impl {
 public:
  Impl(Directory& directory, WriterConfig config)
      : config_((check(config), std::move(config))),
        lock_(directory.lock(codec::kWriteLockName)),
        directory_(directory, *lock_),
        commits_(directory_, config_.open_mode),
        memory_(config_.pools, config_.limits) {
    for (const codec::SegmentCommitInfo& segment : commits_.current().segments)
      load_fields(segment);
    changed_ = !commits_.appends();
  }

 private:
  // Errors that are not a document's own leave the buffer, or what the disk holds of it, in an
  // unknown state. The writer closes then. That includes a failed fsync: the kernel may have
  // dropped the bytes and report success the next time, so trying again could publish a commit that
  // is not on the disk.
  template <class Operation>
  auto guarded(Operation&& operation) {
    try {
      return operation();
    } catch (const InvalidDocument&) {
      throw;
    } catch (const LimitExceeded&) {
      throw;
    } catch (const std::exception& e) {
      failure_ = e.what();
      rollback();
      throw;
    }
  }

 public:
  uint64_t add(std::span<const Document> block) {
    require_open();
    for (const Document& document : block) {
      for (const FieldValue& value : document.values()) check_value(value);
    }
    uint64_t limit = config_.limits.max_documents;
    if (max_doc() + block.size() > limit) {
      throw LimitExceeded("the index has " + std::to_string(max_doc()) + " documents; " +
                          std::to_string(block.size()) + " more would pass the limit of " +
                          std::to_string(limit));
    }
    if (block.empty()) return ++sequence_;
    return guarded([&] {
      if (!buffer_) start_buffer();
      uint32_t first = buffer_->documents();
      try {
        for (const Document& document : block) buffer_->add(document);
        buffer_->end_block(first);
      } catch (const InvalidDocument&) {
        refuse_block(first);
        throw;
      } catch (const LimitExceeded&) {
        refuse_block(first);
        throw;
      }
      flush_if_full();
      return ++sequence_;
    });
  }

  void flush() {
    require_open();
    guarded([&] { flush_buffer("requested"); });
  }

  void set_commit_user_data(std::map<std::string, std::string> data) {
    require_open();
    commits_.current().user_data.assign(data.begin(), data.end());
    changed_ = true;
  }

  void prepare_commit() {
    require_open();
    if (commits_.prepared())
      throw InvalidArgument("prepare_commit was called twice without commit");
    guarded([&] { prepare(); });
  }

  std::optional<uint64_t> commit() {
    require_open();
    return guarded([&]() -> std::optional<uint64_t> {
      if (!commits_.prepared()) prepare();
      if (!commits_.prepared()) return std::nullopt;
      uint64_t generation = commits_.publish();
      ++sequence_;
      return generation;
    });
  }

  void rollback() noexcept {
    if (closed_) return;
    closed_ = true;
    // Without the lock another writer may own files of the same names.
    if (lock_->valid()) {
      commits_.cancel();
      if (buffer_) buffer_->abort();
      commits_.remove_unreferenced();
    }
    buffer_.reset();
    lock_.reset();
  }

  void close() {
    if (closed_) return;
    if (config_.commit_on_close) {
      commit();
      if (changed_ || buffer_) commit();  // what came in after prepare_commit
    }
    rollback();
  }

  uint64_t buffered_documents() const { return buffer_ ? buffer_->documents() : 0; }
  uint64_t max_doc() const { return documents_ + buffered_documents(); }
  uint64_t ram_bytes_used() const { return buffer_ ? buffer_->ram_bytes() : 0; }
  uint64_t segment_count() const { return commits_.current().segments.size(); }

 private:
  void require_open() const {
    if (!closed_) return;
    throw InvalidArgument(failure_.empty()
                              ? "the writer is closed"
                              : "the writer was closed by an earlier error: " + failure_);
  }

  void load_fields(const codec::SegmentCommitInfo& segment) {
    codec::FieldInfos infos = read_fields_of(directory_, segment);
    for (const codec::FieldInfo& info : infos.fields) {
      if (info.soft_deletes || info.parent) {
        throw NotSupported("segment " + segment.info.name + ": field \"" + info.name +
                           "\" is the index's " + (info.parent ? "parent" : "soft-deletes") +
                           " field; this version cannot append to such an index");
      }
    }
    fields_.load(infos, segment.info.name);
    documents_ += segment.info.max_doc;
  }

  void start_buffer() {
    memory_.reset();
    std::string name = codec::segment_name(commits_.current().counter++);
    ++commits_.current().version;
    changed_ = true;
    buffer_.emplace(directory_, std::move(name), memory_, fields_, config_);
  }

  void refuse_block(uint32_t first) {
    buffer_->delete_from(first);
    flush_if_full(false);
  }

  // Refused documents count, but it is the next good one that makes the segment end (spec 02 §3).
  void flush_if_full(bool count_documents = true) {
    uint64_t used = buffer_->ram_bytes();
    double limit = config_.ram_buffer_mb * 1048576.0;
    if (config_.on_memory && used / kMemoryStep != reported_memory_ / kMemoryStep) {
      reported_memory_ = used;
      config_.on_memory(used);
    }
    if (count_documents && config_.max_buffered_documents != 0 &&
        buffer_->documents() >= config_.max_buffered_documents) {
      flush_buffer("documents");
    } else if (limit > 0 && static_cast<double>(used) >= limit) {
      flush_buffer("ram");
    } else if (memory_.pools_nearly_full()) {
      flush_buffer("pool");
    } else if (limit > 0) {
      memory_.trim(static_cast<uint64_t>(limit));
    }
  }

  void flush_buffer(const char* reason) {
    if (!buffer_) return;
    FlushEvent event{.segment = buffer_->segment(),
                     .documents = buffer_->documents(),
                     .deleted = buffer_->deleted_documents(),
                     .buffer_bytes = buffer_->ram_bytes(),
                     .reason = reason};
    std::optional<codec::SegmentCommitInfo> segment = buffer_->flush();
    buffer_.reset();
    if (segment) {
      documents_ += segment->info.max_doc;
      for (const std::string& file : segment->files())
        event.file_bytes += directory_.file_length(file);
      commits_.current().segments.push_back(std::move(*segment));
      ++commits_.current().version;
      changed_ = true;
    }
    if (config_.on_flush) config_.on_flush(event);
  }

  void prepare() {
    flush_buffer("commit");
    if (!changed_) return;
    ++commits_.current().version;
    commits_.prepare(commits_.current());
    changed_ = false;
  }

  // on_memory is told when the use crosses a multiple of this.
  static constexpr uint64_t kMemoryStep = 1 << 20;

  WriterConfig config_;
  std::unique_ptr<DirectoryLock> lock_;
  store::LockedDirectory directory_;
  CommitStore commits_;
  index::GlobalFields fields_;
  invert::BufferMemory memory_;
  std::optional<DocumentBuffer> buffer_;  // the segment being built
  uint64_t documents_ = 0;                // of all segments
  uint64_t sequence_ = 0;
  uint64_t reported_memory_ = 0;
  bool changed_ = false;  // since the last prepared commit
  bool closed_ = false;
  std::string failure_;  // why the writer closed itself
};

IndexWriter::IndexWriter(Directory& directory, WriterConfig config)
    : impl_(std::make_unique<Impl>(directory, std::move(config))) {}
IndexWriter::~IndexWriter() { impl_->rollback(); }

uint64_t IndexWriter::add_document(const Document& document) { return impl_->add({&document, 1}); }
uint64_t IndexWriter::add_documents(std::span<const Document> block) { return impl_->add(block); }
void IndexWriter::flush() { impl_->flush(); }
void IndexWriter::set_commit_user_data(std::map<std::string, std::string> data) {
  impl_->set_commit_user_data(std::move(data));
}
std::optional<uint64_t> IndexWriter::commit() { return impl_->commit(); }
void IndexWriter::prepare_commit() { impl_->prepare_commit(); }
void IndexWriter::rollback() { impl_->rollback(); }
void IndexWriter::close() { impl_->close(); }
uint64_t IndexWriter::buffered_documents() const { return impl_->buffered_documents(); }
uint64_t IndexWriter::max_doc() const { return impl_->max_doc(); }
uint64_t IndexWriter::ram_bytes_used() const { return impl_->ram_bytes_used(); }
uint64_t IndexWriter::segment_count() const { return impl_->segment_count(); }

}  // namespace postern
