// Reads a term's stream code by code; for the kinds that mix codes with other bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/byte_buffer.h"
#include "memory/slices.h"

namespace postern::invert {

class SliceReader {
 public:
  SliceReader(const memory::BytePool& pool, uint32_t first, uint32_t head)
      : walk_(pool, first, head), p_(walk_.data()), end_(p_ + walk_.size()) {}
  // From a byte that mark() told on.
  SliceReader(const memory::BytePool& pool, const memory::SliceMark& mark, uint32_t head)
      : walk_(pool, mark.slice, head, mark.level),
        p_(walk_.data() + mark.offset),
        end_(walk_.data() + walk_.size()) {}

  // The byte to be read next.
  memory::SliceMark mark() const { return walk_.mark(static_cast<size_t>(p_ - walk_.data())); }

  bool at_end() {
    if (p_ != end_) return false;
    if (walk_.last()) return true;
    advance();
    return false;
  }
  uint64_t read_code() {
    uint64_t v = 0;
    for (uint32_t shift = 0;; shift += 7) {
      if (p_ == end_) advance();
      uint8_t b = *p_++;
      v |= uint64_t{b & 0x7fu} << shift;
      if (b < 0x80) return v;
    }
  }
  void skip(size_t n) {
    for (;;) {
      const size_t k = std::min(n, static_cast<size_t>(end_ - p_));
      p_ += k;
      n -= k;
      if (n == 0) return;
      advance();
    }
  }
  // A view of the pool where the bytes lie together, else of `scratch`.
  std::span<const uint8_t> read_bytes(size_t n, ByteBuffer& scratch) {
    if (static_cast<size_t>(end_ - p_) >= n) {
      p_ += n;
      return {p_ - n, n};
    }
    scratch.clear();
    for (size_t left = n; left > 0;) {
      if (p_ == end_) advance();
      size_t k = std::min(left, static_cast<size_t>(end_ - p_));
      scratch.write(p_, k);
      p_ += k;
      left -= k;
    }
    return scratch.bytes();
  }

 private:
  // Every slice but the first has data, so one step is enough.
  void advance() {
    walk_.next();
    p_ = walk_.data();
    end_ = p_ + walk_.size();
  }

  memory::SliceWalk walk_;
  const uint8_t* p_;
  const uint8_t* end_;
};

}  // namespace postern::invert
