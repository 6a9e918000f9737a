#include "codec/bkd_sort.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.h"
#include "base/point_record.h"

namespace postern::codec {
namespace {

constexpr size_t kMaxStride = point_record_size(size_t{kMaxPointDimensions} * kMaxPointBytes);
// Ranges up to this long are sorted by insertion.
constexpr size_t kInsertion = 32;

// A record's key is up to three runs of its bytes: the dimension, the rest of the order, and the
// whole record. Digit k of the key is one byte.
struct Key {
  size_t dimension_at;
  size_t dimension_bytes;
  size_t rest_at;  // up to the end of the record
  size_t stride;

  size_t ordered() const { return dimension_bytes + stride - rest_at; }
  size_t digits() const { return ordered() + stride; }
  // Where digit k lies in the record.
  size_t offset(size_t k) const {
    if (k < dimension_bytes) return dimension_at + k;
    if (k < ordered()) return rest_at + k - dimension_bytes;
    return k - ordered();
  }
};

// The algorithms for records of kStride bytes (0: of key.stride bytes). With one dimension the key
// is simply the record.
template <size_t kStride, bool kOneDimension>
class Sorter {
 public:
  Sorter(uint8_t* records, const Key& key) : records_(records), key_(key) {}

  // Most significant digit first: each level puts the records of [from, to), equal before digit k,
  // into the buckets of one digit and goes on inside them. The depth is bounded by the key.
  void sort(size_t from, size_t to, size_t k) {
    if (to - from <= kInsertion) {
      insertion_sort(from, to);
      return;
    }
    if (is_sorted(from, to)) return;
    k = first_difference(from, to, k);
    std::array<size_t, 257> ends;
    distribute(from, to, key_offset(k), ends);
    for (size_t bucket = 0; bucket < 256; ++bucket) {
      if (ends[bucket + 1] - ends[bucket] > 1) sort(ends[bucket], ends[bucket + 1], k + 1);
    }
  }

  void select(size_t from, size_t to, size_t middle) {
    size_t k = 0;
    while (to - from > kInsertion) {
      k = first_difference(from, to, k);
      if (k == digits()) return;
      const size_t offset = key_offset(k);
      std::array<size_t, 256> counts{};
      for (size_t i = from; i < to; ++i) ++counts[at(i)[offset]];
      size_t below = from;
      size_t bucket = 0;
      while (below + counts[bucket] <= middle) below += counts[bucket++];
      const size_t end = below + counts[bucket];
      partition(from, below, end, to, offset, static_cast<uint8_t>(bucket));
      from = below;
      to = end;
      ++k;
    }
    insertion_sort(from, to);
  }

 private:
  size_t stride() const { return kStride != 0 ? kStride : key_.stride; }
  size_t digits() const { return kOneDimension ? stride() : key_.digits(); }
  size_t key_offset(size_t k) const { return kOneDimension ? k : key_.offset(k); }
  uint8_t* at(size_t i) const { return records_ + i * stride(); }
  void copy(uint8_t* to, const uint8_t* from) const { std::memcpy(to, from, stride()); }

  bool less(const uint8_t* a, const uint8_t* b) const {
    if constexpr (kOneDimension) {
      if constexpr (kStride >= 8) {
        const uint64_t x = load_be64(a);
        const uint64_t y = load_be64(b);
        if (kStride == 8 || x != y) return x < y;
        if constexpr (kStride == 12) return load_be32(a + 8) < load_be32(b + 8);
      }
      return std::memcmp(a, b, stride()) < 0;
    } else {
      if (int c = std::memcmp(a + key_.dimension_at, b + key_.dimension_at, key_.dimension_bytes))
        return c < 0;
      if (int c = std::memcmp(a + key_.rest_at, b + key_.rest_at, stride() - key_.rest_at))
        return c < 0;
      return std::memcmp(a, b, stride()) < 0;
    }
  }

  bool is_sorted(size_t from, size_t to) const {
    for (size_t i = from + 1; i < to; ++i)
      if (less(at(i), at(i - 1))) return false;
    return true;
  }

  void insertion_sort(size_t from, size_t to) const {
    uint8_t held[kStride != 0 ? kStride : kMaxStride];
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

  // The first digit from k on in which the records of the range differ; digits() if there is none.
  size_t first_difference(size_t from, size_t to, size_t k) const {
    const uint8_t* first = at(from);
    size_t common = digits();
    for (size_t i = from + 1; i < to && common > k; ++i) {
      const uint8_t* record = at(i);
      size_t d = k;
      while (d < common && record[key_offset(d)] == first[key_offset(d)]) ++d;
      common = d;
    }
    return common;
  }

  // Orders the range by one byte, in cycles of exchanges (American flag sort). Bucket b becomes
  // [ends[b], ends[b + 1]).
  void distribute(size_t from, size_t to, size_t offset, std::array<size_t, 257>& ends) const {
    std::array<size_t, 256> next{};
    for (size_t i = from; i < to; ++i) ++next[at(i)[offset]];
    ends[0] = from;
    for (size_t bucket = 0; bucket < 256; ++bucket) {
      ends[bucket + 1] = ends[bucket] + next[bucket];
      next[bucket] = ends[bucket];
    }
    auto digit_of = [=](const uint8_t* record) { return size_t{record[offset]}; };
    for (size_t bucket = 0; bucket < 256; ++bucket) {
      for (; next[bucket] < ends[bucket + 1]; ++next[bucket])
        send_home(next[bucket], bucket, next, digit_of);
    }
  }

  // Records with a smaller byte than `pivot` go to [from, below), equal ones to [below, end), the
  // others behind; the caller has counted them. Only records out of place move, each of them once.
  void partition(size_t from, size_t below, size_t end, size_t to, size_t offset,
                 uint8_t pivot) const {
    std::array<size_t, 3> next{from, below, end};
    const std::array<size_t, 3> ends{below, end, to};
    auto part_of = [=](const uint8_t* record) {
      return size_t{record[offset] >= pivot} + size_t{record[offset] > pivot};
    };
    for (size_t part = 0; part < 3; ++part) {
      for (; next[part] < ends[part]; ++next[part]) send_home(next[part], part, next, part_of);
    }
  }

  // If the record at `i` does not belong to bucket `home`, exchanges it with the one at the next
  // place of its bucket, and so on until one comes that does.
  template <size_t kBuckets, class BucketOf>
  void send_home(size_t i, size_t home, std::array<size_t, kBuckets>& next,
                 BucketOf bucket_of) const {
    size_t bucket = bucket_of(at(i));
    if (bucket == home) return;
    uint8_t held[kStride != 0 ? kStride : kMaxStride];
    uint8_t evicted[kStride != 0 ? kStride : kMaxStride];
    copy(held, at(i));
    do {
      uint8_t* place = at(next[bucket]++);
      copy(evicted, place);
      copy(place, held);
      copy(held, evicted);
      bucket = bucket_of(held);
    } while (bucket != home);
    copy(at(i), held);
  }

  uint8_t* records_;
  Key key_;
};

// Calls f with the Sorter made for the shape.
template <class F>
void with_sorter(const BkdShape& shape, uint8_t* records, uint32_t dimension, F f) {
  const size_t stride = point_record_size(shape.value_bytes());
  const Key key{size_t{dimension} * shape.bytes, shape.bytes, shape.index_bytes(), stride};
  if (shape.dimensions == 1) {
    if (stride == 8) return f(Sorter<8, true>(records, key));
    if (stride == 12) return f(Sorter<12, true>(records, key));
    return f(Sorter<0, true>(records, key));
  }
  if (stride == 12) return f(Sorter<12, false>(records, key));
  if (stride == 20) return f(Sorter<20, false>(records, key));
  if (stride == 36) return f(Sorter<36, false>(records, key));
  return f(Sorter<0, false>(records, key));
}

}  // namespace

BkdRecords::BkdRecords(const BkdShape& shape, uint8_t* records)
    : shape_(shape), records_(records), stride_(point_record_size(shape.value_bytes())) {}

void BkdRecords::sort(size_t from, size_t to, uint32_t dimension) {
  with_sorter(shape_, records_, dimension, [=](auto sorter) { sorter.sort(from, to, 0); });
}

void BkdRecords::select(size_t from, size_t to, size_t middle, uint32_t dimension) {
  with_sorter(shape_, records_, dimension, [=](auto sorter) { sorter.select(from, to, middle); });
}

}  // namespace postern::codec
