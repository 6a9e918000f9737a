#include "codec/bkd_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/point_record.h"
#include "codec/bkd_dimension_sorter.h"
#include "codec/bkd_record_range.h"

namespace postern::codec {
namespace {

// With one dimension the key is the whole record, so that any way to sort gives one result.
template <size_t kStride>
class WholeRecordSorter : BkdRecordRange<kStride> {
  using Base = BkdRecordRange<kStride>;
  using Base::at, Base::stride;

 public:
  using Base::Base;

  // Most significant digit first: each level puts the records of [from, to), equal before digit k,
  // into the buckets of one digit and goes on inside them.
  void sort(size_t from, size_t to, size_t k) {
    const auto less = [this](const uint8_t* a, const uint8_t* b) { return this->less(a, b); };
    if (to - from <= kInsertion) return Base::insertion_sort(from, to, less);
    if (is_sorted(from, to)) return;
    if constexpr (kStride != 0) {
      if (to - from >= kStableMinimum && (to - from) * kStride <= kMaxStableSortBytes)
        return sort_from_last_digit(from, to);
    }
    k = first_difference(from, to, k);
    std::array<size_t, 257> ends;
    distribute(from, to, k, ends);
    for (size_t bucket = 0; bucket < 256; ++bucket) {
      if (ends[bucket + 1] - ends[bucket] > 1) sort(ends[bucket], ends[bucket + 1], k + 1);
    }
  }

 private:
  // Ranges up to this long are sorted by insertion.
  static constexpr size_t kInsertion = 32;
  // Ranges of fewer records gain nothing from a sort that counts each digit for all of them.
  static constexpr size_t kStableMinimum = 1024;

  // Least significant digit first, stably, with a second array: each digit costs one move. Digits
  // that are the same in all records are skipped, and so is the document if it ascends already.
  void sort_from_last_digit(size_t from, size_t to) {
    std::array<uint8_t, kStride> digits;
    const size_t digit_count = find_digits(from, to, digits);
    std::array<std::array<uint32_t, 256>, kStride> places{};
    for (size_t i = from; i < to; ++i) {
      for (size_t d = 0; d < digit_count; ++d) ++places[d][at(i)[digits[d]]];
    }
    const size_t n = to - from;
    if (scratch_ == nullptr)
      scratch_ = std::make_unique_for_overwrite<uint8_t[]>(kMaxStableSortBytes);
    uint8_t* source = at(from);
    uint8_t* target = scratch_.get();
    for (size_t d = 0; d < digit_count; ++d) {
      uint32_t sum = 0;
      for (uint32_t& place : places[d]) sum += std::exchange(place, sum);
      for (const uint8_t* record = source; record != source + n * kStride; record += kStride)
        Base::copy(target + size_t{places[d][record[digits[d]]]++} * kStride, record);
      std::swap(source, target);
    }
    if (source != at(from)) std::memcpy(target, source, n * kStride);
  }

  // The digits to sort by, the last first.
  size_t find_digits(size_t from, size_t to, std::array<uint8_t, kStride>& digits) const {
    static_assert(kStride % 4 == 0);
    constexpr size_t kValueBytes = kStride - kPointDocBytes;
    std::array<uint32_t, kStride / 4> differs{};
    bool docs_ascend = true;
    for (size_t i = from + 1; i < to; ++i) {
      for (size_t w = 0; w < differs.size(); ++w)
        differs[w] |= load_le<uint32_t>(at(i) + 4 * w) ^ load_le<uint32_t>(at(i - 1) + 4 * w);
      docs_ascend &=
          point_record_doc(at(i - 1), kValueBytes) <= point_record_doc(at(i), kValueBytes);
    }
    size_t count = 0;
    for (size_t b = docs_ascend ? kValueBytes : kStride; b-- > 0;) {
      if ((differs[b / 4] >> (8 * (b % 4)) & 0xff) != 0) digits[count++] = static_cast<uint8_t>(b);
    }
    return count;
  }

  bool less(const uint8_t* a, const uint8_t* b) const {
    if constexpr (kStride >= 8) {
      const uint64_t x = load_be64(a);
      const uint64_t y = load_be64(b);
      if (kStride == 8 || x != y) return x < y;
      if constexpr (kStride == 12) return load_be32(a + 8) < load_be32(b + 8);
    }
    return std::memcmp(a, b, stride()) < 0;
  }

  bool is_sorted(size_t from, size_t to) const {
    for (size_t i = from + 1; i < to; ++i)
      if (less(at(i), at(i - 1))) return false;
    return true;
  }

  // The first byte from k on in which the records of the range differ.
  size_t first_difference(size_t from, size_t to, size_t k) const {
    const uint8_t* first = at(from);
    size_t common = stride();
    for (size_t i = from + 1; i < to && common > k; ++i) {
      const uint8_t* record = at(i);
      size_t d = k;
      while (d < common && record[d] == first[d]) ++d;
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
    for (size_t bucket = 0; bucket < 256; ++bucket) {
      for (; next[bucket] < ends[bucket + 1]; ++next[bucket])
        send_home(next[bucket], bucket, next, offset);
    }
  }

  // If the record at `i` does not belong to bucket `home`, exchanges it with the one at the next
  // place of its bucket, and so on until one comes that does.
  void send_home(size_t i, size_t home, std::array<size_t, 256>& next, size_t offset) const {
    size_t bucket = at(i)[offset];
    if (bucket == home) return;
    uint8_t held[kStride != 0 ? kStride : kMaxBkdStride];
    uint8_t evicted[kStride != 0 ? kStride : kMaxBkdStride];
    Base::copy(held, at(i));
    do {
      uint8_t* place = at(next[bucket]++);
      Base::copy(evicted, place);
      Base::copy(place, held);
      Base::copy(held, evicted);
      bucket = held[offset];
    } while (bucket != home);
    Base::copy(at(i), held);
  }

  std::unique_ptr<uint8_t[]> scratch_;
};

// Calls f with the sorter made for the shape of several dimensions.
template <class F>
void with_sorter(const BkdShape& shape, uint32_t doc_bits, uint8_t* records, uint32_t dimension,
                 F f) {
  const size_t stride = point_record_size(shape.value_bytes());
  const BkdKey key{size_t{dimension} * shape.bytes, shape.bytes, shape.index_bytes(), stride,
                   doc_bits};
  if (stride == 12) return f(DimensionSorter<12>(records, key));
  if (stride == 20) return f(DimensionSorter<20>(records, key));
  if (stride == 36) return f(DimensionSorter<36>(records, key));
  return f(DimensionSorter<0>(records, key));
}

}  // namespace

BkdRecords::BkdRecords(const BkdShape& shape, uint8_t* records, uint32_t max_doc)
    : shape_(shape),
      doc_bits_(std::max<uint32_t>(1, static_cast<uint32_t>(std::bit_width(max_doc - 1)))),
      records_(records),
      stride_(point_record_size(shape.value_bytes())) {}

void BkdRecords::sort(size_t from, size_t to, uint32_t dimension) {
  if (shape_.dimensions != 1) {
    with_sorter(shape_, doc_bits_, records_, dimension,
                [=](const auto& sorter) { sorter.sort(from, to); });
  } else if (stride_ == 8) {
    WholeRecordSorter<8>(records_, stride_).sort(from, to, 0);
  } else if (stride_ == 12) {
    WholeRecordSorter<12>(records_, stride_).sort(from, to, 0);
  } else {
    WholeRecordSorter<0>(records_, stride_).sort(from, to, 0);
  }
}

void BkdRecords::select(size_t from, size_t to, size_t middle, uint32_t dimension) {
  with_sorter(shape_, doc_bits_, records_, dimension,
              [=](const auto& sorter) { sorter.select(from, to, middle); });
}

}  // namespace postern::codec
