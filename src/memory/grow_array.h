// Arrays that may stay tiny in a hundred thousand fields or grow to hundreds of megabytes in one.
// Small ones live on the heap and double; from 1 MB on they live in pages of their own, grow by an
// eighth, and growing moves page tables, not bytes. All of it is charged to a counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "memory/memory_counter.h"

namespace postern::memory {

// The bytes behind a GrowArray; records whose size is a power of two never cross a cache line.
class GrowBytes {
 public:
  explicit GrowBytes(MemoryCounter& counter) : counter_(&counter) {}
  ~GrowBytes() { release(); }
  GrowBytes(const GrowBytes&) = delete;
  GrowBytes& operator=(const GrowBytes&) = delete;
  void swap(GrowBytes& other) noexcept {
    std::swap(counter_, other.counter_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }

  // What the counter is charged for `bytes` that grow() makes room for in one step.
  static uint64_t charge_of(size_t bytes);

  uint8_t* data() const { return data_; }
  size_t capacity() const { return capacity_; }
  // Makes room for `bytes`, keeping the first `used`. The rest is unspecified.
  // Throws std::bad_alloc, and then nothing has changed.
  void grow(size_t bytes, size_t used);
  // Exchanges the content for `bytes` of zeroes. The old memory is freed first.
  void assign_zero(size_t bytes);
  void release();

 private:
  static constexpr size_t kMapFrom = size_t{1} << 20;
  // What the heap adds to a block.
  static constexpr size_t kHeapOverhead = 16;

  bool mapped() const { return capacity_ >= kMapFrom; }

  MemoryCounter* counter_;
  uint8_t* data_ = nullptr;
  size_t capacity_ = 0;
};

template <class T>
class GrowArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit GrowArray(MemoryCounter& counter) : bytes_(counter) {}

  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_.data()); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t capacity() const { return bytes_.capacity() / sizeof(T); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  std::span<const T> span() const { return {data(), size_}; }

  void push_back(const T& value) {
    if (size_ == capacity()) bytes_.grow((size_ + 1) * sizeof(T), size_ * sizeof(T));
    data()[size_++] = value;
  }
  void reserve(size_t n) {
    if (n > capacity()) bytes_.grow(n * sizeof(T), size_ * sizeof(T));
  }
  // New elements are unspecified.
  void resize(size_t n) {
    reserve(n);
    size_ = n;
  }
  void clear() { size_ = 0; }
  void release() {
    bytes_.release();
    size_ = 0;
  }

 private:
  GrowBytes bytes_;
  size_t size_ = 0;
};

}  // namespace postern::memory
