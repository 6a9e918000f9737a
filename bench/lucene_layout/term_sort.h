// Sorts term ids by unsigned bytes of their text, in place, without moving text (docs/formats/01
// §8): most-significant-byte radix sort with a histogram pass per level, introsort for small
// ranges.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lucene_layout/term_hash.h"

namespace postern::lucene_layout {

class TermSort {
 public:
  // `text_starts` (by id) are addresses in `pool`; both outlive the object.
  TermSort(const BytePool& pool, std::span<const uint32_t> text_starts)
      : pool_(pool), text_starts_(text_starts) {}

  // Sorts table[0, count). The upper half of the table must be free: it caches the bucket of each
  // id and is left as kEmpty.
  void sort(std::vector<uint32_t>& table, uint32_t count);

  // Only the comparison sort, of ids whose first `depth` bytes are equal.
  void introsort(std::span<uint32_t> ids, uint32_t depth);

 private:
  // 0 = the term has ended, else byte + 1.
  static constexpr uint32_t kBuckets = 257;
  static constexpr uint32_t kRadixMinimum = 50;  // smaller ranges are compared
  static constexpr uint32_t kMaxLevel = 8;
  static constexpr uint32_t kMaxPrefix = 24;  // bytes looked ahead for a common prefix
  using Histogram = std::array<uint32_t, kBuckets>;

  TermBytes text(uint32_t id) const { return text_at(pool_, text_starts_[id]); }
  uint32_t bucket(uint32_t id, uint32_t depth) const {
    TermBytes t = text(id);
    return depth < t.size() ? t[depth] + 1u : 0u;
  }
  bool less(uint32_t a, uint32_t b, uint32_t depth) const;
  void radix(std::span<uint32_t> ids, std::span<uint32_t> cache, uint32_t depth, uint32_t level);
  uint32_t build_histogram(std::span<const uint32_t> ids, std::span<uint32_t> cache, uint32_t depth,
                           Histogram& histogram) const;
  void introsort(std::span<uint32_t> ids, uint32_t depth, uint32_t splits_left);
  void insertion_sort(std::span<uint32_t> ids, uint32_t depth) const;
  void heap_sort(std::span<uint32_t> ids, uint32_t depth) const;
  uint32_t pivot(std::span<const uint32_t> ids, uint32_t depth) const;
  uint32_t median(uint32_t a, uint32_t b, uint32_t c, uint32_t depth) const;

  const BytePool& pool_;
  std::span<const uint32_t> text_starts_;
  std::array<Histogram, kMaxLevel> ends_;
};

}  // namespace postern::lucene_layout
