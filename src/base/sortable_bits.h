// Numbers as bytes whose unsigned order is the order of the numbers (docs/formats/23 §6). For
// floating point: -0.0 sorts before 0.0, every NaN is the same one and sorts above infinity.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/bytes.h"

namespace postern {

// IEEE bits, with Java's one NaN; those of a float with their sign extended.
inline int64_t float_bits(float value) {
  return std::isnan(value) ? int64_t{0x7fc00000} : std::bit_cast<int32_t>(value);
}
inline int64_t double_bits(double value) {
  return std::isnan(value) ? int64_t{0x7ff8000000000000} : std::bit_cast<int64_t>(value);
}

// The signed integer that sorts as the number does.
inline int32_t sortable_float_bits(float value) {
  const auto bits = static_cast<int32_t>(float_bits(value));
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
inline int64_t sortable_double_bits(double value) {
  const int64_t bits = double_bits(value);
  return bits ^ ((bits >> 63) & 0x7fffffffffffffff);
}

// Write 4 or 8 bytes to `out`.
inline void pack_int(int32_t value, uint8_t* out) {
  store_be32(out, static_cast<uint32_t>(value) ^ 0x80000000u);
}
inline void pack_long(int64_t value, uint8_t* out) {
  store_be64(out, static_cast<uint64_t>(value) ^ 0x8000000000000000u);
}
inline void pack_float(float value, uint8_t* out) { pack_int(sortable_float_bits(value), out); }
inline void pack_double(double value, uint8_t* out) { pack_long(sortable_double_bits(value), out); }

}  // namespace postern
