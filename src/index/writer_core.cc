#include "index/writer_core.h"

#include <cmath>

#include "codec/compound.h"
#include "codec/file_names.h"
#include "index/document_order.h"

namespace postern::index {
namespace {

void check(const WriterConfig& config) {
  if (std::isnan(config.ram_buffer_mb) || config.ram_buffer_mb < 0) {
    throw InvalidArgument("ram_buffer_mb must be positive, or 0 for no limit, not " +
                          std::to_string(config.ram_buffer_mb));
  }
  if (config.ram_buffer_mb == 0 && config.max_buffered_documents == 0) {
    throw InvalidArgument("at least one of ram_buffer_mb and max_buffered_documents must be set");
  }
  check_sort(config.index_sort);
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

}  // namespace

WriterCore::WriterCore(Directory& directory, WriterConfig config)
    : config_((check(config), std::move(config))),
      lock_(directory.lock(codec::kWriteLockName)),
      directory_(directory, *lock_),
      commits_(directory_, config_.open_mode),
      slots_(config_, changes_bytes_),
      fields_(std::make_shared<GlobalFields>(config_.parent_field, config_.soft_deletes_field)),
      log_(std::make_shared<deletes::ChangeLog>(0, changes_bytes_)),
      applied_log_(log_) {
  for (const codec::SegmentCommitInfo& segment : commits_.current().segments) {
    load_fields(segment);
    pending_.push_back({.from = log_->cursor_at_end()});
  }
  reserved_ = documents_;
  changed_ = !commits_.appends();
}

void WriterCore::load_fields(const codec::SegmentCommitInfo& segment) {
  require_same_sort(config_.index_sort, segment.info);
  codec::FieldInfos infos = read_fields_of(directory_, segment);
  fields_->load(infos, segment.info.name);
  documents_ += segment.info.max_doc;
}

void WriterCore::close_for_use(const std::string& failure, std::exception_ptr cause) noexcept {
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

void WriterCore::require_open() const {
  if (!closed_.load()) return;
  std::lock_guard lock(mutex_);
  throw InvalidArgument(failure_.empty()
                            ? "the writer is closed"
                            : "the writer was closed by an earlier error: " + failure_);
}

void WriterCore::rollback() noexcept {
  close_for_use({}, nullptr);
  std::lock_guard lock(commit_mutex_);
  if (std::exchange(rolled_back_, true)) return;
  std::vector<Slot*> slots = slots_.take_all();
  {
    // A thread without a slot may still be applying deletes.
    std::unique_lock list(mutex_);
    published_.wait(list, [&] { return !publishing_; });
  }
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

void WriterCore::close() {
  if (closed_.load()) return rollback();
  if (config_.commit_on_close) {
    commit();
    if (has_changes()) commit();  // what came in after prepare_commit
  }
  rollback();
}

uint64_t WriterCore::buffered_documents_locked() const {
  uint64_t sum = queue_.documents();
  for (const Slot* slot : slots_.all()) sum += slot->documents.load();
  return sum;
}

bool WriterCore::has_changes() const {
  std::lock_guard lock(mutex_);
  return changed_ || buffered_documents_locked() != 0 || log_->end() != 0;
}

uint64_t WriterCore::buffered_documents() const {
  std::lock_guard lock(mutex_);
  return buffered_documents_locked();
}

uint64_t WriterCore::max_doc() const {
  std::lock_guard lock(mutex_);
  return documents_ + buffered_documents_locked();
}

uint64_t WriterCore::segment_count() const {
  std::lock_guard lock(mutex_);
  return commits_.current().segments.size();
}

}  // namespace postern::index
