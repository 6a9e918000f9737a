// Group-varint, the encoding of short document lists (docs/formats/30 §5.3, 10 §2): whole groups of
// four values behind a byte of their lengths, then 0-3 values as vInt.
#pragma once

#include <cstdint>

#include "base/byte_reader.h"
#include "base/bytes.h"

namespace postern::codec {

// Most bytes of n values.
constexpr uint32_t max_group_varint_bytes(uint32_t n) { return n / 4 * 17 + n % 4 * 5; }

inline uint8_t* put_vint(uint8_t* p, uint32_t v) {
  while (v >= 0x80) {
    *p++ = static_cast<uint8_t>(v | 0x80);
    v >>= 7;
  }
  *p++ = static_cast<uint8_t>(v);
  return p;
}

// The same without a branch for one and two bytes, which in postings are too mixed to predict.
// Two bytes must be writable behind the end.
inline uint8_t* put_short_vint(uint8_t* p, uint32_t v) {
  if (v >= 1u << 14) return put_vint(p, v);
  uint32_t two = v >= 0x80;
  store_le(p, static_cast<uint16_t>((v & 0x7f) | two << 7 | (v >> 7) << 8));
  return p + 1 + two;
}

// Writes behind p, where max_group_varint_bytes(n) + 3 bytes must be writable; returns the end.
inline uint8_t* put_group_varint(uint8_t* p, const uint32_t* values, uint32_t n) {
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    uint8_t* lengths = p++;
    uint32_t flag = 0;
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t v = values[i + k];
      uint32_t more = (bit_length(v | 1) - 1) >> 3;  // bytes beyond the first
      flag = flag << 2 | more;
      store_le(p, v);
      p += more + 1;
    }
    *lengths = static_cast<uint8_t>(flag);
  }
  for (; i < n; ++i) p = put_vint(p, values[i]);
  return p;
}

// Throws CorruptIndex.
inline void read_group_varint(ByteReader& in, uint32_t* values, uint32_t n) {
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    uint32_t flag = in.read_byte();
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t length = (flag >> (6 - 2 * k) & 3) + 1;
      auto bytes = in.read_bytes(length);
      uint32_t v = 0;
      for (uint32_t b = 0; b < length; ++b) v |= static_cast<uint32_t>(bytes[b]) << (8 * b);
      values[i + k] = v;
    }
  }
  for (; i < n; ++i) values[i] = in.read_vint();
}

}  // namespace postern::codec
