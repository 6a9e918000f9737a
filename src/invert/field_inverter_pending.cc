// Fields with one term a value: the values of many documents wait until they make a group, because
// a group of one hides no memory latency.
//
// Waiting values lie one after another, each a Waiting and the bytes of the term.
#include <cstddef>
#include <cstring>

#include "invert/field_inverter.h"
#include "invert/postings_appender.h"
#include "invert/vectors_field.h"

namespace postern::invert {

namespace {

struct Waiting {
  uint32_t doc_plus_1;
  uint32_t length;
  uint32_t position;
  uint32_t start_offset;
  uint32_t end_offset;
};
constexpr size_t kHeader = sizeof(Waiting);
// Longer values are added at once.
constexpr size_t kMaxWaiting = 1 << 10;
constexpr size_t kMaxWaitingBytes = 16 << 10;

}  // namespace

void FieldInverter::add_pending(std::span<const uint8_t> term, const TermPlace& place) {
  auto length = static_cast<uint32_t>(term.size());
  // In a field whose norm counts distinct terms, the answer is needed when the document ends; so
  // are the term ids, where the document gets vectors.
  bool at_once =
      length > kMaxWaiting || (has_norms_ && kind_ == StreamKind::kDocs) || vectors_ != nullptr;
  if (at_once) flush_pending();
  uint64_t room = memory::max_slice_bytes(kMaxOccurrenceBytes) + memory::max_text_bytes(length);
  const uint64_t text_room = memory_.layout() == PoolLayout::kShared ? 0 : room;
  if (!memory_.has_room(room, text_room)) {
    memory_.require_room(room, text_room,
                         "field '" + name_ + "' of document " + std::to_string(now_.doc));
  }
  if (vectors_ != nullptr) {
    vectors_->require_room(1, length, 0,
                           "field '" + name_ + "' of document " + std::to_string(now_.doc));
  }
  count_document();
  size_t at = pending_.size();
  pending_.reserve(at + kHeader + length + memory::kTermSlack);
  pending_.resize(at + kHeader + length);
  uint8_t* p = pending_.data() + at;
  const Waiting waiting{now_.doc + 1, length, place.position, place.start_offset,
                        place.start_offset + place.length};
  std::memcpy(p, &waiting, kHeader);
  if (length != 0) std::memcpy(p + kHeader, term.data(), length);
  memory_.promise(room);
  pending_promise_ += room;
  ++pending_count_;
  if (at_once || pending_count_ == TokenGroup::kSize || pending_.size() > kMaxWaitingBytes) {
    flush_pending();
  }
  if (vectors_ != nullptr) vectors_->add_group(memory_.group(), 1);
}

void FieldInverter::flush_pending() {
  if (pending_count_ == 0) return;
  TokenGroup& group = memory_.group();
  const uint8_t* p = pending_.data();
  // The slack behind the last value is reserved but was never written.
  std::memset(pending_.data() + pending_.size(), 0, memory::kTermSlack);
  for (uint32_t i = 0; i < pending_count_; ++i) {
    GroupEntry& e = group.entries[i];
    e.doc_plus_1 = load_le<uint32_t>(p + offsetof(Waiting, doc_plus_1));
    e.length = load_le<uint32_t>(p + offsetof(Waiting, length));
    e.position = load_le<uint32_t>(p + offsetof(Waiting, position));
    e.bytes = p + kHeader;
    Token& t = group.tokens[i];
    t.frequency = 1;
    t.payload_length = 0;
    t.start_offset = load_le<uint32_t>(p + offsetof(Waiting, start_offset));
    t.end_offset = load_le<uint32_t>(p + offsetof(Waiting, end_offset));
    p += kHeader + e.length;
  }
  group.offset_base = 0;
  memory_.unpromise(pending_promise_);
  size_t n = pending_count_;
  pending_promise_ = 0;
  pending_count_ = 0;
  add_group_of_any_layout(n);
  pending_.clear();
}

}  // namespace postern::invert
