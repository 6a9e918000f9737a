// Hash of a field name: of keys of documents, which anyone may choose, so it is seeded anew in each
// process. Nothing that is written depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

namespace postern::opensearch {

inline uint64_t name_seed() {
  static const uint64_t seed = [] {
    std::random_device device;
    return (uint64_t{device()} << 32 | device()) | 1;
  }();
  return seed;
}

inline uint64_t hash_name(std::string_view name) {
  auto mix = [](uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  const uint64_t seed = name_seed();
  uint64_t hash = seed ^ name.size();
  const char* p = name.data();
  size_t left = name.size();
  for (; left >= 8; p += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    hash = mix(hash ^ word, kOdd ^ seed);
  }
  uint64_t word = 0;
  std::memcpy(&word, p, left);
  return mix(hash ^ word, kOdd ^ seed);
}

}  // namespace postern::opensearch
