// Values of one fixed width in a little-endian bit stream, readable at random (docs/formats/20 §1).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace postern::codec {

inline constexpr std::array<uint8_t, 14> kDirectWidths = {1,  2,  4,  8,  12, 16, 20,
                                                          24, 28, 32, 40, 48, 56, 64};

constexpr bool is_direct_width(uint32_t width) {
  for (uint32_t w : kDirectWidths)
    if (w == width) return true;
  return false;
}

// The smallest width that holds v.
constexpr uint32_t direct_width(uint64_t v) {
  for (uint32_t w : kDirectWidths)
    if (w == 64 || v >> w == 0) return w;
  return 64;
}

// Zero bytes behind the values, so that one load of 1, 2, 4 or 8 bytes reaches any of them.
constexpr uint32_t direct_padding(uint32_t width) {
  if (width <= 8) return 0;
  uint32_t container = width <= 16 ? 16 : width <= 32 ? 32 : 64;
  return (container - width + 7) / 8;
}

// Bytes of `count` values, padding included. count * 64 must not overflow.
constexpr uint64_t direct_size(uint64_t count, uint32_t width) {
  return (count * width + 7) / 8 + direct_padding(width);
}

// Out is any EncodedWriter. Neither the count nor the width is written.
template <class Out>
class DirectWriter {
 public:
  DirectWriter(Out& out, uint32_t width) : out_(out), width_(width) {}

  void add(uint64_t value) {
    pending_ |= value << bits_;
    bits_ += width_;
    if (bits_ >= 64) {
      out_.write_le64(pending_);
      bits_ -= 64;
      pending_ = bits_ == 0 ? 0 : value >> (width_ - bits_);
    }
  }
  // Writes what is left and the padding.
  void finish() {
    for (; bits_ > 0; bits_ -= bits_ < 8 ? bits_ : 8) {
      out_.write_byte(static_cast<uint8_t>(pending_));
      pending_ >>= 8;
    }
    for (uint32_t n = direct_padding(width_); n > 0; --n) out_.write_byte(0);
  }

 private:
  Out& out_;
  uint32_t width_;
  uint64_t pending_ = 0;  // the last bits_ bits of the stream
  uint32_t bits_ = 0;     // below 64
};

// Value `index` of a stream at `bytes`, which must reach to the end of its padding.
inline uint64_t direct_get(const uint8_t* bytes, uint32_t width, uint64_t index) {
  uint64_t bit = index * width;
  const uint8_t* p = bytes + (bit >> 3);
  uint32_t shift = bit & 7;
  if (width <= 8) return (static_cast<uint64_t>(*p) >> shift) & ((1u << width) - 1);
  if (width <= 16)
    return (static_cast<uint64_t>(load_le<uint16_t>(p)) >> shift) & ((1u << width) - 1);
  if (width <= 32)
    return (static_cast<uint64_t>(load_le<uint32_t>(p)) >> shift) & ((uint64_t{1} << width) - 1);
  return (load_le<uint64_t>(p) >> shift) & (~uint64_t{0} >> (64 - width));
}

}  // namespace postern::codec
