// UTF-8 that may hold unpaired surrogates (WTF-8), one code point at a time. A byte that begins no
// valid sequence counts as one U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::analysis {

inline constexpr uint32_t kReplacement = 0xFFFD;

struct CodePoint {
  uint32_t value;
  uint32_t bytes;  // 1 .. 4
};

inline bool is_surrogate(uint32_t code_point) { return (code_point & 0xFFFFF800u) == 0xD800; }
inline bool is_high_surrogate(uint32_t code_point) { return (code_point & 0xFFFFFC00u) == 0xD800; }
inline bool is_low_surrogate(uint32_t code_point) { return (code_point & 0xFFFFFC00u) == 0xDC00; }
inline uint32_t utf16_units(uint32_t code_point) { return code_point < 0x10000 ? 1 : 2; }

// Needs p < end; reads no further than `end`.
inline CodePoint decode(const uint8_t* p, const uint8_t* end) {
  const uint32_t lead = *p;
  if (lead < 0x80) return {lead, 1};
  const auto left = static_cast<size_t>(end - p);
  const auto continues = [&](size_t i) { return (p[i] & 0xC0) == 0x80; };
  if (lead < 0xE0) {
    if (lead >= 0xC2 && left >= 2 && continues(1)) return {(lead & 31) << 6 | (p[1] & 63u), 2};
  } else if (lead < 0xF0) {
    if (left >= 3 && continues(1) && continues(2)) {
      const uint32_t value = (lead & 15) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
      if (value >= 0x800) return {value, 3};
    }
  } else if (lead < 0xF5) {
    if (left >= 4 && continues(1) && continues(2) && continues(3)) {
      const uint32_t value =
          (lead & 7) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);
      if (value >= 0x10000 && value < 0x110000) return {value, 4};
    }
  }
  return {kReplacement, 1};
}

// Writes 1 to 4 bytes and returns the address behind them. An unpaired surrogate is written as
// U+FFFD, as Lucene's term bytes have it.
inline uint8_t* encode(uint32_t code_point, uint8_t* out) {
  if (code_point < 0x80) {
    *out++ = static_cast<uint8_t>(code_point);
  } else if (code_point < 0x800) {
    *out++ = static_cast<uint8_t>(0xC0 | code_point >> 6);
    *out++ = static_cast<uint8_t>(0x80 | (code_point & 63));
  } else if (code_point < 0x10000) {
    if (is_surrogate(code_point)) code_point = kReplacement;
    *out++ = static_cast<uint8_t>(0xE0 | code_point >> 12);
    *out++ = static_cast<uint8_t>(0x80 | (code_point >> 6 & 63));
    *out++ = static_cast<uint8_t>(0x80 | (code_point & 63));
  } else {
    *out++ = static_cast<uint8_t>(0xF0 | code_point >> 18);
    *out++ = static_cast<uint8_t>(0x80 | (code_point >> 12 & 63));
    *out++ = static_cast<uint8_t>(0x80 | (code_point >> 6 & 63));
    *out++ = static_cast<uint8_t>(0x80 | (code_point & 63));
  }
  return out;
}

}  // namespace postern::analysis
