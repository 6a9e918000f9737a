#include "memory/grow_array.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "memory/pages.h"

namespace postern::memory {

namespace {

constexpr size_t kCacheLine = 64;

size_t round_to_pages(size_t bytes) { return (bytes + kHugePage - 1) & ~(kHugePage - 1); }

uint8_t* map_huge(size_t bytes) {
  uint8_t* p = map_pages(bytes);
  if (p == nullptr) throw std::bad_alloc();
  prefer_huge_pages(p, bytes);
  return p;
}

uint8_t* allocate_small(size_t bytes) {
  void* p = std::aligned_alloc(std::min(bytes, kCacheLine), bytes);
  if (p == nullptr) throw std::bad_alloc();
  return static_cast<uint8_t*>(p);
}

}  // namespace

uint64_t GrowBytes::charge_of(size_t bytes) {
  if (bytes < kMapFrom) {
    const size_t capacity = std::bit_ceil(bytes < 16 ? size_t{16} : bytes);
    if (capacity < kMapFrom) return capacity + kHeapOverhead;
  }
  return round_to_pages(bytes + bytes / 8);
}

void GrowBytes::grow(size_t bytes, size_t used) {
  if (bytes <= capacity_) return;
  if (bytes < kMapFrom) {
    size_t capacity = std::bit_ceil(bytes < 16 ? size_t{16} : bytes);
    if (capacity < kMapFrom) {
      uint8_t* p = allocate_small(capacity);
      if (used != 0) std::memcpy(p, data_, used);
      release();
      data_ = p;
      capacity_ = capacity;
      counter_->add(capacity + kHeapOverhead);
      return;
    }
  }
  size_t capacity = round_to_pages(bytes + bytes / 8);
  if (mapped()) {
    uint8_t* p = grow_pages(data_, capacity_, capacity);
    if (p == nullptr) throw std::bad_alloc();
    data_ = p;
    counter_->add(capacity - capacity_);
  } else {
    uint8_t* p = map_huge(capacity);
    if (used != 0) std::memcpy(p, data_, used);
    release();
    data_ = p;
    counter_->add(capacity);
  }
  capacity_ = capacity;
}

void GrowBytes::assign_zero(size_t bytes) {
  release();
  if (bytes < kMapFrom) {
    size_t capacity = std::bit_ceil(bytes < 16 ? size_t{16} : bytes);
    if (capacity < kMapFrom) {
      data_ = allocate_small(capacity);
      std::memset(data_, 0, capacity);
      capacity_ = capacity;
      counter_->add(capacity + kHeapOverhead);
      return;
    }
  }
  size_t capacity = round_to_pages(bytes);
  data_ = map_huge(capacity);
  capacity_ = capacity;
  counter_->add(capacity);
}

void GrowBytes::release() {
  if (data_ == nullptr) return;
  if (mapped()) {
    unmap_pages(data_, capacity_);
    counter_->sub(capacity_);
  } else {
    std::free(data_);
    counter_->sub(capacity_ + kHeapOverhead);
  }
  data_ = nullptr;
  capacity_ = 0;
}

}  // namespace postern::memory
