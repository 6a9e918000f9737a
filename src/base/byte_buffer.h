// A growing run of bytes in memory with the encodings of EncodedWriter. clear() keeps the memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "base/encoded_writer.h"

namespace postern {

class ByteBuffer : public EncodedWriter<ByteBuffer> {
 public:
  ByteBuffer() = default;
  explicit ByteBuffer(size_t capacity) { grow(capacity); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t capacity() const { return capacity_; }
  const uint8_t* data() const { return data_.get(); }
  uint8_t* data() { return data_.get(); }
  std::span<const uint8_t> bytes() const { return {data_.get(), size_}; }
  void clear() { size_ = 0; }
  // Drops or (with unspecified bytes) adds at the end.
  void resize(size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  // Frees the memory.
  void release() {
    data_.reset();
    size_ = capacity_ = 0;
  }

  // n writable bytes behind the end; counted only by advance.
  uint8_t* reserve(size_t n) {
    if (capacity_ - size_ < n) grow(size_ + n);
    return data_.get() + size_;
  }
  void advance(size_t n) { size_ += n; }
  void write(const uint8_t* p, size_t n) {
    if (n == 0) return;
    std::memcpy(reserve(n), p, n);
    size_ += n;
  }

 private:
  void grow(size_t at_least) {
    size_t capacity = std::max<size_t>({64, at_least, capacity_ + capacity_ / 2});
    auto bigger = std::make_unique_for_overwrite<uint8_t[]>(capacity);
    if (size_ != 0) std::memcpy(bigger.get(), data_.get(), size_);
    data_ = std::move(bigger);
    capacity_ = capacity;
  }

  std::unique_ptr<uint8_t[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace postern
