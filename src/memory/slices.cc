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

// Every slice but the first has room for a whole code behind the bytes that move to it.
static_assert(kSliceSize[1] >= kSliceLink + sizeof(uint64_t));

void append_code_fallback(BytePool& pool, TermState& state, uint64_t bits, uint32_t n) {
  const uint32_t left = state.left;
  uint8_t* to = pool.at(state.head);
  store_le(to, load_le<uint64_t>(to) | (bits & ((uint64_t{1} << 8 * left) - 1)));
  const uint32_t level = next_slice_level(state.level);
  const uint32_t address = pool.take(kSliceSize[level]);
  uint8_t* link = to + left - kSliceLink;
  uint8_t* fresh = pool.at(address);
  store_le(fresh, load_le<uint32_t>(link));
  store_le(fresh + kSliceLink, bits >> 8 * left);
  store_le(link, address);
  const uint32_t used = kSliceLink + n - left;
  state.head = address + used;
  state.left = static_cast<uint16_t>(kSliceSize[level] - used);
  state.level = static_cast<uint8_t>(level);
}

}  // namespace postern::memory
