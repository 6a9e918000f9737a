// MurmurHash3 x86_32 (public domain, Austin Appleby), the hash of Lucene's term hash.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace postern::lucene_layout {

inline uint32_t murmur3(std::span<const uint8_t> bytes, uint32_t seed) {
  auto scramble = [](uint32_t k) { return std::rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
  const uint8_t* p = bytes.data();
  size_t n = bytes.size();
  uint32_t h = seed;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    h = std::rotl(h ^ scramble(load_le<uint32_t>(p + i)), 13) * 5 + 0xe6546b64u;
  }
  if (i < n) {
    uint32_t k = 0;
    for (size_t j = n; j > i; --j) k = k << 8 | p[j - 1];
    h ^= scramble(k);
  }
  h ^= static_cast<uint32_t>(n);
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

}  // namespace postern::lucene_layout
