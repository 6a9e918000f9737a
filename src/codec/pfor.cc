#include "codec/pfor.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/bytes.h"

namespace postern::codec {
namespace {

constexpr uint32_t kMaxExceptions = 7;
constexpr uint32_t kMaxHighBits = 8;

// The narrowest width, at most 8 below the widest, that leaves no more than 7 values wider. A count
// per candidate is cheaper than a histogram, whose increments wait for each other.
uint32_t choose_width(const uint32_t* values, uint32_t widest) {
  uint32_t lowest = widest > kMaxHighBits ? widest - kMaxHighBits : 1;
  uint32_t bits = widest;
  for (; bits > lowest; --bits) {
    const int32_t at_least = int32_t{1} << (bits - 1);
    uint32_t wide = 0;
    for (uint32_t i = 0; i < kForValues; ++i) wide += static_cast<int32_t>(values[i]) >= at_least;
    if (wide > kMaxExceptions) break;
  }
  return bits;
}

}  // namespace

uint32_t encode_pfor(const uint32_t* values, uint8_t* out) {
  uint32_t all = 0;
  uint32_t differing = 0;
  for (uint32_t i = 0; i < kForValues; ++i) {
    all |= values[i];
    differing |= values[i] ^ values[0];
  }
  assert(all < 1u << 31);
  uint32_t widest = std::max(1u, bit_length(all));
  if (differing == 0 && all < 0x80) {
    out[0] = 0;
    out[1] = static_cast<uint8_t>(all);
    return 2;
  }

  uint32_t bits = choose_width(values, widest);
  uint32_t mask = (1u << bits) - 1;
  std::array<uint32_t, kForValues> low;
  uint32_t low_differing = 0;
  for (uint32_t i = 0; i < kForValues; ++i) {
    low[i] = values[i] & mask;
    low_differing |= low[i] ^ low[0];
  }
  uint8_t* p = out + 1;
  bool constant = widest <= 8 && low_differing == 0;
  if (constant) {
    if (low[0] >= 0x80) {
      *p++ = static_cast<uint8_t>(low[0] | 0x80);
      *p++ = static_cast<uint8_t>(low[0] >> 7);
    } else {
      *p++ = static_cast<uint8_t>(low[0]);
    }
  } else {
    encode_for(low.data(), bits, p);
    p += 32 * bits;
  }
  uint32_t exceptions = 0;
  for (uint32_t group = 0; bits < widest && group < kForValues; group += 8) {
    uint32_t any = 0;
    for (uint32_t i = group; i < group + 8; ++i) any |= values[i];
    if (any >> bits == 0) continue;
    for (uint32_t i = group; i < group + 8; ++i) {
      uint32_t high = values[i] >> bits;
      if (high == 0) continue;
      *p++ = static_cast<uint8_t>(i);
      // The width stored for a constant block is 0, so a reader does not shift.
      *p++ = static_cast<uint8_t>(constant ? high << bits : high);
      ++exceptions;
    }
  }
  out[0] = static_cast<uint8_t>(exceptions << 5 | (constant ? 0 : bits));
  return static_cast<uint32_t>(p - out);
}

void decode_pfor(ByteReader& in, uint32_t* values) {
  uint32_t token = in.read_byte();
  uint32_t bits = token & 31;
  if (bits == 0) {
    std::fill_n(values, kForValues, in.read_vint());
  } else {
    decode_for(in.read_bytes(32 * bits).data(), bits, values);
  }
  for (uint32_t exceptions = token >> 5; exceptions > 0; --exceptions) {
    uint32_t index = in.read_byte();
    values[index] |= static_cast<uint32_t>(in.read_byte()) << bits;
  }
}

void skip_pfor(ByteReader& in) {
  uint32_t token = in.read_byte();
  uint32_t bits = token & 31;
  if (bits == 0) {
    in.read_vint();
  } else {
    in.skip(32 * bits);
  }
  in.skip(2 * (token >> 5));
}

}  // namespace postern::codec
