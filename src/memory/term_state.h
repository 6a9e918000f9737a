// What is kept of one term, in half a cache line. Offset, size, field:
//
//  0  4  head: address of the next byte of the term's stream in the slice pool
//  4  2  left: free bytes of the current slice
//  6  1  level of the current slice
//  7  1  length of the term; 255 = two bytes before the text in its pool tell it
//  8  4  last document, plus 1; 0 = none yet
// 12  4  last position; in fields with frequencies but no positions: frequency in last document
// 16  8  kInline: bytes 0-7 of the term, zero padded
//        else: 4 bytes address of the text, 4 bytes unused
// 24  8  kInline, length <= 16: bytes 8-15, zero padded
//        kInline, longer: 4 bytes address of the whole text in the term pool, 4 bytes hash
//        else: 4 bytes unused, 4 bytes hash
#pragma once

#include <cstdint>

namespace postern::memory {

struct alignas(32) TermState {
  uint32_t head;
  uint16_t left;
  uint8_t level;
  uint8_t length_code;
  uint32_t last_doc_plus_1;
  uint32_t last_position;
  uint64_t text[2];
};
static_assert(sizeof(TermState) == 32);

// Terms up to this length live in the state in kInline.
inline constexpr uint32_t kInlineBytes = 16;
// length_code of terms whose length stands in the pool.
inline constexpr uint32_t kLongTerm = 255;

}  // namespace postern::memory
