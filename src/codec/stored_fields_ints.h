// The integer arrays in front of a stored fields chunk (docs/formats/12 §2): one vInt for a single
// value, else a byte for the width and then
//
//   0        all equal: one vInt
//   8 16 32  blocks of 128 values as little-endian longs, the first value in the highest bits and
//            each lane a run of consecutive values; the rest (< 128) one by one, little-endian
#pragma once

#include <cstdint>
#include <span>

#include "base/byte_reader.h"
#include "store/index_output.h"

namespace postern::codec {

// `values` is not empty.
void write_stored_fields_ints(std::span<const uint32_t> values, store::IndexOutput& out);

// A view of such an array in a mapped file; takes no memory however large its count claims to be.
class StoredFieldsInts {
 public:
  StoredFieldsInts() = default;
  // Leaves `in` behind the array. Throws CorruptIndex.
  StoredFieldsInts(ByteReader& in, uint32_t count);

  uint32_t count() const { return count_; }
  uint32_t get(uint32_t index) const;
  // Of the first `count` values.
  uint64_t sum(uint32_t count) const;

 private:
  uint32_t count_ = 0;
  uint32_t width_ = 0;  // bytes; 0: all are constant_
  uint32_t constant_ = 0;
  std::span<const uint8_t> bytes_;
};

}  // namespace postern::codec
