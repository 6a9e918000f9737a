// The path of tokens: checks in Lucene's order, then whole groups into the table and the streams.
#include <algorithm>
#include <cstring>

#include "invert/field_inverter.h"
#include "invert/postings_appender.h"
#include "invert/vectors_field.h"
#include "memory/prefetch.h"
#include "postern/error.h"

namespace postern::invert {

namespace {

uint64_t occurrence_room(uint64_t payload_bytes) {
  return memory::max_slice_bytes(kMaxOccurrenceBytes + payload_bytes);
}

}  // namespace

void FieldInverter::add_tokens(size_t n) {
  std::array<Token, TokenGroup::kSize>& tokens = memory_.group().tokens;
  bool first_may_count = false;
  for (;;) {
    size_t good = check_tokens(n, first_may_count);
    if (good > 0) add_group(good);
    if (good == n) return;
    const Token& t = tokens[good];
    // A field without frequencies takes a custom one with a term's first token (docs/formats/01
    // §4.1). All other faults are found when the token is checked as the first of a group.
    bool checked_alone = first_may_count && good == 0;
    if (kind_ != StreamKind::kDocs || t.frequency == 1 || checked_alone || single_frequencies_ ||
        t.term_length > max_term_bytes_ || find({t.term, t.term_length}) != memory::kNoTerm) {
      refuse(t);
    }
    n = static_cast<size_t>(std::move(&tokens[good], &tokens[0] + n, &tokens[0]) - &tokens[0]);
    first_may_count = true;
  }
}

// Fills the entries of the tokens up to the first bad one; returns how many those are.
size_t FieldInverter::check_tokens(size_t n, bool first_may_count) {
  memory_.group().offset_base = static_cast<uint32_t>(now_.offset_base);
  if (all_good(n)) return n;
  TokenGroup& group = memory_.group();
  DocumentState s = now_;
  bool counts = kind_ == StreamKind::kFreqs && !single_frequencies_;
  size_t i = 0;
  for (; i < n; ++i) {
    if (!takes(s, group.tokens[i], counts || (first_may_count && i == 0))) break;
  }
  now_ = s;
  return i;
}

// Fills the entries of all tokens, and answers for the usual case without a branch a token. What it
// says no to may still be good; nothing has changed then but the entries, which are right.
bool FieldInverter::all_good(size_t n) {
  TokenGroup& group = memory_.group();
  const Token* tokens = group.tokens.data();
  GroupEntry* entries = group.entries.data();
  uint32_t doc_plus_1 = now_.doc + 1;
  auto position = static_cast<uint64_t>(now_.position);
  uint32_t overlaps = 0;
  uint32_t last_start = 0;
  // The bitwise or of all values is at least the largest, and less than twice as much: enough for a
  // limit that is hardly ever near.
  uint32_t ends = 0;
  uint32_t lengths = 0;
  uint32_t frequencies = 0;
  uint32_t backwards = 0;
  int32_t signs = 0;
  for (size_t i = 0; i < n; ++i) {
    const Token& t = tokens[i];
    GroupEntry& e = entries[i];
    memory::prefetch_read(t.term);  // which is the analyzer's, and may be anywhere
    signs |= t.position_increment;
    position += static_cast<uint64_t>(int64_t{t.position_increment});
    overlaps += t.position_increment == 0;
    backwards |= (t.start_offset < last_start) | (t.end_offset < t.start_offset);
    last_start = t.start_offset;
    ends |= t.end_offset;
    lengths |= t.term_length;
    frequencies |= t.frequency ^ 1;
    e.bytes = t.term;
    e.length = t.term_length;
    e.position = static_cast<uint32_t>(position);
    e.doc_plus_1 = doc_plus_1;
  }
  bool good = signs >= 0 && now_.position + tokens[0].position_increment >= now_.last_position &&
              static_cast<int64_t>(position) <= int64_t{max_position_} && backwards == 0 &&
              static_cast<int64_t>(now_.offset_base + tokens[0].start_offset) >=
                  static_cast<int64_t>(now_.last_start) &&
              now_.offset_base + ends <= kMaxLength && lengths <= max_term_bytes_ &&
              frequencies == 0 && now_.length + n <= kMaxLength;
  if (!good) return false;
  now_.position = now_.last_position = static_cast<int64_t>(position);
  now_.last_start = now_.offset_base + last_start;
  now_.length += n;
  now_.overlaps += overlaps;
  return true;
}

void FieldInverter::require_room(size_t n) const {
  const TokenGroup& group = memory_.group();
  uint64_t slices = n * occurrence_room(0);
  if (invert::has_payloads(kind_)) {
    slices = 0;
    for (size_t i = 0; i < n; ++i) slices += occurrence_room(group.tokens[i].payload_length);
  }
  if (memory_.has_room(slices, n * memory::max_text_bytes(max_term_bytes_))) return;
  uint64_t text = 0;
  for (size_t i = 0; i < n; ++i) text += memory::max_text_bytes(group.entries[i].length);
  memory_.require_room(slices, text,
                       "field '" + name_ + "' of document " + std::to_string(now_.doc));
}

void FieldInverter::require_vectors_room(size_t n) const {
  const TokenGroup& group = memory_.group();
  uint64_t text = 0;
  uint64_t payloads = 0;
  for (size_t i = 0; i < n; ++i) {
    text += group.entries[i].length;
    payloads += group.tokens[i].payload_length;
  }
  vectors_->require_room(n, text, payloads,
                         "field '" + name_ + "' of document " + std::to_string(now_.doc));
}

void FieldInverter::add_group(size_t n) {
  if (let_wait(n)) return;
  flush_pending();
  TokenGroup& group = memory_.group();
  if (invert::has_positions(kind_)) {
    bool payload = false;
    for (size_t i = 0; i < n; ++i) payload |= group.tokens[i].payload_length != 0;
    if (payload && !invert::has_payloads(kind_)) rebuild_for_payloads();
    payload_seen_ |= payload;
  }
  require_room(n);
  if (vectors_ != nullptr) require_vectors_room(n);
  count_document();
  add_group_of_any_layout(group, n);
  if (vectors_ != nullptr) vectors_->add_group(group, n);
}

void FieldInverter::add_group_of_any_layout(TokenGroup& group, size_t n) {
  switch (memory_.layout()) {
    case PoolLayout::kShared:
      return add_group_in<PoolLayout::kShared>(group, n);
    case PoolLayout::kSeparate:
      return add_group_in<PoolLayout::kSeparate>(group, n);
    case PoolLayout::kInline:
      return add_group_in<PoolLayout::kInline>(group, n);
  }
}

template <PoolLayout L>
void FieldInverter::add_group_in(TokenGroup& group, size_t n) {
  switch (kind_) {
    case StreamKind::kDocs:
      return add_group_as<L, StreamKind::kDocs>(group, n);
    case StreamKind::kFreqs:
      return add_group_as<L, StreamKind::kFreqs>(group, n);
    case StreamKind::kPositions:
      return add_group_as<L, StreamKind::kPositions>(group, n);
    case StreamKind::kOffsets:
      return add_group_as<L, StreamKind::kOffsets>(group, n);
    case StreamKind::kPayloads:
      return add_group_as<L, StreamKind::kPayloads>(group, n);
    case StreamKind::kPayloadsOffsets:
      return add_group_as<L, StreamKind::kPayloadsOffsets>(group, n);
  }
}

// Each pass prefetches what the next one reads.
template <PoolLayout L, StreamKind K>
void FieldInverter::add_group_as(TokenGroup& group, size_t n) {
  GroupEntry* entries = group.entries.data();
  for (size_t i = 0; i < n; ++i) {
    table_.prepare(entries[i]);
    table_.prefetch_slot(entries[i]);
  }
  for (size_t i = 0; i < n; ++i) {
    uint32_t id = table_.candidate(entries[i]);
    entries[i].id = id;
    if (id != memory::kNoTerm) memory::prefetch_write(&table_.state(id));
  }
  if constexpr (L != PoolLayout::kInline) {
    for (size_t i = 0; i < n; ++i) {
      if (entries[i].id != memory::kNoTerm) table_.prefetch_text<L>(entries[i].id);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    GroupEntry& e = entries[i];
    if (e.id == memory::kNoTerm || !table_.is<L>(e.id, e)) e.id = table_.find_or_insert<L>(e);
    table_.prefetch_stream_end(e.id);
  }
  if constexpr (invert::has_offsets(K)) last_offsets_.resize(table_.count());
  memory::BytePool& pool = memory_.slices();
  uint32_t unique = 0;
  for (size_t i = 0; i < n; ++i) {
    const GroupEntry& e = entries[i];
    Occurrence o{.doc_plus_1 = e.doc_plus_1, .position = e.position};
    uint32_t* last_offset = nullptr;
    if constexpr (K == StreamKind::kFreqs) o.frequency = group.tokens[i].frequency;
    if constexpr (invert::has_offsets(K)) {
      o.start_offset = group.offset_base + group.tokens[i].start_offset;
      o.end_offset = group.offset_base + group.tokens[i].end_offset;
      last_offset = &last_offsets_[e.id];
    }
    if constexpr (invert::has_payloads(K)) {
      o.payload = {group.tokens[i].payload, group.tokens[i].payload_length};
    }
    bool new_doc = append_occurrence<K>(pool, table_.state(e.id), last_offset, o);
    if constexpr (K == StreamKind::kDocs) unique += new_doc;
  }
  if constexpr (K == StreamKind::kDocs) now_.unique_terms += unique;
}

}  // namespace postern::invert
