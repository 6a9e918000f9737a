// Sixty-four bytes at a time: bit masks of their classes, and lower-casing.
// SSE2, which every x86-64 has; the portable forms do the same byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace postern::analysis {

inline constexpr size_t kBlock = 64;

// Bit i tells of byte i.
struct BlockMasks {
  uint64_t words = 0;      // bytes of tokens
  uint64_t non_ascii = 0;  // bytes >= 0x80
};

inline bool is_ascii_letter(uint8_t c) { return static_cast<uint8_t>((c | 0x20) - 'a') < 26; }
inline bool is_ascii_digit(uint8_t c) { return static_cast<uint8_t>(c - '0') < 10; }
inline bool is_ascii_word(uint8_t c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '_'; }
inline bool is_ascii_joiner(uint8_t c) {
  return c == '\'' || c == ',' || c == '.' || c == ':' || c == ';';
}
inline bool is_ascii_white_space(uint8_t c) {
  return static_cast<uint8_t>(c - 9) < 5 || static_cast<uint8_t>(c - 0x1C) < 5;
}

// Letters, digits and '_' as `words`; the characters that may join two letters or two digits as
// `joiners` (UAX #29's MidLetter, MidNum, MidNumLet and SQuote within ASCII).
struct WordMasks : BlockMasks {
  uint64_t joiners = 0;
};

namespace portable {

inline WordMasks word_masks(const uint8_t* block) {
  WordMasks masks;
  for (size_t i = 0; i < kBlock; ++i) {
    masks.words |= uint64_t{is_ascii_word(block[i])} << i;
    masks.joiners |= uint64_t{is_ascii_joiner(block[i])} << i;
    masks.non_ascii |= uint64_t{block[i] >= 0x80} << i;
  }
  return masks;
}
inline BlockMasks letter_masks(const uint8_t* block) {
  BlockMasks masks;
  for (size_t i = 0; i < kBlock; ++i) {
    masks.words |= uint64_t{is_ascii_letter(block[i])} << i;
    masks.non_ascii |= uint64_t{block[i] >= 0x80} << i;
  }
  return masks;
}
// `words` is everything that is ASCII and not white space.
inline BlockMasks non_space_masks(const uint8_t* block) {
  BlockMasks masks;
  for (size_t i = 0; i < kBlock; ++i) {
    masks.words |= uint64_t{block[i] < 0x80 && !is_ascii_white_space(block[i])} << i;
    masks.non_ascii |= uint64_t{block[i] >= 0x80} << i;
  }
  return masks;
}

}  // namespace portable

#if defined(__SSE2__)
namespace sse2 {

inline __m128i load(const uint8_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
inline __m128i bytes(int c) { return _mm_set1_epi8(static_cast<char>(c)); }
inline uint64_t mask(__m128i v) { return static_cast<uint32_t>(_mm_movemask_epi8(v)); }

// Bytes in [first, last]; both ASCII. The sum moves `last` to 127, the top of the signed range.
template <int first, int last>
inline __m128i in_range(__m128i v) {
  return _mm_cmpgt_epi8(_mm_add_epi8(v, bytes(127 - last)), bytes(126 - (last - first)));
}
inline __m128i letters(__m128i v) { return in_range<'a', 'z'>(_mm_or_si128(v, bytes(0x20))); }

inline WordMasks word_masks(const uint8_t* block) {
  WordMasks masks;
  for (int i = 0; i < 64; i += 16) {
    const __m128i v = load(block + i);
    const __m128i words = _mm_or_si128(_mm_or_si128(letters(v), in_range<'0', '9'>(v)),
                                       _mm_cmpeq_epi8(v, bytes('_')));
    // ',' and '.' differ in bit 1, ':' and ';' in bit 0.
    const __m128i joiners =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(_mm_or_si128(v, bytes(2)), bytes('.')),
                                  _mm_cmpeq_epi8(_mm_or_si128(v, bytes(1)), bytes(';'))),
                     _mm_cmpeq_epi8(v, bytes('\'')));
    masks.words |= mask(words) << i;
    masks.joiners |= mask(joiners) << i;
    masks.non_ascii |= mask(v) << i;
  }
  return masks;
}
inline BlockMasks letter_masks(const uint8_t* block) {
  BlockMasks masks;
  for (int i = 0; i < 64; i += 16) {
    const __m128i v = load(block + i);
    masks.words |= mask(letters(v)) << i;
    masks.non_ascii |= mask(v) << i;
  }
  return masks;
}
inline BlockMasks non_space_masks(const uint8_t* block) {
  BlockMasks masks;
  for (int i = 0; i < 64; i += 16) {
    const __m128i v = load(block + i);
    const __m128i spaces = _mm_or_si128(in_range<9, 13>(v), in_range<0x1C, 0x20>(v));
    masks.words |= mask(_mm_or_si128(spaces, v)) << i;
    masks.non_ascii |= mask(v) << i;
  }
  masks.words = ~masks.words;
  return masks;
}

}  // namespace sse2
namespace best = sse2;
#else
namespace best = portable;
#endif

// Copies `length` bytes, ASCII letters in lower case. Works in steps of 16 bytes: as much beyond
// `length` must be readable and writable.
inline void copy_lower_ascii(const uint8_t* from, size_t length, uint8_t* to) {
  size_t i = 0;
  do {
#if defined(__SSE2__)
    const __m128i v = sse2::load(from + i);
    const __m128i upper = sse2::in_range<'A', 'Z'>(v);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_or_si128(v, _mm_and_si128(upper, sse2::bytes(0x20))));
#else
    for (size_t j = i; j < i + 16; ++j) {
      to[j] = static_cast<uint8_t>(from[j] | (static_cast<uint8_t>(from[j] - 'A') < 26 ? 0x20 : 0));
    }
#endif
    i += 16;
  } while (i < length);
}
inline void copy_ascii(const uint8_t* from, size_t length, uint8_t* to) {
  size_t i = 0;
  do {
    std::memcpy(to + i, from + i, 16);
    i += 16;
  } while (i < length);
}

}  // namespace postern::analysis
