// Integers of any width in a big-endian bit stream, and blocks of 64 of them with a common base:
// what term vectors are made of (docs/formats/20 §4-5).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/bytes.h"

namespace postern::codec {

inline constexpr size_t kPackedBlock = 64;

constexpr uint64_t packed_size(uint64_t count, uint32_t width) { return (count * width + 7) / 8; }

// `width` 1..64; the values must fit it. Out is any EncodedWriter.
template <class Out>
void write_packed(std::span<const uint64_t> values, uint32_t width, Out& out) {
  uint64_t pending = 0;  // its top `bits` bits are to be written
  uint32_t bits = 0;
  for (uint64_t value : values) {
    value <<= 64 - width;
    pending |= value >> bits;
    if (bits + width >= 64) {
      out.write_be64(pending);
      pending = bits == 0 ? 0 : value << (64 - bits);
      bits += width - 64;
    } else {
      bits += width;
    }
  }
  for (; bits > 0; bits -= std::min(bits, 8u), pending <<= 8)
    out.write_byte(static_cast<uint8_t>(pending >> 56));
}

// Appends `count` values to `out`. Throws CorruptIndex.
template <class Value>
void read_packed(ByteReader& in, uint64_t count, uint32_t width, std::vector<Value>& out) {
  const auto bytes = in.read_bytes(packed_size(count, width));
  uint64_t bit = 0;
  for (uint64_t i = 0; i < count; ++i, bit += width) {
    uint64_t value = 0;
    for (uint32_t have = 0; have < width;) {
      const uint64_t at = bit + have;
      const uint32_t take = std::min<uint32_t>(8 - (at & 7), width - have);
      const uint32_t part = bytes[at >> 3] >> (8 - (at & 7) - take) & ((1u << take) - 1);
      value = value << take | part;
      have += take;
    }
    out.push_back(static_cast<Value>(value));
  }
}

// Signed values in blocks; how many there are is known from elsewhere.
template <class Out>
class BlockPackedWriter {
 public:
  explicit BlockPackedWriter(Out& out) : out_(out) {}

  void add(int64_t value) {
    block_[size_++] = value;
    if (size_ == kPackedBlock) write_block();
  }
  // Writes what is left; the writer can be used again.
  void finish() {
    if (size_ != 0) write_block();
  }

 private:
  // Nine bytes at most: the ninth has eight bits of its own.
  void write_long_vlong(uint64_t v) {
    for (uint32_t n = 0; v >= 0x80 && n < 8; ++n, v >>= 7)
      out_.write_byte(static_cast<uint8_t>(v | 0x80));
    out_.write_byte(static_cast<uint8_t>(v));
  }

  void write_block() {
    const auto [low, high] = std::minmax_element(block_.begin(), block_.begin() + size_);
    int64_t min = *low;
    const uint64_t spread = static_cast<uint64_t>(*high) - static_cast<uint64_t>(min);
    const uint32_t width = bit_length(spread);
    if (width == 64) {
      min = 0;
    } else if (min > 0) {
      // A smaller base of the same width, 0 if possible, since 0 takes no bytes.
      min = std::max<int64_t>(
          0, static_cast<int64_t>(static_cast<uint64_t>(*high) - ((uint64_t{1} << width) - 1)));
    }
    out_.write_byte(static_cast<uint8_t>(width << 1 | (min == 0 ? 1u : 0u)));
    if (min != 0) write_long_vlong(zigzag64(min) - 1);
    if (width != 0) {
      std::array<uint64_t, kPackedBlock> deltas;
      for (size_t i = 0; i < size_; ++i)
        deltas[i] = static_cast<uint64_t>(block_[i]) - static_cast<uint64_t>(min);
      write_packed(std::span<const uint64_t>(deltas.data(), size_), width, out_);
    }
    size_ = 0;
  }

  Out& out_;
  std::array<int64_t, kPackedBlock> block_;
  size_t size_ = 0;
};

// Appends `count` values to `out`; takes memory only for blocks whose bytes are there. Throws
// CorruptIndex.
void read_block_packed(ByteReader& in, uint64_t count, std::vector<int64_t>& out);

}  // namespace postern::codec
