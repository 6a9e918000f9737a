// The writer's part that deletes and updates what is there (docs/formats/02 §4).
#include <algorithm>
#include <utility>

#include "index/writer_core.h"

namespace postern::index {
namespace {

// Changes are applied to the segments on disk, which frees them, when they take this share of the
// budget, and more than the log's own last pieces; a full flush applies them in any case.
constexpr uint64_t kHeavyShare = 4;
constexpr uint64_t kLightBytes = 128 << 10;

void check_term(const Term& term, const Limits& limits) {
  if (term.bytes.size() <= limits.max_term_bytes) return;
  throw InvalidArgument(
      "field \"" + std::string(term.field) + "\": a term of " + std::to_string(term.bytes.size()) +
      " bytes cannot be looked for, the limit is " + std::to_string(limits.max_term_bytes));
}

void check_not_sort_key(std::string_view field, const IndexSort& sort) {
  for (const SortKey& key : sort) {
    if (key.field != field) continue;
    throw InvalidArgument("field \"" + std::string(field) +
                          "\": the index is sorted by it, so its values cannot be updated");
  }
}

DocValuesType type_of(const DocValuesUpdate& update) {
  return std::holds_alternative<int64_t>(update.value) ? DocValuesType::kNumeric
                                                       : DocValuesType::kBinary;
}

}  // namespace

uint64_t WriterCore::update(const Term& term, std::span<const Document> block) {
  require_open();
  check_term(term, config_.limits);
  if (block.empty()) return delete_documents({&term, 1});
  return Use(*this).update(term, block);
}

uint64_t WriterCore::delete_documents(std::span<const Term> terms) {
  require_open();
  std::vector<deletes::Change> changes;
  for (const Term& term : terms) {
    check_term(term, config_.limits);
    changes.push_back({.field = term.field, .term = term.bytes});
  }
  uint64_t number = 0;
  {
    std::lock_guard lock(mutex_);
    number = log_->append(changes);
  }
  noting_failure([&] { keep_changes_in_budget(); });
  return number;
}

uint64_t WriterCore::update_doc_values(const Term& term, std::span<const DocValuesUpdate> updates) {
  require_open();
  check_term(term, config_.limits);
  for (const DocValuesUpdate& update : updates)
    check_not_sort_key(update.field, config_.index_sort);
  uint64_t number = 0;
  {
    std::lock_guard lock(mutex_);
    std::vector<deletes::Target> targets;
    for (const DocValuesUpdate& update : updates)
      targets.push_back(fields_->target(update.field, type_of(update)));
    std::vector<deletes::Change> changes;
    for (size_t i = 0; i < updates.size(); ++i) {
      changes.push_back({.field = term.field, .term = term.bytes, .target = &targets[i]});
      if (const auto* integer = std::get_if<int64_t>(&updates[i].value)) {
        changes.back().integer = *integer;
      } else {
        changes.back().bytes = std::get<std::string_view>(updates[i].value);
      }
    }
    number = log_->append(changes);
  }
  noting_failure([&] { keep_changes_in_budget(); });
  return number;
}

bool WriterCore::changes_heavy() const {
  return slots_.limit() != 0 &&
         changes_bytes_.load() > std::max(slots_.limit() / kHeavyShare, kLightBytes);
}

// Changes stay until the buffers that were there before them are flushed and the segments on disk
// have seen them.
void WriterCore::keep_changes_in_budget() {
  if (!changes_heavy()) return;
  for (Slot* slot = slots_.choose_if_full(); slot != nullptr; slot = slots_.choose_if_full())
    help(*slot);
  std::unique_lock lock(mutex_);
  if (!changes_heavy() || publishing_) return;
  log_->end_packet();
  queue_.add_mark();
  publish_segments(lock);
}

uint64_t WriterCore::delete_all() {
  require_open();
  return guarded([&] {
    std::lock_guard lock(commit_mutex_);
    return full_flush("delete_all", true, {});
  });
}

void WriterCore::drop_all_segments() {
  std::vector<std::string> files;
  for (const codec::SegmentCommitInfo& segment : std::exchange(commits_.current().segments, {}))
    std::ranges::move(segment.files(), std::back_inserter(files));
  pending_.clear();
  reserved_ -= std::exchange(documents_, 0);
  ++commits_.current().version;
  changed_ = true;
  commits_.release(std::move(files));
}

// To all segments of the index, up to the end of the log they go by. Only the publishing thread
// calls it, so the list stays as it is while the lock is released.
void WriterCore::apply_changes(std::unique_lock<std::mutex>& lock) {
  const uint64_t end = applied_log_->end();
  std::vector<codec::SegmentCommitInfo>& segments = commits_.current().segments;
  std::vector<std::string> superseded;
  for (size_t i = 0; i < segments.size();) {
    deletes::PendingChanges& pending = pending_[i];
    if (pending.from.position() == end && pending.updates.empty()) {
      ++i;
      continue;
    }
    deletes::PendingChanges work = std::exchange(pending, {.from = pending.from.advanced_to(end)});
    const codec::SegmentCommitInfo segment = segments[i];
    lock.unlock();
    std::optional<deletes::ChangedSegment> changed =
        deletes::apply_changes(directory_, segment, std::move(work), end);
    lock.lock();
    if (!changed) {
      ++i;
      continue;
    }
    changed_ = true;
    ++commits_.current().version;
    std::ranges::move(changed->superseded, std::back_inserter(superseded));
    if (changed->segment) {
      segments[i++] = std::move(*changed->segment);
      continue;
    }
    documents_ -= segment.info.max_doc;
    reserved_ -= segment.info.max_doc;
    segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(i));
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (superseded.empty()) return;
  lock.unlock();
  commits_.release(std::move(superseded));
  lock.lock();
}

}  // namespace postern::index
