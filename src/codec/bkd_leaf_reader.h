// Reads leaf blocks of a points tree (docs/formats/23 §3).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "codec/points_format.h"

namespace postern::codec {

// The leaf read last. Throws CorruptIndex.
class BkdLeafReader {
 public:
  BkdLeafReader(const BkdShape& shape, uint32_t points_per_leaf, uint32_t max_doc)
      : shape_(shape), points_per_leaf_(points_per_leaf), max_doc_(max_doc) {}

  void read(ByteReader& in);

  std::span<const uint32_t> docs() const { return docs_; }
  std::span<const uint8_t> values() const { return values_; }
  // Lowest and highest value of each index dimension, computed from the points.
  std::span<const uint8_t> low() const { return low_; }
  std::span<const uint8_t> high() const { return high_; }

 private:
  void read_values(ByteReader& in, uint32_t count, int8_t encoding);
  void read_value(ByteReader& in, uint32_t sorted, uint8_t sorted_byte);
  void find_bounds();

  BkdShape shape_;
  uint32_t points_per_leaf_;
  uint32_t max_doc_;
  std::vector<uint32_t> docs_;
  std::vector<uint8_t> values_;
  std::vector<uint8_t> low_;
  std::vector<uint8_t> high_;
  std::array<uint32_t, kMaxPointDimensions> prefixes_{};
  std::array<uint8_t, size_t{kMaxPointDimensions} * kMaxPointBytes> value_{};
};

}  // namespace postern::codec
