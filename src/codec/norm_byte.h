// The norm of a field's length: one byte, exact below 40, then four significant bits
// (docs/formats/21 §2, "byte4"). invert/norm_byte.h makes it.
#pragma once

#include <cstdint>

namespace postern::codec {

// Lengths below this are their own norm.
inline constexpr uint32_t kNormExactLengths = 24;

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
