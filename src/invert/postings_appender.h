// Appends one occurrence of a term to its stream; stream_kind.h has the codes.
#pragma once

#include <cstdint>
#include <span>

#include "invert/stream_kind.h"
#include "memory/slices.h"

namespace postern::invert {

// A vInt as a little-endian word.
struct Code {
  uint64_t bits;
  uint32_t bytes;
};

inline Code vint_code(uint64_t v) {
  if (v < 0x80) return {v, 1};
  if (v < 0x4000) return {(v & 0x7f) | 0x80 | v >> 7 << 8, 2};
  Code c{0, 0};
  for (; v >= 0x80; v >>= 7) c.bits |= ((v & 0x7f) | 0x80) << (8 * c.bytes++);
  c.bits |= v << (8 * c.bytes++);
  return c;
}

struct Occurrence {
  uint32_t doc_plus_1 = 0;
  uint32_t position = 0;
  uint32_t frequency = 1;     // kFreqs
  uint32_t start_offset = 0;  // fields with offsets
  uint32_t end_offset = 0;
  std::span<const uint8_t> payload = {};  // fields with payloads; empty = none
};

// Bytes one occurrence can add to its stream, payload apart: four codes and a payload length.
inline constexpr uint32_t kMaxOccurrenceBytes = 25;

// `last_offset`: the start of the term's last occurrence, for kinds with offsets. Returns whether
// this is the term's first occurrence in the document. Documents and positions must not descend.
template <StreamKind K>
inline bool append_occurrence(memory::BytePool& pool, memory::TermState& s,
                              [[maybe_unused]] uint32_t* last_offset, const Occurrence& o) {
  bool new_doc = o.doc_plus_1 != s.last_doc_plus_1;
  uint64_t doc_delta = o.doc_plus_1 - s.last_doc_plus_1;
  if constexpr (K == StreamKind::kDocs) {
    if (!new_doc) return false;
    Code d = vint_code(doc_delta);
    memory::append_code(pool, s, d.bits, d.bytes);
  } else if constexpr (K == StreamKind::kFreqs) {
    if (!new_doc) {
      s.last_position += o.frequency;
      return false;
    }
    bool freq_follows = s.last_doc_plus_1 != 0 && s.last_position != 1;
    Code d = vint_code(doc_delta << 1 | uint64_t{freq_follows});
    memory::append_code(pool, s, d.bits, d.bytes);
    if (freq_follows) {
      Code f = vint_code(s.last_position);
      memory::append_code(pool, s, f.bits, f.bytes);
    }
    s.last_position = o.frequency;
  } else {
    uint64_t delta = o.position - (new_doc ? 0 : s.last_position);
    uint64_t code = delta << 1;
    if constexpr (has_payloads(K)) code = delta << 2 | uint64_t{!o.payload.empty()} << 1;
    Code p = vint_code(code);
    if (new_doc) {
      Code d = vint_code(doc_delta << 1 | 1);
      if (d.bytes + p.bytes <= 8) {
        p = {d.bits | p.bits << (8 * d.bytes), d.bytes + p.bytes};
      } else {
        memory::append_code(pool, s, d.bits, d.bytes);
      }
    }
    memory::append_code(pool, s, p.bits, p.bytes);
    if constexpr (has_payloads(K)) {
      if (!o.payload.empty()) {
        Code n = vint_code(o.payload.size());
        memory::append_code(pool, s, n.bits, n.bytes);
        memory::append_bytes(pool, s, o.payload.data(), o.payload.size());
      }
    }
    if constexpr (has_offsets(K)) {
      Code start = vint_code(o.start_offset - (new_doc ? 0 : *last_offset));
      Code length = vint_code(o.end_offset - o.start_offset);
      memory::append_code(pool, s, start.bits, start.bytes);
      memory::append_code(pool, s, length.bits, length.bytes);
      *last_offset = o.start_offset;
    }
    s.last_position = o.position;
  }
  s.last_doc_plus_1 = o.doc_plus_1;
  return new_doc;
}

}  // namespace postern::invert
