// A stream of bytes in a byte pool, cut into slices of growing size (docs/formats/01 §2.1).
//
//   last slice        | data (size - 1)  | 16 | level |
//   any other slice   | data (size - 4)  | address of the next slice, 4 bytes little-endian |
//
// Bytes that were not written are 0, so that meeting another value is meeting the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "base/bytes.h"
#include "lucene_layout/block_pools.h"
#include "postern/error.h"

namespace postern::lucene_layout {

inline constexpr uint32_t kSliceSizes[10] = {5, 14, 20, 30, 40, 40, 80, 80, 120, 200};
inline constexpr uint32_t kNextLevel[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 9};
inline constexpr uint32_t kFirstSliceSize = kSliceSizes[0];

// A first slice of any size up to a block. Throws InvalidArgument for more, LimitExceeded when the
// pool is full.
inline uint32_t new_slice(BytePool& pool, uint32_t size) {
  if (size > BytePool::kBlockSize) {
    throw InvalidArgument("a slice of " + std::to_string(size) + " bytes exceeds a block of " +
                          std::to_string(BytePool::kBlockSize));
  }
  uint32_t address = pool.allocate(size);
  pool.at(address)[size - 1] = 16;
  return address;
}

struct SliceTail {
  uint32_t head;  // where writing goes on
  uint32_t room;  // bytes before the end mark
};

// Replaces the full slice whose end mark is at `mark` by one of the next level.
inline SliceTail extend_slice(BytePool& pool, uint32_t mark) {
  uint8_t* old_end = pool.at(mark);
  uint32_t level = kNextLevel[*old_end & 15];
  uint32_t size = kSliceSizes[level];
  uint32_t address = pool.allocate(size);
  uint8_t* p = pool.at(address);
  std::memcpy(p, old_end - 3, 3);
  store_le(old_end - 3, address);
  p[size - 1] = static_cast<uint8_t>(16 | level);
  return {address + 3, size - 4};
}

// `head` is the address of the next byte to write.
inline void write_byte(BytePool& pool, uint32_t& head, uint8_t value) {
  uint8_t* p = pool.at(head);
  if (*p != 0) {
    head = extend_slice(pool, head).head;
    p = pool.at(head);
  }
  *p = value;
  ++head;
}

inline void write_vint(BytePool& pool, uint32_t& head, uint32_t value) {
  while (value >= 0x80) {
    write_byte(pool, head, static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  write_byte(pool, head, static_cast<uint8_t>(value));
}

inline void write_bytes(BytePool& pool, uint32_t& head, std::span<const uint8_t> bytes) {
  const uint8_t* from = bytes.data();
  size_t left = bytes.size();
  uint8_t* p = left > 0 ? pool.at(head) : nullptr;
  while (left > 0 && *p == 0) {
    *p++ = *from++;
    ++head;
    --left;
  }
  while (left > 0) {
    SliceTail tail = extend_slice(pool, head);
    head = tail.head;
    p = pool.at(head);
    size_t n = std::min<size_t>(left, tail.room);
    std::memcpy(p, from, n);
    from += n;
    left -= n;
    head += static_cast<uint32_t>(n);
  }
}

// Reads a stream from its first slice up to `end`, the stream's next write address.
class SliceReader {
 public:
  SliceReader(const BytePool& pool, uint32_t start, uint32_t end)
      : pool_(pool), end_(end), empty_(start == end) {
    open(start);
  }

  bool at_end() const { return empty_ || (last_ && cursor_ == limit_); }
  uint8_t read_byte() {
    if (cursor_ == limit_) open_next();
    return *cursor_++;
  }
  uint32_t read_vint() {
    uint32_t value = 0;
    for (uint32_t shift = 0;; shift += 7) {
      uint8_t b = read_byte();
      value |= static_cast<uint32_t>(b & 0x7f) << shift;
      if (b < 0x80) return value;
    }
  }

 private:
  void open(uint32_t start) {
    uint32_t size = kSliceSizes[level_];
    cursor_ = empty_ ? nullptr : pool_.at(start);
    last_ = start + size >= end_;
    limit_ = empty_ ? nullptr : cursor_ + (last_ ? end_ - start : size - 4);
  }
  void open_next() {
    level_ = kNextLevel[level_];
    open(load_le<uint32_t>(limit_));
  }

  const BytePool& pool_;
  uint32_t end_;
  bool empty_;
  bool last_ = false;
  uint32_t level_ = 0;
  const uint8_t* cursor_ = nullptr;
  const uint8_t* limit_ = nullptr;
};

}  // namespace postern::lucene_layout
