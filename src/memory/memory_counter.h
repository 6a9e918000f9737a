// Counts the bytes one document buffer holds. Everything that grows with documents is charged here;
// the flush decision (docs/formats/02) reads it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace postern::memory {

// Belongs to one thread.
class MemoryCounter {
 public:
  void add(uint64_t bytes) {
    bytes_ += bytes;
    peak_ = std::max(peak_, bytes_);
  }
  void sub(uint64_t bytes) {
    assert(bytes <= bytes_);
    bytes_ -= bytes;
  }
  uint64_t bytes() const { return bytes_; }
  // The highest bytes() since the start or the last reset_peak.
  uint64_t peak() const { return peak_; }
  void reset_peak() { peak_ = bytes_; }

 private:
  uint64_t bytes_ = 0;
  uint64_t peak_ = 0;
};

}  // namespace postern::memory
