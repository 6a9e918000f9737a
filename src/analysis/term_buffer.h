// The term bytes of one group of tokens, one behind the other, with kTermPadding readable bytes
// behind the last. Addresses stay valid until clear().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "postern/analyzer.h"

namespace postern::analysis {

class TermBuffer {
 public:
  // A term of this many bytes always fits an empty buffer without growth.
  static constexpr size_t kSmallTerm = 4096;

  // So does one of `longest_term` bytes.
  explicit TermBuffer(size_t longest_term = 0) : initial_(8 * kSmallTerm + longest_term) {
    allocate(initial_);
  }

  void clear() {
    next_ = data_.get();
    if (fits(initial_ + kLargeTerm)) allocate(initial_);  // a giant value must not keep its memory
  }
  bool empty() const { return next_ == data_.get(); }
  // Whether a term of `bytes` fits, with what 16-byte stores write beyond it.
  bool fits(size_t bytes) const { return bytes <= static_cast<size_t>(end_ - next_); }
  // Makes room for `bytes`. Only while no token points into the buffer.
  void grow(size_t bytes) {
    if (!fits(bytes)) allocate(bytes);
  }

  uint8_t* next() { return next_; }
  // `to` is the address behind the term written at next().
  void advance(uint8_t* to) { next_ = to; }

 private:
  static constexpr size_t kLargeTerm = size_t{1} << 20;

  void allocate(size_t bytes) {
    constexpr size_t kSlack = kTermPadding + 16;
    data_ = std::make_unique<uint8_t[]>(bytes + kSlack);
    next_ = data_.get();
    end_ = next_ + bytes;
  }

  size_t initial_;
  std::unique_ptr<uint8_t[]> data_;
  uint8_t* next_ = nullptr;
  uint8_t* end_ = nullptr;  // kSlack bytes lie behind it
};

}  // namespace postern::analysis
