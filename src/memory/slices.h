// Byte streams in a pool, each a chain of slices that grow with the stream (docs/formats/01 §2.1,
// without end marks: the state counts what is left).
//
// Sizes are 5 14 20 30 40 40 80 80 120 200 200 ...; bytes not yet written are zero. A full slice
// moves its last four bytes to the start of the next one and keeps that one's address in their
// place. So a slice of size s has s - 4 bytes of the stream once it has a successor, else up to s.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"
#include "memory/byte_pool.h"
#include "memory/prefetch.h"
#include "memory/term_state.h"

namespace postern::memory {

inline constexpr uint32_t kSliceLevels = 10;
inline constexpr uint16_t kSliceSize[kSliceLevels] = {5, 14, 20, 30, 40, 40, 80, 80, 120, 200};
inline constexpr uint32_t kSliceLink = 4;

constexpr uint32_t next_slice_level(uint32_t level) {
  return level + 1 < kSliceLevels ? level + 1 : level;
}

// Upper bound of the pool bytes that appending n bytes to any stream, or a new one, takes.
constexpr uint64_t max_slice_bytes(uint64_t n) {
  // Once the small levels are behind, 200 bytes carry 196; before, at most ten links are paid.
  return n + n / 48 + 256;
}

// Pool bytes of all slices of a stream of n bytes.
constexpr uint64_t slice_bytes_of_stream(uint64_t n) {
  uint64_t taken = kSliceSize[0];
  uint64_t room = kSliceSize[0];
  uint32_t level = 0;
  while (room < n) {
    level = next_slice_level(level);
    if (level == kSliceLevels - 1) {
      uint64_t fresh = kSliceSize[level] - kSliceLink;
      return taken + (n - room + fresh - 1) / fresh * kSliceSize[level];
    }
    taken += kSliceSize[level];
    room += kSliceSize[level] - kSliceLink;
  }
  return taken;
}

// Starts a stream; returns the address of its first slice.
inline uint32_t start_stream(BytePool& pool, TermState& state) {
  uint32_t address = pool.take(kSliceSize[0]);
  state.head = address;
  state.left = kSliceSize[0];
  state.level = 0;
  return address;
}

// Appends across the ends of slices.
void append_bytes(BytePool& pool, TermState& state, const uint8_t* bytes, size_t n);
void append_code_fallback(BytePool& pool, TermState& state, uint64_t bits, uint32_t n);

// Appends the low n <= 8 bytes of `bits`; the others must be zero.
inline void append_code(BytePool& pool, TermState& state, uint64_t bits, uint32_t n) {
  if (n > state.left) [[unlikely]] {
    append_code_fallback(pool, state, bits, n);
    return;
  }
  uint8_t* p = pool.at(state.head);
  // Bytes not yet written are zero, so what lies behind this slice stays as it is.
  store_le(p, load_le<uint64_t>(p) | bits);
  state.head += n;
  state.left = static_cast<uint16_t>(state.left - n);
}

// A byte of a stream: its slice, that slice's level, and the byte's offset in it.
struct SliceMark {
  uint32_t slice = 0;
  uint8_t level = 0;
  uint8_t offset = 0;
};
static_assert(kSliceSize[kSliceLevels - 1] <= 255);

// Walks the slices of the stream that starts at `first`, of level `level`, and ends before `head`.
class SliceWalk {
 public:
  SliceWalk(const BytePool& pool, uint32_t first, uint32_t head, uint32_t level = 0)
      : pool_(pool), address_(first), head_(head), level_(level) {
    open();
  }
  SliceMark mark(size_t offset) const {
    return {address_, static_cast<uint8_t>(level_), static_cast<uint8_t>(offset)};
  }
  const uint8_t* data() const { return pool_.at(address_); }
  // Bytes of the stream in this slice.
  uint32_t size() const { return size_; }
  bool last() const { return last_; }
  // The next slice; only if not last().
  void next() {
    address_ = next_;
    level_ = next_slice_level(level_);
    open();
  }

 private:
  void open() {
    uint32_t size = kSliceSize[level_];
    last_ = head_ - address_ <= size;
    if (last_) {
      size_ = head_ - address_;
      return;
    }
    size_ = size - kSliceLink;
    next_ = load_le<uint32_t>(pool_.at(address_ + size_));
    const uint8_t* p = pool_.at(next_);
    prefetch_read(p);
    if (size >= 40) prefetch_read(p + 64);
    if (size >= 80) prefetch_read(p + 128);
  }

  const BytePool& pool_;
  uint32_t address_;
  uint32_t head_;
  uint32_t next_ = 0;
  uint32_t size_ = 0;
  uint32_t level_;
  bool last_ = false;
};

}  // namespace postern::memory
