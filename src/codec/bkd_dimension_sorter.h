// Sorting and selecting points of several dimensions, exchange by exchange as Lucene does it
// (docs/formats/23 §2.3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.h"
#include "base/point_record.h"
#include "codec/bkd_record_range.h"

namespace postern::codec {

// What the records of one shape are ordered by: the dimension, then what is not indexed and the
// document. Digit k of this key is a byte of the value, or eight bits of the document, from the
// highest that a document of the segment can have; the last digit may repeat some of them.
struct BkdKey {
  size_t dimension_at;
  size_t dimension_bytes;
  size_t rest_at;  // up to the end of the record
  size_t stride;
  uint32_t doc_bits;

  size_t value_digits() const { return dimension_bytes + stride - kPointDocBytes - rest_at; }
  size_t digits() const { return value_digits() + (doc_bits + 7) / 8; }
  // Where digit k of the value lies in the record.
  size_t offset(size_t k) const {
    return k < dimension_bytes ? dimension_at + k : rest_at + k - dimension_bytes;
  }
  // Calls f with the function that takes digit k from a record.
  template <class F>
  auto with_digit(size_t k, F f) const {
    if (k < value_digits()) {
      return f([at = offset(k)](const uint8_t* record) { return record[at]; });
    }
    const auto bits = 8 * static_cast<uint32_t>(k - value_digits() + 1);
    return f([at = stride - kPointDocBytes,
              shift = doc_bits > bits ? doc_bits - bits : 0](const uint8_t* record) {
      return static_cast<uint8_t>(load_be32(record + at) >> shift);
    });
  }
};

// With several dimensions records that are equal by the key may differ, and the choice of a leaf's
// sorted dimension depends on which record is first: so every exchange is that of docs/formats/23
// §2.3.
template <size_t kStride>
class DimensionSorter : BkdRecordRange<kStride> {
  using Base = BkdRecordRange<kStride>;
  using Base::at, Base::exchange;

 public:
  DimensionSorter(uint8_t* records, const BkdKey& key) : Base(records, key.stride), key_(key) {}

  void sort(size_t from, size_t to) const {
    if (to - from <= kInsertion) {
      Base::insertion_sort(
          from, to, [this](const uint8_t* a, const uint8_t* b) { return compare(a, b) < 0; });
      return;
    }
    const Middle middle = partition(from, to, usual_pivot(from, to));
    sort(from, middle.begin);
    sort(middle.end, to);
  }

  void select(size_t from, size_t to, size_t middle) const {
    for (size_t k = 0; k < key_.digits() && to - from > kFew; ++k) {
      k = first_difference(from, to, k);
      if (k == key_.digits()) return;
      key_.with_digit(k, [&](auto digit_of) {
        std::array<size_t, 256> counts{};
        for (size_t i = from; i < to; ++i) ++counts[digit_of(at(i))];
        size_t below = from;
        size_t bucket = 0;
        while (below + counts[bucket] <= middle) below += counts[bucket++];
        const size_t end = below + counts[bucket];
        partition_by_digit(from, below, end, to, static_cast<uint8_t>(bucket), digit_of);
        from = below;
        to = end;
      });
      if (k + 1 == key_.digits()) return;
    }
    select_among_few(from, to, middle);
  }

 private:
  static constexpr size_t kInsertion = 16;
  // Up to this many the pivot is the median of three records.
  static constexpr size_t kThree = 40;
  // Up to this many records are compared as a whole, not digit by digit.
  static constexpr size_t kFew = 100;

  // Records equal to the pivot.
  struct Middle {
    size_t begin;
    size_t end;
  };

  int compare(const uint8_t* a, const uint8_t* b) const {
    if (int c = std::memcmp(a + key_.dimension_at, b + key_.dimension_at, key_.dimension_bytes))
      return c;
    return std::memcmp(a + key_.rest_at, b + key_.rest_at, key_.stride - key_.rest_at);
  }
  bool less(size_t i, size_t j) const { return compare(at(i), at(j)) < 0; }

  size_t median(size_t i, size_t j, size_t k) const {
    if (less(i, j)) {
      if (!less(k, j)) return j;
      return less(i, k) ? k : i;
    }
    if (!less(j, k)) return j;
    return less(i, k) ? i : k;
  }

  size_t median_of_quarters(size_t from, size_t to) const {
    const size_t quarter = (to - from) / 4;
    const size_t middle = (from + to - 1) / 2;
    return median(middle - quarter, middle, middle + quarter);
  }
  // Medians of three records each: at the start, in the middle and at the end of the range.
  std::array<size_t, 3> three_medians(size_t from, size_t to) const {
    const size_t eighth = (to - from) / 8;
    const size_t middle = (from + to - 1) / 2;
    const size_t last = to - 1;
    return {median(from, from + eighth, from + 2 * eighth),
            median(middle - eighth, middle, middle + eighth),
            median(last - 2 * eighth, last - eighth, last)};
  }

  size_t usual_pivot(size_t from, size_t to) const {
    if (to - from <= kThree) return median_of_quarters(from, to);
    const auto [first, second, third] = three_medians(from, to);
    return median(first, second, third);
  }

  // A place in the first or last eighth takes the lowest or highest of the medians.
  size_t pivot_for(size_t from, size_t to, size_t place) const {
    if (to - from <= kThree) return median_of_quarters(from, to);
    const size_t eighth = (to - from) / 8;
    const auto [first, second, third] = three_medians(from, to);
    if (place < from + eighth) {
      const size_t lower = less(second, first) ? second : first;
      return less(third, lower) ? third : lower;
    }
    if (place > to - 1 - eighth) {
      const size_t higher = less(second, first) ? first : second;
      return less(higher, third) ? third : higher;
    }
    return median(first, second, third);
  }

  // Smaller records come before the middle, greater ones behind (Bentley and McIlroy's partition:
  // equal ones gather at both ends first, then move to the middle).
  Middle partition(size_t from, size_t to, size_t pivot_at) const {
    exchange(from, pivot_at);
    const uint8_t* const pivot = at(from);
    size_t i = from;
    size_t j = to;
    size_t last_left = from;  // equal ones are [from, last_left] and [first_right, to)
    size_t first_right = to;
    for (;;) {
      ++i;
      while (i < to - 1 && compare(at(i), pivot) < 0) ++i;
      --j;
      while (j > from && compare(pivot, at(j)) < 0) --j;
      if (i == j && compare(at(i), pivot) == 0) exchange(last_left + 1, i);
      if (i >= j) break;
      exchange(i, j);
      if (compare(at(i), pivot) == 0) exchange(++last_left, i);
      if (compare(at(j), pivot) == 0) exchange(--first_right, j);
    }
    size_t smaller_end = j + 1;
    i = j + 1;
    for (size_t k = from; k <= last_left; ++k) exchange(k, --smaller_end);
    for (size_t k = to; k > first_right; ++i) exchange(--k, i);
    return {smaller_end, i};
  }

  void select_among_few(size_t from, size_t to, size_t place) const {
    while (to - from > 3) {
      const Middle middle = partition(from, to, pivot_for(from, to, place));
      if (place < middle.begin) {
        to = middle.begin;
      } else if (place >= middle.end) {
        from = middle.end;
      } else {
        return;
      }
    }
    const auto put_in_order = [this](size_t i, size_t j) {
      if (less(j, i)) exchange(i, j);
    };
    if (to - from == 3) {
      put_in_order(from + 1, from + 2);
      put_in_order(from, from + 2);
    }
    if (to - from >= 2) put_in_order(from, from + 1);
  }

  // The first digit from k on in which the records of the range differ.
  size_t first_difference(size_t from, size_t to, size_t k) const {
    const uint8_t* first = at(from);
    size_t common = key_.value_digits();
    for (size_t i = from + 1; i < to && common > k; ++i) {
      const uint8_t* record = at(i);
      size_t d = k;
      while (d < common && record[key_.offset(d)] == first[key_.offset(d)]) ++d;
      common = d;
    }
    if (common < key_.value_digits()) return common;
    for (size_t d = std::max(k, common); d < key_.digits(); ++d) {
      const bool differs = key_.with_digit(d, [&](auto digit_of) {
        for (size_t i = from + 1; i < to; ++i)
          if (digit_of(at(i)) != digit_of(first)) return true;
        return false;
      });
      if (differs) return d;
    }
    return key_.digits();
  }

  // Records with a smaller byte than `digit` go to [from, below), greater ones to [end, to). Both
  // sides are cleared at once: what belongs to the middle goes to its next place.
  template <class DigitOf>
  void partition_by_digit(size_t from, size_t below, size_t end, size_t to, uint8_t digit,
                          DigitOf digit_of) const {
    size_t middle = below;
    size_t i = from;
    size_t j = to;  // behind the next place to look at
    for (;;) {
      for (; i < below && digit_of(at(i)) <= digit;) {
        if (digit_of(at(i)) < digit) {
          ++i;
        } else {
          exchange(i, middle++);
        }
      }
      for (; j > end && digit_of(at(j - 1)) >= digit;) {
        if (digit_of(at(j - 1)) > digit) {
          --j;
        } else {
          exchange(j - 1, middle++);
        }
      }
      if (i == below || j == end) return;
      exchange(i++, --j);
    }
  }

  BkdKey key_;
};

}  // namespace postern::codec
