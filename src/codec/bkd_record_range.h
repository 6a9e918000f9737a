// Records of a points tree (base/point_record.h) as the sorters of bkd_sort.cc handle them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/point_record.h"
#include "codec/points_format.h"

namespace postern::codec {

inline constexpr size_t kMaxBkdStride =
    point_record_size(size_t{kMaxPointDimensions} * kMaxPointBytes);

// Records of kStride bytes (0: of `stride` bytes).
template <size_t kStride>
class BkdRecordRange {
 public:
  BkdRecordRange(uint8_t* records, size_t stride) : records_(records), stride_(stride) {}

  size_t stride() const { return kStride != 0 ? kStride : stride_; }
  uint8_t* at(size_t i) const { return records_ + i * stride(); }
  void copy(uint8_t* to, const uint8_t* from) const { std::memcpy(to, from, stride()); }
  void exchange(size_t i, size_t j) const {
    if (i == j) return;
    Record held;
    copy(held, at(i));
    copy(at(i), at(j));
    copy(at(j), held);
  }

  // Keeps the order of what is equal.
  template <class Less>
  void insertion_sort(size_t from, size_t to, Less less) const {
    Record held;
    for (size_t i = from + 1; i < to; ++i) {
      if (!less(at(i), at(i - 1))) continue;
      copy(held, at(i));
      size_t place = i;
      do {
        copy(at(place), at(place - 1));
        --place;
      } while (place > from && less(held, at(place - 1)));
      copy(at(place), held);
    }
  }

 private:
  using Record = uint8_t[kStride != 0 ? kStride : kMaxBkdStride];

  uint8_t* records_;
  size_t stride_;
};

}  // namespace postern::codec
