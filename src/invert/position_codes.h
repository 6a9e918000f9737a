// Decodes the codes of StreamKind::kPositions, up to 64 at once and without a branch per code:
// whether a code has one byte or two, and whether it is of a document or a position, is too mixed
// in text to be predicted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/bytes.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace postern::invert::detail {

inline constexpr uint32_t kCodesAtOnce = 64;

// Bit i: byte i, of the first n <= 64, is the last of a code. Reads whole words: 8 bytes if n <= 8,
// else up to 15 bytes behind the n.
inline uint64_t code_ends(const uint8_t* p, size_t n) {
  uint64_t continued = 0;
#if defined(__SSE2__)
  if (n <= 8) {
    const __m128i v = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    continued = static_cast<uint32_t>(_mm_movemask_epi8(v));
  } else {
    for (size_t i = 0; i < n; i += 16) {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
      continued |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(v))} << i;
    }
  }
#else
  for (size_t i = 0; i < n; ++i) continued |= uint64_t{p[i] >> 7u} << i;
#endif
  return ~continued & (~uint64_t{0} >> (64 - n));
}

// The code of 1 ... 5 bytes whose last byte is p[more]; eight bytes are read.
inline uint32_t load_code(const uint8_t* p, uint32_t more) {
  static constexpr std::array<uint64_t, 5> kValueBits = {0x7f, 0x7f7f, 0x7f7f7f, 0x7f7f7f7f,
                                                         0x7f7f7f7f7f};
  uint64_t v = load_le<uint64_t>(p) & kValueBits[more];
  v = (v & 0x7f007f007f) | (v & 0x7f007f00) >> 1;
  return static_cast<uint32_t>((v & 0x3fff) | (v >> 2 & 0xfffc000) | (v >> 4 & 0xf0000000));
}

// Adds codes to the batch of a sink (codec/postings_batch.h says what that is).
template <class Sink, class Batch>
struct PositionBatchCodes {
  Sink* sink;
  Batch* batch;

  void operator()(uint32_t code) {
    const uint32_t of_doc = code & 1;
    put(code, batch->docs, batch->positions);
    batch->docs += of_doc;
    batch->positions += of_doc ^ 1;
    sink->settle_batch();
  }
  // Whole codes only. Eight bytes behind the end of each are read, and 15 behind the last.
  void add_all(const uint8_t* p, const uint8_t* end) {
    while (p != end) {
      uint64_t ends = code_ends(p, std::min<size_t>(static_cast<size_t>(end - p), kCodesAtOnce));
      const uint8_t* next = p + (64 - std::countl_zero(ends));
      uint32_t docs = batch->docs;
      uint32_t positions = batch->positions;
      uint32_t begin = 0;
      do {
        const auto last = static_cast<uint32_t>(std::countr_zero(ends));
        ends &= ends - 1;
        const uint32_t code = load_code(p + begin, last - begin);
        begin = last + 1;
        put(code, docs, positions);
        docs += code & 1;
        positions += ~code & 1;
      } while (ends != 0);
      batch->docs = docs;
      batch->positions = positions;
      sink->settle_batch();
      p = next;
    }
  }

 private:
  // Both places are written, only one of them will be counted.
  [[gnu::always_inline]] inline void put(uint32_t code, uint32_t docs, uint32_t positions) {
    batch->position_deltas[positions] = code >> 1;
    batch->deltas[docs] = code >> 1;
    batch->starts[docs] = positions;
  }
};

}  // namespace postern::invert::detail
