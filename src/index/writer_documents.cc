// The writer's part that adds documents: one slot, which the calling thread has taken.
#include <algorithm>

#include "base/utf8.h"
#include "codec/file_names.h"
#include "index/writer_core.h"
#include "invert/knn_buffer.h"

namespace postern::index {
namespace {

// on_memory is told when the use crosses a multiple of this.
constexpr uint64_t kMemoryStep = 1 << 20;
// A slot reserves this many documents of the index's limit, but at most this share of what is left.
constexpr uint64_t kQuota = 4096;
constexpr uint64_t kQuotaShare = 1024;

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

WriterCore::Use::~Use() {
  writer_.release(slot_);
  if (writer_.failed_.load()) writer_.rollback();
}

uint64_t WriterCore::Use::add(std::span<const Document> block, bool numbered) {
  return add(block, nullptr, numbered);
}
uint64_t WriterCore::Use::update(const Term& term, std::span<const Document> block) {
  return add(block, &term, true);
}

uint64_t WriterCore::Use::add(std::span<const Document> block, const Term* replaced,
                              bool numbered) {
  writer_.require_open();
  for (const Document& document : block) {
    for (const FieldValue& value : document.values()) check_value(value);
  }
  writer_.require_parent_field(block.size());
  return writer_.noting_failure([&] { return writer_.add(slot_, block, replaced, numbered); });
}

// Sorting would take the documents of a block apart.
void WriterCore::require_parent_field(size_t block) const {
  if (block < 2 || config_.index_sort.empty() || !config_.parent_field.empty()) return;
  throw InvalidDocument("a block of " + std::to_string(block) +
                        " documents: in an index with an index sort blocks need a parent field, "
                        "which keeps them together; none is configured");
}

uint64_t WriterCore::add(Slot& slot, std::span<const Document> block, const Term* replaced,
                         bool numbered) {
  if (slots_.over_budget()) slots_.stall(slot, [&] { return closed_.load() || must_flush(slot); });
  require_open();
  if (must_flush(slot)) flush(slot, reason_for(slot));
  if (block.empty()) {
    std::lock_guard lock(mutex_);
    return numbered ? log_->next_number() : 0;
  }
  reserve(slot, block.size());
  if (!slot.buffer) start_buffer(slot);
  const uint32_t first = slot.buffer->documents();
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
  // Earlier changes concern the documents that were there before these; so does this one's own.
  deletes::BufferedChanges& changes = slot.buffer->changes();
  uint64_t number = 0;
  if (replaced != nullptr) {
    const deletes::Change change{.field = replaced->field, .term = replaced->bytes};
    number = changes.log().append({&change, 1});
  } else if (numbered) {
    number = changes.log().next_number();
  }
  changes.limit(number != 0 ? number : UINT64_MAX, first);
  flush_if_full(slot);
  return number;
}

// Somebody wants the buffer flushed: the budget, or a full flush that began after it.
bool WriterCore::must_flush(const Slot& slot) const {
  return slot.documents.load() != 0 &&
         (slot.flush_wanted.load() || slot.generation.load() != generation_.load());
}

const char* WriterCore::reason_for(const Slot& slot) const {
  return slot.generation.load() != generation_.load() ? full_flush_reason_.load() : "ram";
}

// Whoever found the slot busy left the work to this thread.
void WriterCore::release(Slot& slot) noexcept {
  while (true) {
    slots_.give_back(slot);
    if (closed_.load() || !must_flush(slot) || !slots_.try_take(slot)) return;
    flush_wanted_by_others(slot);
  }
}

void WriterCore::help(Slot& slot) noexcept {
  if (!must_flush(slot) || !slots_.try_take(slot)) return;
  flush_wanted_by_others(slot);
  release(slot);
}

void WriterCore::flush_wanted_by_others(Slot& slot) noexcept {
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
void WriterCore::reserve(Slot& slot, uint64_t n) {
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

void WriterCore::start_buffer(Slot& slot) {
  std::string name;
  std::shared_ptr<GlobalFields> fields;
  std::shared_ptr<deletes::ChangeLog> log;
  {
    std::lock_guard lock(mutex_);
    name = codec::segment_name(commits_.current().counter++);
    ++commits_.current().version;
    changed_ = true;
    slot.segment = queue_.start();
    slot.generation = generation_.load();
    fields = fields_;
    log = log_;
  }
  slot.buffer.emplace(directory_, std::move(name), slot.memory, std::move(fields), std::move(log),
                      config_);
}

void WriterCore::refuse_block(Slot& slot, uint32_t first, uint64_t block) {
  slot.quota += block - (slot.buffer->documents() - first);  // the rest got no number
  slot.buffer->delete_from(first);
  flush_if_full(slot, false);
}

// Refused documents count, but it is the next good one that makes the segment end (spec 02 §3).
void WriterCore::flush_if_full(Slot& slot, bool count_documents) {
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

void WriterCore::tell_memory() {
  uint64_t used = ram_bytes_used();
  if (used / kMemoryStep == reported_memory_.load() / kMemoryStep) return;
  std::lock_guard lock(callback_mutex_);
  reported_memory_ = used;
  config_.on_memory(used);
}

void WriterCore::flush(Slot& slot, const char* reason) {
  slots_.begin_flush(slot);
  FlushEvent event{.segment = slot.buffer->segment(),
                   .documents = slot.buffer->documents(),
                   .buffer_bytes = slot.buffer->ram_bytes(),
                   .reason = reason};
  deletes::Cursor changes_from;
  {
    std::lock_guard lock(mutex_);
    queue_.begin_flush(slot.segment);
    slot.segment->documents = event.documents;
    slot.documents = 0;
    deletes::BufferedChanges& changes = slot.buffer->changes();
    changes_from = changes.finish(event.documents);
    changes.log().end_packet();
  }
  std::optional<FlushedSegment> segment;
  if (slot.generation.load() < drop_before_.load()) {
    slot.buffer->abort();
  } else {
    segment = slot.buffer->flush(changes_from);
  }
  event.deleted = event.documents;
  if (segment) {
    event.deleted = segment->segment.del_count;
    for (const std::string& file : segment->segment.files())
      event.file_bytes += directory_.file_length(file);
  }
  slot.buffer.reset();
  slot.memory.reset();
  {
    std::unique_lock lock(mutex_);
    if (!segment) reserved_ -= event.documents;
    slot.segment->segment = std::move(segment);
    slot.segment->done = true;
    slot.segment.reset();
    if (changes_heavy()) queue_.add_mark();
    publish_segments(lock);
  }
  published_.notify_all();
  slots_.end_flush(slot);
  slot.memory.trim(slots_.resident_limit(slot, 0));
  if (config_.on_flush) {
    std::lock_guard lock(callback_mutex_);
    config_.on_flush(event);
  }
}

}  // namespace postern::index
