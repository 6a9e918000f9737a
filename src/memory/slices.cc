#include "memory/slices.h"

#include <cstring>

namespace postern::memory {

void append_bytes(BytePool& pool, TermState& state, const uint8_t* bytes, size_t n) {
  while (n > 0) {
    if (state.left == 0) {
      uint32_t level = next_slice_level(state.level);
      uint32_t size = kSliceSize[level];
      uint32_t address = pool.take(size);
      uint8_t* link = pool.at(state.head - kSliceLink);
      std::memcpy(pool.at(address), link, kSliceLink);
      store_le(link, address);
      state.level = static_cast<uint8_t>(level);
      state.head = address + kSliceLink;
      state.left = static_cast<uint16_t>(size - kSliceLink);
    }
    size_t k = std::min<size_t>(state.left, n);
    std::memcpy(pool.at(state.head), bytes, k);
    state.head += static_cast<uint32_t>(k);
    state.left = static_cast<uint16_t>(state.left - k);
    bytes += k;
    n -= k;
  }
}

void append_code_fallback(BytePool& pool, TermState& state, uint64_t bits, uint32_t n) {
  uint8_t bytes[8];
  store_le(bytes, bits);
  append_bytes(pool, state, bytes, n);
}

}  // namespace postern::memory
