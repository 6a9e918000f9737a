#include "lucene_layout/term_sort.h"

#include <algorithm>
#include <bit>

namespace postern::lucene_layout {

void TermSort::sort(std::vector<uint32_t>& table, uint32_t count) {
  std::span<uint32_t> all(table);
  std::span<uint32_t> cache = all.subspan(all.size() / 2);
  radix(all.first(count), cache.first(count), 0, 0);
  std::fill(cache.begin(), cache.end(), TermHash::kEmpty);
}

void TermSort::introsort(std::span<uint32_t> ids, uint32_t depth) {
  introsort(ids, depth, 2 * static_cast<uint32_t>(std::bit_width(ids.size())));
}

bool TermSort::less(uint32_t a, uint32_t b, uint32_t depth) const {
  TermBytes x = text(a);
  TermBytes y = text(b);
  size_t common = std::min(x.size(), y.size());
  if (common > depth) {
    int order = std::memcmp(x.data() + depth, y.data() + depth, common - depth);
    if (order != 0) return order < 0;
  }
  return x.size() < y.size();
}

void TermSort::radix(std::span<uint32_t> ids, std::span<uint32_t> cache, uint32_t depth,
                     uint32_t level) {
  if (ids.size() <= kRadixMinimum || level >= kMaxLevel) {
    introsort(ids, depth);
    return;
  }
  Histogram starts{};
  while (uint32_t common = build_histogram(ids, cache, depth, starts)) depth += common;

  Histogram& ends = ends_[level];
  uint32_t sum = 0;
  for (uint32_t b = 0; b < kBuckets; ++b) {
    uint32_t size = starts[b];
    starts[b] = sum;
    ends[b] = sum += size;
  }
  // Every swap puts one id where it belongs; the cached buckets travel along, so that the text is
  // not looked at again.
  for (uint32_t b = 0; b < kBuckets; ++b) {
    while (starts[b] < ends[b]) {
      uint32_t from = starts[b];
      uint32_t to = starts[cache[from]]++;
      if (from == to) continue;
      std::swap(ids[from], ids[to]);
      std::swap(cache[from], cache[to]);
    }
  }
  for (uint32_t b = 1; b < kBuckets; ++b) {
    uint32_t size = ends[b] - ends[b - 1];
    if (size > 1) {
      radix(ids.subspan(ends[b - 1], size), cache.subspan(ends[b - 1], size), depth + 1, level + 1);
    }
  }
}

// Counts and caches the buckets at `depth` and returns 0, or, if all terms share a prefix from
// there, returns its length and counts nothing.
uint32_t TermSort::build_histogram(std::span<const uint32_t> ids, std::span<uint32_t> cache,
                                   uint32_t depth, Histogram& histogram) const {
  TermBytes first = text(ids[0]);
  auto common = static_cast<uint32_t>(
      std::min<size_t>(kMaxPrefix, first.size() > depth ? first.size() - depth : 0));
  uint32_t first_bucket = bucket(ids[0], depth);
  cache[0] = first_bucket;
  uint32_t i = 1;
  for (; i < ids.size(); ++i) {
    TermBytes t = text(ids[i]);
    uint32_t limit =
        std::min(common, t.size() > depth ? static_cast<uint32_t>(t.size()) - depth : 0);
    uint32_t same = 0;
    while (same < limit && t[depth + same] == first[depth + same]) ++same;
    common = same;
    if (common == 0) break;
    cache[i] = first_bucket;
  }
  if (common > 0) return common;
  histogram.fill(0);
  histogram[first_bucket] = i;
  for (; i < ids.size(); ++i) {
    cache[i] = bucket(ids[i], depth);
    ++histogram[cache[i]];
  }
  return 0;
}

void TermSort::introsort(std::span<uint32_t> ids, uint32_t depth, uint32_t splits_left) {
  while (ids.size() > 16) {
    if (splits_left-- == 0) {
      heap_sort(ids, depth);
      return;
    }
    // Ids are distinct terms, so the pivot's class is the pivot itself, unless ids repeat.
    uint32_t p = pivot(ids, depth);
    size_t below = 0;
    size_t above = ids.size();
    for (size_t i = 0; i < above;) {
      if (less(ids[i], p, depth)) {
        std::swap(ids[below++], ids[i++]);
      } else if (less(p, ids[i], depth)) {
        std::swap(ids[i], ids[--above]);
      } else {
        ++i;
      }
    }
    introsort(ids.first(below), depth, splits_left);
    ids = ids.subspan(above);
  }
  insertion_sort(ids, depth);
}

void TermSort::insertion_sort(std::span<uint32_t> ids, uint32_t depth) const {
  for (size_t i = 1; i < ids.size(); ++i) {
    uint32_t id = ids[i];
    size_t j = i;
    for (; j > 0 && less(id, ids[j - 1], depth); --j) ids[j] = ids[j - 1];
    ids[j] = id;
  }
}

void TermSort::heap_sort(std::span<uint32_t> ids, uint32_t depth) const {
  auto order = [&](uint32_t a, uint32_t b) { return less(a, b, depth); };
  std::make_heap(ids.begin(), ids.end(), order);
  std::sort_heap(ids.begin(), ids.end(), order);
}

// The median of three around the middle, or of three such medians.
uint32_t TermSort::pivot(std::span<const uint32_t> ids, uint32_t depth) const {
  size_t last = ids.size() - 1;
  size_t middle = ids.size() / 2;
  if (ids.size() <= 40) {
    size_t step = ids.size() / 4;
    return median(ids[middle - step], ids[middle], ids[middle + step], depth);
  }
  size_t step = ids.size() / 8;
  return median(median(ids[0], ids[step], ids[2 * step], depth),
                median(ids[middle - step], ids[middle], ids[middle + step], depth),
                median(ids[last - 2 * step], ids[last - step], ids[last], depth), depth);
}

uint32_t TermSort::median(uint32_t a, uint32_t b, uint32_t c, uint32_t depth) const {
  if (less(b, a, depth)) std::swap(a, b);
  if (!less(c, b, depth)) return b;
  return less(c, a, depth) ? a : c;
}

}  // namespace postern::lucene_layout
