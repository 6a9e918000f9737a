// The norm of a field's length: one byte, exact below 40, then four significant bits
// (docs/formats/21 §2, "byte4").
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace postern::codec {

// Lengths below this are their own norm.
inline constexpr uint32_t kNormExactLengths = 24;

// Any length up to 2^31 - 1; 0 only for 0.
constexpr uint8_t norm_byte(uint32_t length) {
  if (length < kNormExactLengths) return static_cast<uint8_t>(length);
  uint32_t v = length - kNormExactLengths;
  if (v < 8) return static_cast<uint8_t>(kNormExactLengths + v);
  uint32_t shift = static_cast<uint32_t>(std::bit_width(v)) - 4;
  return static_cast<uint8_t>(kNormExactLengths + ((v >> shift & 7) | (shift + 1) << 3));
}

// The smallest length with that norm.
constexpr uint32_t norm_length(uint8_t norm) {
  if (norm < kNormExactLengths) return norm;
  uint32_t code = norm - kNormExactLengths;
  if (code < 8) return norm;
  return kNormExactLengths + (((code & 7) | 8) << ((code >> 3) - 1));
}

// The value that files and scores use: the byte, sign-extended.
constexpr int64_t norm_value(uint8_t norm) { return static_cast<int8_t>(norm); }

}  // namespace postern::codec
