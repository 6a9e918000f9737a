// The hash of a term: a multiply-and-fold mix of its bytes, eight at a time, seeded so that nobody
// can choose terms that collide.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/bytes.h"

namespace postern::memory {

// Bytes that must be readable behind a term: it is loaded in whole words.
inline constexpr size_t kTermSlack = 16;

// The random seed of this process.
uint64_t process_hash_seed();

// The first 16 bytes of a term, zero padded.
struct TermWords {
  uint64_t w0;
  uint64_t w1;
};

namespace detail {

constexpr std::array<TermWords, 17> word_masks() {
  std::array<TermWords, 17> masks{};
  for (size_t n = 0; n <= 16; ++n) {
    masks[n].w0 = n >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * n)) - 1;
    masks[n].w1 = n >= 16 ? ~uint64_t{0} : n <= 8 ? 0 : (uint64_t{1} << (8 * (n - 8))) - 1;
  }
  return masks;
}
inline constexpr std::array<TermWords, 17> kWordMasks = word_masks();

}  // namespace detail

// Reads 16 bytes at `bytes`, whatever the length.
inline TermWords load_term_words(const uint8_t* bytes, uint32_t length) {
  const TermWords& mask = detail::kWordMasks[std::min<uint32_t>(length, 16)];
  return {load_le<uint64_t>(bytes) & mask.w0, load_le<uint64_t>(bytes + 8) & mask.w1};
}

// The n <= 8 bytes at p as a little-endian word, zero padded. Reads 8 bytes.
inline uint64_t load_padded(const uint8_t* p, size_t n) {
  return load_le<uint64_t>(p) & detail::kWordMasks[std::min<size_t>(n, 8)].w0;
}

inline uint64_t fold_multiply(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// `words`: load_term_words(bytes, length). Reads up to 7 bytes behind a term longer than 16.
inline uint32_t hash_term(const uint8_t* bytes, uint32_t length, TermWords words, uint64_t seed) {
  uint64_t h = fold_multiply(words.w0 ^ seed ^ 0xa0761d6478bd642full,
                             words.w1 ^ (seed >> 1) ^ 0xe7037ed1a0b428dbull ^ length);
  for (uint32_t i = 16; i < length; i += 8) {
    h = fold_multiply(h ^ load_padded(bytes + i, length - i), 0x8ebc6af09c88c6e3ull);
  }
  return static_cast<uint32_t>(h) ^ static_cast<uint32_t>(h >> 32);
}

}  // namespace postern::memory
