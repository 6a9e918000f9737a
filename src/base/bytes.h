// Loads and stores of fixed width, with the byte order in the name. Addresses need no alignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace postern {

static_assert(std::endian::native == std::endian::little, "postern runs on little-endian machines");

template <class T>
inline T load_le(const void* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
inline void store_le(void* p, T v) {
  std::memcpy(p, &v, sizeof v);
}
inline uint32_t load_be32(const void* p) { return __builtin_bswap32(load_le<uint32_t>(p)); }
inline uint64_t load_be64(const void* p) { return __builtin_bswap64(load_le<uint64_t>(p)); }
inline void store_be32(void* p, uint32_t v) { store_le(p, __builtin_bswap32(v)); }
inline void store_be64(void* p, uint64_t v) { store_le(p, __builtin_bswap64(v)); }

// Significant bits of v; 0 for 0.
inline uint32_t bit_length(uint64_t v) { return static_cast<uint32_t>(std::bit_width(v)); }

inline uint32_t zigzag32(int32_t v) {
  return (static_cast<uint32_t>(v) << 1) ^ static_cast<uint32_t>(v >> 31);
}
inline uint64_t zigzag64(int64_t v) {
  return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63);
}
inline int32_t unzigzag32(uint32_t v) { return static_cast<int32_t>((v >> 1) ^ (0u - (v & 1))); }
inline int64_t unzigzag64(uint64_t v) { return static_cast<int64_t>((v >> 1) ^ (0ull - (v & 1))); }

}  // namespace postern
