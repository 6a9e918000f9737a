#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include "base/utf8.h"
#include "codec/compound.h"
#include "codec/file_names.h"
#include "index/commit_store.h"
#include "index/document_order.h"
#include "index/indexing_slots.h"
#include "index/segment_queue.h"
#include "invert/knn_buffer.h"
#include "postern/error.h"
#include "postern/writer.h"
#include "store/locked_directory.h"

namespace postern {
namespace {

using index::CommitStore;
using index::IndexingSlots;
using index::QueuedSegment;
using index::Slot;

void check(const WriterConfig& config) {
  if (std::isnan(config.ram_buffer_mb) || config.ram_buffer_mb < 0) {
    throw InvalidArgument("ram_buffer_mb must be positive, or 0 for no limit, not " +
                          std::to_string(config.ram_buffer_mb));
  }
  if (config.ram_buffer_mb == 0 && config.max_buffered_documents == 0) {
    throw InvalidArgument("at least one of ram_buffer_mb and max_buffered_documents must be set");
  }
  index::check_sort(config.index_sort);
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
  invert::check_vector(value);
  if (value.kind != ValueKind::kText && value.kind != ValueKind::kTokens) return;
  size_t bad = find_malformed_utf8(value.bytes);
  if (bad != kNoError) {
    throw InvalidDocument("field \"" + value.field->name() +
                          "\": the value is not UTF-8 (malformed at byte " + std::to_string(bad) +
                          " of " + std::to_string(value.bytes.size()) + ")");
  }
}

}  // namespace

// Any number of threads. Three locks, always taken in this order, and none while documents are
// indexed or segments written:
//   commit_mutex_  one full flush, commit or rollback at a time
//   mutex_         the segments, and the order in which they join the index
//   (the slots')   the memory budget
// What a slot holds belongs to the thread that has taken it.
class IndexWriter::Impl {
 public:
  Impl(Directory& directory, WriterConfig config)
      : config_((check(config), std::move(config))),
        lock_(directory.lock(codec::kWriteLockName)),
        directory_(directory, *lock_),
        commits_(directory_, config_.open_mode),
        fields_(config_.parent_field, config_.soft_deletes_field),
        slots_(config_) {
    for (const codec::SegmentCommitInfo& segment : commits_.current().segments)
      load_fields(segment);
    reserved_ = documents_;
    changed_ = !commits_.appends();
  }

 private:
  // Errors that are not a document's own leave a buffer, or what the disk holds of it, in an
  // unknown state. The writer closes then. That includes a failed fsync: the kernel may have
  // dropped the bytes and report success the next time, so trying again could publish a commit that
  // is not on the disk.
  template <class Operation>
  auto noting_failure(Operation&& operation) {
    try {
      return operation();
    } catch (const InvalidDocument&) {
      throw;
    } catch (const LimitExceeded&) {
      throw;
    } catch (const std::exception& e) {
      close_for_use(e.what(), std::current_exception());
      throw;
    }
  }
  // For callers that hold no slot and, outside the operation, no lock.
  template <class Operation>
  auto guarded(Operation&& operation) {
    try {
      return noting_failure(operation);
    } catch (...) {
      if (failed_.load()) rollback();
      throw;
    }
  }

 public:
  // A slot in the hands of one thread.
  class Use {
   public:
    explicit Use(Impl& writer) : writer_(writer), slot_(writer.slots_.take()) {}
    ~Use() {
      writer_.release(slot_);
      if (writer_.failed_.load()) writer_.rollback();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    void add(std::span<const Document> block) {
      writer_.require_open();
      for (const Document& document : block) {
        for (const FieldValue& value : document.values()) check_value(value);
      }
      writer_.require_parent_field(block.size());
      writer_.noting_failure([&] { writer_.add(slot_, block); });
    }

   private:
    Impl& writer_;
    Slot& slot_;
  };

  uint64_t add(std::span<const Document> block) {
    Use(*this).add(block);
    return ++sequence_;
  }

  void flush() {
    require_open();
    guarded([&] {
      std::lock_guard lock(commit_mutex_);
      full_flush("requested", [] {});
    });
  }

  void set_commit_user_data(std::map<std::string, std::string> data) {
    require_open();
    std::lock_guard lock(mutex_);
    commits_.current().user_data.assign(data.begin(), data.end());
    changed_ = true;
  }

  void prepare_commit() {
    require_open();
    {
      std::lock_guard lock(commit_mutex_);
      if (commits_.prepared())
        throw InvalidArgument("prepare_commit was called twice without commit");
    }
    guarded([&] {
      std::lock_guard lock(commit_mutex_);
      prepare();
    });
  }

  std::optional<uint64_t> commit() {
    require_open();
    return guarded([&]() -> std::optional<uint64_t> {
      std::lock_guard lock(commit_mutex_);
      if (!commits_.prepared()) prepare();
      if (!commits_.prepared()) return std::nullopt;
      uint64_t generation = commits_.publish();
      std::lock_guard list(mutex_);
      commits_.current().generation = generation;
      ++sequence_;
      return generation;
    });
  }

  void rollback() noexcept {
    close_for_use({}, nullptr);
    std::lock_guard lock(commit_mutex_);
    if (std::exchange(rolled_back_, true)) return;
    std::vector<Slot*> slots = slots_.take_all();
    // Without the lock another writer may own files of the same names.
    if (lock_->valid()) {
      commits_.cancel();
      for (Slot* slot : slots) {
        if (slot->buffer) slot->buffer->abort();
      }
      commits_.remove_unreferenced();
    }
    for (Slot* slot : slots) slot->buffer.reset();
    lock_.reset();
  }

  void close() {
    if (closed_.load()) return rollback();
    if (config_.commit_on_close) {
      commit();
      if (has_changes()) commit();  // what came in after prepare_commit
    }
    rollback();
  }

  uint64_t buffered_documents() const {
    std::lock_guard lock(mutex_);
    return buffered_documents_locked();
  }
  uint64_t max_doc() const {
    std::lock_guard lock(mutex_);
    return documents_ + buffered_documents_locked();
  }
  uint64_t ram_bytes_used() const { return slots_.bytes(); }
  uint64_t segment_count() const {
    std::lock_guard lock(mutex_);
    return commits_.current().segments.size();
  }

 private:
  void close_for_use(const std::string& failure, std::exception_ptr cause) noexcept {
    {
      std::lock_guard lock(mutex_);
      if (!closed_.load() && cause) {
        failure_ = failure;
        cause_ = std::move(cause);
        failed_ = true;
      }
      closed_ = true;
    }
    published_.notify_all();
    slots_.wake();
  }

  void require_open() const {
    if (!closed_.load()) return;
    std::lock_guard lock(mutex_);
    throw InvalidArgument(failure_.empty()
                              ? "the writer is closed"
                              : "the writer was closed by an earlier error: " + failure_);
  }

  void load_fields(const codec::SegmentCommitInfo& segment) {
    index::require_same_sort(config_.index_sort, segment.info);
    codec::FieldInfos infos = read_fields_of(directory_, segment);
    fields_.load(infos, segment.info.name);
    documents_ += segment.info.max_doc;
  }

  // Sorting would take the documents of a block apart.
  void require_parent_field(size_t block) const {
    if (block < 2 || config_.index_sort.empty() || !config_.parent_field.empty()) return;
    throw InvalidDocument("a block of " + std::to_string(block) +
                          " documents: in an index with an index sort blocks need a parent field, "
                          "which keeps them together; none is configured");
  }

  // --- one slot, which the calling thread has taken ---

  void add(Slot& slot, std::span<const Document> block) {
    if (slots_.over_budget())
      slots_.stall(slot, [&] { return closed_.load() || must_flush(slot); });
    require_open();
    if (must_flush(slot)) flush(slot, reason_for(slot));
    if (block.empty()) return;
    reserve(slot, block.size());
    if (!slot.buffer) start_buffer(slot);
    uint32_t first = slot.buffer->documents();
    try {
      for (const Document& document : block) slot.buffer->add(document, &document == &block.back());
      slot.buffer->end_block(first);
    } catch (const InvalidDocument&) {
      refuse_block(slot, first, block.size());
      throw;
    } catch (const LimitExceeded&) {
      refuse_block(slot, first, block.size());
      throw;
    }
    flush_if_full(slot);
  }

  // Somebody wants the buffer flushed: the budget, or a full flush that began after it.
  bool must_flush(const Slot& slot) const {
    return slot.documents.load() != 0 &&
           (slot.flush_wanted.load() || slot.generation.load() != generation_.load());
  }
  const char* reason_for(const Slot& slot) const {
    return slot.generation.load() != generation_.load() ? full_flush_reason_.load() : "ram";
  }

  // Whoever found the slot busy left the work to this thread.
  void release(Slot& slot) noexcept {
    while (true) {
      slots_.give_back(slot);
      if (closed_.load() || !must_flush(slot) || !slots_.try_take(slot)) return;
      flush_wanted_by_others(slot);
    }
  }
  void help(Slot& slot) noexcept {
    if (!must_flush(slot) || !slots_.try_take(slot)) return;
    flush_wanted_by_others(slot);
    release(slot);
  }
  void flush_wanted_by_others(Slot& slot) noexcept {
    try {
      noting_failure([&] {
        if (!closed_.load() && must_flush(slot)) flush(slot, reason_for(slot));
      });
    } catch (const std::exception&) {
      // The writer is closed now; the next call says why.
    }
  }

  // Documents are counted against the index's limit in advance, so that threads need not share a
  // counter for each one.
  void reserve(Slot& slot, uint64_t n) {
    if (slot.quota < n) {
      std::lock_guard lock(mutex_);
      uint64_t limit = config_.limits.max_documents;
      uint64_t left = limit - std::min(limit, reserved_);
      if (n - slot.quota > left) {
        throw LimitExceeded("the index has " +
                            std::to_string(documents_ + buffered_documents_locked()) +
                            " documents; " + std::to_string(n) + " more would pass the limit of " +
                            std::to_string(limit));
      }
      uint64_t more = std::max(n - slot.quota, std::min(kQuota, left / kQuotaShare));
      reserved_ += more;
      slot.quota += more;
    }
    slot.quota -= n;
  }

  void start_buffer(Slot& slot) {
    std::string name;
    {
      std::lock_guard lock(mutex_);
      name = codec::segment_name(commits_.current().counter++);
      ++commits_.current().version;
      changed_ = true;
      slot.segment = queue_.start();
      slot.generation = generation_.load();
    }
    slot.buffer.emplace(directory_, std::move(name), slot.memory, fields_, config_);
  }

  void refuse_block(Slot& slot, uint32_t first, uint64_t block) {
    slot.quota += block - (slot.buffer->documents() - first);  // the rest got no number
    slot.buffer->delete_from(first);
    flush_if_full(slot, false);
  }

  // Refused documents count, but it is the next good one that makes the segment end (spec 02 §3).
  void flush_if_full(Slot& slot, bool count_documents = true) {
    uint64_t used = slot.buffer->ram_bytes();
    slot.documents = slot.buffer->documents();
    if (count_documents && config_.max_buffered_documents != 0 &&
        slot.buffer->documents() >= config_.max_buffered_documents) {
      flush(slot, "documents");
      return;
    }
    Slot* largest = slots_.account(slot, used);
    if (config_.on_memory) tell_memory();
    if (largest != nullptr && largest != &slot) help(*largest);
    if (slot.flush_wanted.load()) {
      flush(slot, "ram");
    } else if (slot.memory.pools_nearly_full()) {
      flush(slot, "pool");
    } else {
      slot.memory.trim(slots_.resident_limit(slot, used));
    }
  }

  void tell_memory() {
    uint64_t used = slots_.bytes();
    if (used / kMemoryStep == reported_memory_.load() / kMemoryStep) return;
    std::lock_guard lock(callback_mutex_);
    reported_memory_ = used;
    config_.on_memory(used);
  }

  void flush(Slot& slot, const char* reason) {
    slots_.begin_flush(slot);
    FlushEvent event{.segment = slot.buffer->segment(),
                     .documents = slot.buffer->documents(),
                     .deleted = slot.buffer->deleted_documents(),
                     .buffer_bytes = slot.buffer->ram_bytes(),
                     .reason = reason};
    {
      std::lock_guard lock(mutex_);
      queue_.begin_flush(slot.segment);
      slot.segment->documents = event.documents;
      slot.documents = 0;
    }
    std::optional<codec::SegmentCommitInfo> segment = slot.buffer->flush();
    slot.buffer.reset();
    slot.memory.reset();
    if (segment) {
      for (const std::string& file : segment->files())
        event.file_bytes += directory_.file_length(file);
    }
    {
      std::lock_guard lock(mutex_);
      if (!segment) reserved_ -= event.documents;
      slot.segment->segment = std::move(segment);
      slot.segment->done = true;
      slot.segment.reset();
      publish_segments();
    }
    published_.notify_all();
    slots_.end_flush(slot);
    slot.memory.trim(slots_.resident_limit(slot, 0));
    if (config_.on_flush) {
      std::lock_guard lock(callback_mutex_);
      config_.on_flush(event);
    }
  }

  // --- all slots ---

  // Ends every segment that has documents now, and waits for them; other threads go on in new ones.
  // `covered` runs under mutex_ when the list of segments holds exactly those. The caller has
  // commit_mutex_ and no slot.
  void full_flush(const char* reason, std::function<void()> covered) {
    std::shared_ptr<QueuedSegment> mark;
    {
      std::lock_guard lock(mutex_);
      full_flush_reason_ = reason;
      mark = queue_.begin_full_flush(std::move(covered));
      ++generation_;
      publish_segments();
    }
    slots_.wake();
    for (Slot* slot : slots_.all()) help(*slot);
    std::unique_lock lock(mutex_);
    published_.wait(lock, [&] { return mark->published || closed_.load(); });
    if (mark->published) return;
    std::exception_ptr cause = cause_;
    lock.unlock();
    if (cause) std::rethrow_exception(cause);
    require_open();
  }

  // The caller holds mutex_. After a failure nothing joins the index any more, and nobody may be
  // waiting for a mark.
  void publish_segments() {
    if (closed_.load()) return;
    queue_.publish([&](codec::SegmentCommitInfo&& segment) {
      documents_ += segment.info.max_doc;
      commits_.current().segments.push_back(std::move(segment));
      ++commits_.current().version;
      changed_ = true;
    });
  }

  uint64_t buffered_documents_locked() const {
    uint64_t sum = queue_.documents();
    for (const Slot* slot : slots_.all()) sum += slot->documents.load();
    return sum;
  }
  bool has_changes() const {
    std::lock_guard lock(mutex_);
    return changed_ || buffered_documents_locked() != 0;
  }

  void prepare() {
    std::optional<codec::Commit> commit;
    full_flush("commit", [&] {
      if (!changed_) return;
      ++commits_.current().version;
      commit = commits_.current();
      changed_ = false;
    });
    if (commit) commits_.prepare(std::move(*commit));
  }

  // on_memory is told when the use crosses a multiple of this.
  static constexpr uint64_t kMemoryStep = 1 << 20;
  // A slot reserves this many documents of the index's limit, but at most this share of what is
  // left.
  static constexpr uint64_t kQuota = 4096;
  static constexpr uint64_t kQuotaShare = 1024;

  WriterConfig config_;
  std::unique_ptr<DirectoryLock> lock_;
  store::LockedDirectory directory_;
  std::mutex commit_mutex_;
  CommitStore commits_;  // current(): guarded by mutex_, the rest by commit_mutex_
  index::GlobalFields fields_;
  IndexingSlots slots_;

  alignas(64) std::atomic<bool> closed_{false};
  std::atomic<bool> failed_{false};      // closed by an error: failure_ is set
  std::atomic<uint64_t> generation_{0};  // full flushes begun
  std::atomic<const char*> full_flush_reason_{"commit"};

  alignas(64) std::atomic<uint64_t> sequence_{0};

  alignas(64) mutable std::mutex mutex_;  // guards what follows
  std::condition_variable published_;
  index::SegmentQueue queue_;
  uint64_t documents_ = 0;  // of all segments
  uint64_t reserved_ = 0;   // documents_, those buffered, and the slots' quotas
  bool changed_ = false;    // since the last prepared commit
  std::string failure_;     // why the writer closed itself
  std::exception_ptr cause_;

  bool rolled_back_ = false;  // guarded by commit_mutex_
  std::mutex callback_mutex_;
  std::atomic<uint64_t> reported_memory_{0};
};

IndexWriter::IndexWriter(Directory& directory, WriterConfig config)
    : impl_(std::make_unique<Impl>(directory, std::move(config))) {}
IndexWriter::~IndexWriter() { impl_->rollback(); }

class IndexWriter::Appender::Impl : public IndexWriter::Impl::Use {
 public:
  using Use::Use;
};

IndexWriter::Appender::Appender(IndexWriter& writer)
    : impl_(std::make_unique<Impl>(*writer.impl_)) {}
IndexWriter::Appender::~Appender() = default;
void IndexWriter::Appender::add_document(const Document& document) { impl_->add({&document, 1}); }
void IndexWriter::Appender::add_documents(std::span<const Document> block) { impl_->add(block); }

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
