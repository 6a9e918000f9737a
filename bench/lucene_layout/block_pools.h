// Byte pool and int pool: lists of equal, zero-filled blocks, addressed through the whole pool
// (docs/formats/01 §2). A RamCounter, which may be shared by several pools, is charged per block.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lucene_layout/array_growth.h"
#include "postern/error.h"

namespace postern::lucene_layout {

struct RamCounter {
  uint64_t bytes = 0;
};

template <class T, uint32_t kShift>
class BlockPool {
 public:
  static constexpr uint32_t kBlockSize = 1u << kShift;  // elements
  static constexpr uint32_t kBlockMask = kBlockSize - 1;
  // Addresses are signed 32-bit in Lucene, so 2^31 of them exist.
  static constexpr uint32_t kMaxBlocks = 1u << (31 - kShift);

  // `counter` must outlive the pool.
  explicit BlockPool(RamCounter& counter, uint32_t max_blocks = kMaxBlocks)
      : counter_(counter), max_blocks_(max_blocks) {
    blocks_.reserve(10);
  }
  ~BlockPool() { reset(false, false); }
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  T* at(uint32_t address) { return blocks_[address >> kShift].get() + (address & kBlockMask); }
  const T* at(uint32_t address) const {
    return blocks_[address >> kShift].get() + (address & kBlockMask);
  }
  // Elements handed out or skipped at block ends: the next free address.
  uint64_t position() const { return uint64_t{blocks_.size()} * kBlockSize - free_in_block(); }
  uint32_t free_in_block() const { return kBlockSize - upto_; }
  size_t block_count() const { return blocks_.size(); }

  // Throws LimitExceeded when the addresses are used up; the pool is unchanged then.
  void next_block() {
    if (blocks_.size() == max_blocks_) {
      throw LimitExceeded("pool overflow: all " + std::to_string(max_blocks_) + " blocks of " +
                          std::to_string(kBlockSize) + " elements are in use");
    }
    if (blocks_.size() == blocks_.capacity()) {
      blocks_.reserve(grown_size(static_cast<uint32_t>(blocks_.size()) + 1, 4));
    }
    blocks_.push_back(std::make_unique<T[]>(kBlockSize));
    counter_.bytes += kBlockSize * sizeof(T);
    upto_ = 0;
  }

  // `n` (<= kBlockSize) adjacent elements of one block; takes a new block if the current one has
  // fewer than `room` left. Returns their address.
  uint32_t allocate(uint32_t n, uint32_t room) {
    if (free_in_block() < room) next_block();
    auto address = static_cast<uint32_t>(blocks_.size() - 1) * kBlockSize + upto_;
    upto_ += n;
    return address;
  }
  uint32_t allocate(uint32_t n) { return allocate(n, n); }

  // Gives all blocks back, or all but the first, which is zeroed if `zero_fill`.
  void reset(bool zero_fill, bool reuse_first) {
    size_t keep = reuse_first && !blocks_.empty() ? 1 : 0;
    counter_.bytes -= (blocks_.size() - keep) * kBlockSize * sizeof(T);
    uint32_t dirty = blocks_.size() > 1 ? kBlockSize : upto_;
    blocks_.resize(keep);
    if (keep == 1 && zero_fill) std::memset(blocks_[0].get(), 0, dirty * sizeof(T));
    upto_ = keep == 1 ? 0 : kBlockSize;
  }

 private:
  RamCounter& counter_;
  uint32_t max_blocks_;
  std::vector<std::unique_ptr<T[]>> blocks_;
  uint32_t upto_ = kBlockSize;  // a pool without blocks is "full"
};

using IntPool = BlockPool<uint32_t, 13>;

class BytePool : public BlockPool<uint8_t, 15> {
 public:
  using BlockPool::BlockPool;

  // Appends across block borders.
  void append(std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
      if (free_in_block() == 0) next_block();
      auto n = std::min<size_t>(bytes.size(), free_in_block());
      std::memcpy(at(allocate(static_cast<uint32_t>(n))), bytes.data(), n);
      bytes = bytes.subspan(n);
    }
  }
  // Appends a range of another pool.
  void append(const BytePool& from, uint64_t start, uint64_t length) {
    while (length > 0) {
      std::span<const uint8_t> piece = from.contiguous(start, length);
      append(piece);
      start += piece.size();
      length -= piece.size();
    }
  }
  void read(uint64_t start, std::span<uint8_t> out) const {
    while (!out.empty()) {
      std::span<const uint8_t> piece = contiguous(start, out.size());
      std::memcpy(out.data(), piece.data(), piece.size());
      out = out.subspan(piece.size());
      start += piece.size();
    }
  }
  // The part of [start, start + length) that lies in start's block. Valid until reset.
  std::span<const uint8_t> contiguous(uint64_t start, uint64_t length) const {
    auto address = static_cast<uint32_t>(start);
    return {at(address), std::min<uint64_t>(length, kBlockSize - (address & kBlockMask))};
  }
};

}  // namespace postern::lucene_layout
