// How the postings of a field lie in its terms' streams. A stream is a sequence of codes (vInts of
// up to 35 bits), each document complete before the next begins:
//
// | kind | per document | per position |
// |---|---|---|
// | kDocs | doc delta | - |
// | kFreqs | doc delta << 1 | f, where f = 1: the frequency of the *document before* follows, | - |
// |        | else that was 1. The last document's frequency stands in the term's state | |
// | kPositions | doc delta << 1 | 1 | position delta << 1 |
// | kOffsets | doc delta << 1 | 1 | the same, then start delta, length |
// | kPayloads | doc delta << 1 | 1 | position delta << 2 | p << 1; if p: length and bytes |
// | kPayloadsOffsets | doc delta << 1 | 1 | as kPayloads, then start delta, length |
//
// Doc deltas count from -1 (so they are at least 1), position deltas from 0 in each document, start
// deltas from the start before, 0 in each document (docs/formats/01 §4.1).
#pragma once

#include <cstdint>

#include "postern/field_type.h"

namespace postern::invert {

enum class StreamKind : uint8_t {
  kDocs,
  kFreqs,
  kPositions,
  kOffsets,
  kPayloads,
  kPayloadsOffsets
};

constexpr bool has_positions(StreamKind k) { return k >= StreamKind::kPositions; }
constexpr bool has_offsets(StreamKind k) {
  return k == StreamKind::kOffsets || k == StreamKind::kPayloadsOffsets;
}
constexpr bool has_payloads(StreamKind k) {
  return k == StreamKind::kPayloads || k == StreamKind::kPayloadsOffsets;
}
constexpr StreamKind with_payloads(StreamKind k) {
  return has_offsets(k) ? StreamKind::kPayloadsOffsets : StreamKind::kPayloads;
}

// `payloads` counts only in fields with positions. Not for kNone.
constexpr StreamKind stream_kind(IndexOptions options, bool payloads) {
  switch (options) {
    case IndexOptions::kFreqs:
      return StreamKind::kFreqs;
    case IndexOptions::kPositions:
      return payloads ? StreamKind::kPayloads : StreamKind::kPositions;
    case IndexOptions::kOffsets:
      return payloads ? StreamKind::kPayloadsOffsets : StreamKind::kOffsets;
    default:
      return StreamKind::kDocs;
  }
}

}  // namespace postern::invert
