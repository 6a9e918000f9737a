// FOR(b): 256 integers below 2^b in 32*b bytes (docs/formats/30 §3).
//
// The bytes are 8*b little-endian 32-bit words. Each word is cut in lanes of 8, 16 or 32 bits (for
// b up to 8, 16, 31) that are all filled alike: first as many whole values as fit, from the top;
// what remains of every lane takes the remaining values as one bit string.
#pragma once

#include <cstdint>

namespace postern::codec {

inline constexpr uint32_t kForValues = 256;
inline constexpr uint32_t kMaxForBits = 31;
// Bytes of the widest block.
inline constexpr uint32_t kMaxForBytes = 32 * kMaxForBits;

// bits: 1 ... 31; values: 256, each below 2^bits; out: 32 * bits bytes.
void encode_for(const uint32_t* values, uint32_t bits, uint8_t* out);
void decode_for(const uint8_t* in, uint32_t bits, uint32_t* values);

}  // namespace postern::codec
