// The (freq, norm) pairs that bound the scores of a range of documents (docs/formats/32 §1-3).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"

namespace postern::codec {

struct Impact {
  uint32_t freq;
  int64_t norm;  // compared unsigned
  bool operator==(const Impact&) const = default;
};

// Collects documents with norms of one byte; costs one maximum per document, and clearing costs
// only the norms that were seen.
class ImpactAccumulator {
 public:
  void add(uint32_t freq, uint8_t norm) {
    seen_[norm >> 6] |= uint64_t{1} << (norm & 63);
    max_freq_[norm] = std::max(max_freq_[norm], freq);
  }
  void merge(const ImpactAccumulator& other);
  // Appends the pairs no other pair dominates, by ascending unsigned norm; returns their number.
  uint32_t encode(ByteBuffer& out) const;
  void clear();

 private:
  std::array<uint64_t, 4> seen_{};        // bit per norm byte
  std::array<uint32_t, 256> max_freq_{};  // 0 where not seen
};

// Reads a list that fills the rest of `in`. Throws CorruptIndex.
std::vector<Impact> read_impacts(ByteReader& in);

}  // namespace postern::codec
