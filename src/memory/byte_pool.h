// A pool of bytes with 32-bit addresses. It never moves: up to 4 GiB of address space are reserved
// at once, and physical memory comes as it is touched. Freed only as a whole; reset keeps the
// memory, zeroed, for the next segment.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>

#include "memory/memory_counter.h"

namespace postern::memory {

// Readable and writable bytes behind the last one handed out, for whole-word access.
inline constexpr size_t kPoolSlack = 64;

class BytePool {
 public:
  // Addresses stay below `limit` (at most 2^32 - 1 MiB; lower where the system refuses that much
  // address space; 0 = a pool that is never used). `name` is for messages. Throws std::bad_alloc.
  BytePool(MemoryCounter& counter, uint64_t limit, std::string name);
  ~BytePool();
  BytePool(const BytePool&) = delete;
  BytePool& operator=(const BytePool&) = delete;

  uint8_t* at(uint32_t address) { return base_ + address; }
  const uint8_t* at(uint32_t address) const { return base_ + address; }

  // Address of the next n bytes, all zero. The caller has checked has_room.
  uint32_t take(uint32_t n) {
    uint64_t address = used_;
    used_ += n;
    if (used_ > committed_) commit();
    return static_cast<uint32_t>(address);
  }

  // Whether n more bytes can be handed out besides what is promised.
  bool has_room(uint64_t n) const { return used_ + promised_ + n <= limit_; }
  // Throws LimitExceeded, with nothing changed, if not. `what` says for whom.
  void require_room(uint64_t n, const std::string& what) const {
    if (!has_room(n)) throw_full(n, what);
  }
  // Keeps room for work that comes later; give the same n back to unpromise.
  void promise(uint64_t n) { promised_ += n; }
  void unpromise(uint64_t n) {
    assert(n <= promised_);
    promised_ -= n;
  }
  // Three quarters are used or promised.
  bool nearly_full() const { return limit_ != 0 && used_ + promised_ > limit_ - limit_ / 4; }

  uint64_t used() const { return used_; }
  uint64_t limit() const { return limit_; }

  // Forgets all content. The memory stays, zeroed and no longer charged.
  void reset();
  // Bytes kept from earlier segments and not used (nor charged) yet.
  uint64_t idle_bytes() const { return touched_ > committed_ ? touched_ - committed_ : 0; }
  // Returns the last `bytes` of them, or all, to the operating system.
  void release_idle(uint64_t bytes);

 private:
  void commit();
  [[noreturn]] void throw_full(uint64_t n, const std::string& what) const;

  MemoryCounter& counter_;
  uint8_t* base_ = nullptr;
  uint64_t used_ = 0;
  uint64_t committed_ = 0;  // charged; pages up to here may have been touched by this segment
  uint64_t touched_ = 0;    // pages up to here may be resident
  uint64_t promised_ = 0;
  uint64_t limit_;
  uint64_t reserved_ = 0;
  std::string name_;
};

}  // namespace postern::memory
