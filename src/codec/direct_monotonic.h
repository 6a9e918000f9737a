// Non-decreasing 64-bit values as deviations from a straight line per block (docs/formats/20 §2).
//
// Metadata per block of 2^block_shift values, 21 bytes:
//   i64 min | u32 bits of the float slope | i64 offset of the data | u8 width, 0 = no data
// Data per block: DirectWriter of value - line(i) - min.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "codec/direct_writer.h"

namespace postern::codec {

inline constexpr size_t kDirectMonotonicBlockMeta = 21;

// The line's value at i < 2^22: a product in single precision, truncated, saturating; exactly this,
// since readers recompute it.
inline int64_t monotonic_line(float slope, uint32_t i) {
  float product = slope * static_cast<float>(i);
  if (product >= 0x1p63f) return std::numeric_limits<int64_t>::max();
  if (product < -0x1p63f) return std::numeric_limits<int64_t>::min();
  return product == product ? static_cast<int64_t>(product) : 0;
}

// Meta and Data are EncodedWriters; offsets count from the data's position at construction.
// `Position(data)` tells a Data's position: file_pointer() of an IndexOutput, size() of a buffer.
template <class Meta, class Data>
class DirectMonotonicWriter {
 public:
  DirectMonotonicWriter(Meta& meta, Data& data, uint32_t block_shift)
      : meta_(meta), data_(data), block_size_(size_t{1} << block_shift), base_(position()) {
    block_.reserve(block_size_);
  }

  void add(int64_t value) {
    block_.push_back(static_cast<uint64_t>(value));
    if (block_.size() == block_size_) write_block();
  }
  void finish() {
    if (!block_.empty()) write_block();
  }

 private:
  uint64_t position() const {
    if constexpr (requires { data_.file_pointer(); }) {
      return data_.file_pointer();
    } else {
      return data_.size();
    }
  }

  // Differences wrap, as Java's do.
  void write_block() {
    const size_t n = block_.size();
    const auto rise = static_cast<int64_t>(block_[n - 1] - block_[0]);
    const auto slope =
        static_cast<float>(static_cast<double>(rise) / static_cast<double>(n > 1 ? n - 1 : 1));
    auto min = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < n; ++i) {
      block_[i] -= static_cast<uint64_t>(monotonic_line(slope, static_cast<uint32_t>(i)));
      min = std::min(min, static_cast<int64_t>(block_[i]));
    }
    uint64_t used = 0;
    for (uint64_t& v : block_) used |= v -= static_cast<uint64_t>(min);
    meta_.write_le64(static_cast<uint64_t>(min));
    meta_.write_le32(std::bit_cast<uint32_t>(slope));
    meta_.write_le64(position() - base_);
    const uint32_t width = used == 0 ? 0 : direct_width(used);
    meta_.write_byte(static_cast<uint8_t>(width));
    if (width != 0) {
      DirectWriter<Data> out(data_, width);
      for (uint64_t v : block_) out.add(v);
      out.finish();
    }
    block_.clear();
  }

  Meta& meta_;
  Data& data_;
  size_t block_size_;
  uint64_t base_;
  std::vector<uint64_t> block_;
};

// Reads at random from metadata and data that must both outlive it. The constructor checks that
// every block's data lies inside; values are not checked to ascend.
class DirectMonotonicReader {
 public:
  DirectMonotonicReader() = default;
  // Leaves `meta` behind the last block. Throws CorruptIndex naming the file of `meta`. block_shift
  // at most 22.
  DirectMonotonicReader(ByteReader& meta, std::span<const uint8_t> data, uint64_t count,
                        uint32_t block_shift);
  // The same in two steps, for metadata that says only later where the data lies.
  static DirectMonotonicReader read_meta(ByteReader& meta, uint64_t count, uint32_t block_shift);
  void bind(std::span<const uint8_t> data, std::string_view file);

  uint64_t count() const { return count_; }
  // index < count().
  int64_t get(uint64_t index) const {
    const uint8_t* block = meta_.data() + (index >> block_shift_) * kDirectMonotonicBlockMeta;
    const auto i = static_cast<uint32_t>(index & ((uint64_t{1} << block_shift_) - 1));
    uint64_t value =
        load_le<uint64_t>(block) + static_cast<uint64_t>(monotonic_line(
                                       std::bit_cast<float>(load_le<uint32_t>(block + 8)), i));
    const uint32_t width = block[20];
    if (width != 0) value += direct_get(data_.data() + load_le<uint64_t>(block + 12), width, i);
    return static_cast<int64_t>(value);
  }

 private:
  uint64_t count_ = 0;
  uint32_t block_shift_ = 0;
  std::span<const uint8_t> meta_;
  std::span<const uint8_t> data_;
};

}  // namespace postern::codec
