// The norm of a field's length: one byte, exact below 40, then four significant bits
// (docs/formats/21 §2, "byte4").
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace postern::invert {

// Any length up to 2^31 - 1; 0 only for 0.
constexpr uint8_t norm_of_length(uint32_t length) {
  constexpr uint32_t kExact = 24;
  if (length < kExact) return static_cast<uint8_t>(length);
  uint32_t v = length - kExact;
  if (v < 8) return static_cast<uint8_t>(kExact + v);
  uint32_t shift = static_cast<uint32_t>(std::bit_width(v)) - 4;
  return static_cast<uint8_t>(kExact + ((v >> shift & 7) | (shift + 1) << 3));
}

}  // namespace postern::invert
