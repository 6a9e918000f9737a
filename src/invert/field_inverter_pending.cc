// Values of few terms: those of many documents wait until they make a group, because a small group
// hides little memory latency.
//
// Waiting terms lie one after another, each a Waiting and its bytes. They are checked, and the
// pools keep room for them.
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
  uint32_t frequency;
  uint32_t start_offset;
  uint32_t end_offset;
};
constexpr size_t kHeader = sizeof(Waiting);
// Longer values are added at once. So are groups that are large enough by themselves.
constexpr size_t kMaxWaiting = 1 << 10;
constexpr size_t kMaxTokens = TokenGroup::kSize / 2;
constexpr size_t kMaxWaitingBytes = 16 << 10;

uint64_t pair_of(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

// A Waiting. As a struct it would be put together on the stack from small words and copied in wide
// ones, which waits for the small ones to reach the cache.
void put_header(uint8_t* p, uint32_t doc_plus_1, uint32_t length, uint32_t position,
                uint32_t frequency, uint32_t start_offset, uint32_t end_offset) {
  store_le(p + offsetof(Waiting, doc_plus_1), pair_of(doc_plus_1, length));
  store_le(p + offsetof(Waiting, position), pair_of(position, frequency));
  store_le(p + offsetof(Waiting, start_offset), pair_of(start_offset, end_offset));
}

}  // namespace

void FieldInverter::add_pending(std::span<const uint8_t> term, const TermPlace& place) {
  auto length = static_cast<uint32_t>(term.size());
  const bool at_once = length > kMaxWaiting || document_needs_terms();
  if (at_once) flush_pending();
  uint64_t room = memory::max_slice_bytes(kMaxOccurrenceBytes) + memory::max_text_bytes(length);
  if (!has_room_to_wait(room)) {
    // What waits has more room promised than it will take.
    flush_pending();
    memory_.require_room(room, memory_.layout() == PoolLayout::kShared ? 0 : room,
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
  put_header(p, now_.doc + 1, length, place.position, 1, place.start_offset,
             place.start_offset + place.length);
  if (length != 0) std::memcpy(p + kHeader, term.data(), length);
  memory_.promise(room);
  pending_promise_ += room;
  ++pending_count_;
  if (at_once || pending_count_ == TokenGroup::kSize || pending_.size() > kMaxWaitingBytes) {
    flush_pending();
  }
  if (vectors_ != nullptr) vectors_->add_group(memory_.waited(), 1);
}

bool FieldInverter::let_wait(size_t n) {
  if (n > kMaxTokens || document_needs_terms() || invert::has_payloads(kind_)) return false;
  const TokenGroup& group = memory_.group();
  uint64_t length = 0;
  uint32_t payloads = 0;
  for (size_t i = 0; i < n; ++i) {
    length += group.entries[i].length;
    payloads |= group.tokens[i].payload_length;
  }
  if (length > kMaxWaiting || (payloads != 0 && invert::has_positions(kind_))) return false;
  const uint64_t room =
      n * (memory::max_slice_bytes(kMaxOccurrenceBytes) + memory::max_text_bytes(0)) + length;
  if (pending_count_ + n > TokenGroup::kSize || !has_room_to_wait(room)) flush_pending();
  if (!has_room_to_wait(room)) return false;
  const size_t at = pending_.size();
  const size_t end = at + n * kHeader + length;
  pending_.reserve(end + memory::kTermSlack);
  count_document();
  pending_.resize(end);
  uint8_t* p = pending_.data() + at;
  for (size_t i = 0; i < n; ++i) {
    const GroupEntry& e = group.entries[i];
    const Token& t = group.tokens[i];
    put_header(p, e.doc_plus_1, e.length, e.position, t.frequency,
               group.offset_base + t.start_offset, group.offset_base + t.end_offset);
    p += kHeader;
    // Terms are short: sixteen bytes of any cost less than asking how many there are.
    static_assert(kTermPadding >= 16 && memory::kTermSlack >= 16);
    std::memcpy(p, e.bytes, 16);
    if (e.length > 16) std::memcpy(p + 16, e.bytes + 16, e.length - 16);
    p += e.length;
  }
  memory_.promise(room);
  pending_promise_ += room;
  pending_count_ += static_cast<uint32_t>(n);
  if (pending_count_ == TokenGroup::kSize || pending_.size() > kMaxWaitingBytes) flush_pending();
  return true;
}

void FieldInverter::flush_pending() {
  if (pending_count_ == 0) return;
  TokenGroup& group = memory_.waited();
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
    t.frequency = load_le<uint32_t>(p + offsetof(Waiting, frequency));
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
  pending_.clear();  // leaves the bytes where they are
  add_group_of_any_layout(group, n);
}

}  // namespace postern::invert
