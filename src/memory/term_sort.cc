#include "memory/term_sort.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace postern::memory {

namespace {

// `prefix`: eight bytes of the term from some offset on, big-endian, zero padded.
struct Key {
  uint64_t prefix;
  uint32_t id;
  uint32_t length;
};

// Up to here a comparison sort of the prefixes wins.
constexpr size_t kCompare = 256;
// So few terms are compared as a whole.
constexpr size_t kFew = 3;
// Up to here a bucket is sorted from the last byte to the first with a second array, which then
// stays in the cache.
constexpr size_t kBucket = size_t{1} << 15;
constexpr size_t kPrefix = sizeof(uint64_t);

// Numbers of keys, or places, by the value of a byte.
using Digits = std::array<size_t, 256>;

class Sorter {
 public:
  Sorter(const TermTable& table, MemoryCounter& counter)
      : table_(table), keys_(counter), second_(counter) {}

  void sort(std::vector<uint32_t>& ids) {
    const uint32_t n = table_.count();
    ids.resize(n);
    uint64_t any = 0;
    if (in_order(any)) {
      std::iota(ids.begin(), ids.end(), 0);
      return;
    }
    keys_.resize(n);
    if (n > kBucket && any != 0) {
      load_by_first_byte(any);
      sort_ties_of({0, n, 0});
    } else {
      for (uint32_t id = 0; id < n; ++id) keys_[id] = key_of(id);
      sort_range({0, n, 0});
    }
    while (!ranges_.empty()) {
      const Range range = ranges_.back();
      ranges_.pop_back();
      load_prefixes(range);
      sort_range(range);
    }
    for (size_t i = 0; i < n; ++i) ids[i] = keys_[i].id;
  }

 private:
  // Terms that agree in the first `offset` bytes and reach beyond them.
  struct Range {
    size_t begin;
    size_t end;
    size_t offset;
  };

  Key key_of(uint32_t id) const {
    return {__builtin_bswap64(table_.first_word(id)), id, table_.length(id)};
  }

  // Ids and other values that count up come in order. Other terms soon show that they do not.
  // `any` gets the bits that are not the same in all first prefixes.
  bool in_order(uint64_t& any) const {
    bool ordered = true;
    const Key first = key_of(0);
    Key last = first;
    for (uint32_t id = 1; id < table_.count(); ++id) {
      const Key key = key_of(id);
      any |= key.prefix ^ first.prefix;
      if (ordered) ordered = less(last, key, 0);
      last = key;
    }
    return ordered;
  }

  // Sorts all keys by their first prefixes. They are read twice, in sequence, and written at once
  // to where their first differing byte puts them: exchanging them in place would wait for memory.
  void load_by_first_byte(uint64_t any) {
    const uint32_t shift = first_byte(any);
    Digits count{};
    for (uint32_t id = 0; id < table_.count(); ++id)
      ++count[__builtin_bswap64(table_.first_word(id)) >> shift & 0xff];
    Digits next;
    size_t at = 0;
    for (size_t b = 0; b < count.size(); at += count[b++]) next[b] = at;
    for (uint32_t id = 0; id < table_.count(); ++id) {
      const Key key = key_of(id);
      keys_[next[key.prefix >> shift & 0xff]++] = key;
    }
    sort_buckets(keys_.data(), count, next);
  }

  // The place of the first byte with such a bit.
  static uint32_t first_byte(uint64_t bits) { return (bit_length(bits) - 1) / 8 * 8; }

  void load_prefixes(const Range& range) {
    constexpr size_t kAhead = 8;
    for (size_t i = range.begin; i < range.end; ++i) {
      if (i + 2 * kAhead < range.end) table_.prefetch_state(keys_[i + 2 * kAhead].id);
      if (i + kAhead < range.end) table_.prefetch_text_in_pool(keys_[i + kAhead].id);
      keys_[i].prefix = prefix_of(keys_[i], range.offset);
    }
  }

  // Whose prefixes are those at the offset.
  void sort_range(const Range& range) {
    Key* keys = keys_.data() + range.begin;
    size_t n = range.end - range.begin;
    if (n <= kCompare) {
      std::sort(keys, keys + n, [](const Key& a, const Key& b) { return a.prefix < b.prefix; });
    } else {
      radix_sort(keys, n);
    }
    sort_ties_of(range);
  }

  void sort_ties_of(const Range& range) {
    const Key* keys = keys_.data() + range.begin;
    const size_t n = range.end - range.begin;
    for (size_t i = 0; i < n;) {
      size_t j = i + 1;
      while (j < n && keys[j].prefix == keys[i].prefix) ++j;
      if (j - i > 1) sort_ties(range.begin + i, range.begin + j, range.offset);
      i = j;
    }
  }

  // Keys of equal prefix: terms that end within it are padded prefixes of the others.
  void sort_ties(size_t begin, size_t end, size_t offset) {
    Key* keys = keys_.data();
    Key* longer = std::partition(keys + begin, keys + end,
                                 [offset](const Key& k) { return k.length <= offset + kPrefix; });
    std::sort(keys + begin, longer, [](const Key& a, const Key& b) { return a.length < b.length; });
    auto rest = static_cast<size_t>(longer - keys);
    if (end - rest > kFew) {
      ranges_.push_back({rest, end, offset + kPrefix});
    } else if (end - rest > 1) {
      std::sort(longer, keys + end,
                [this, offset](const Key& a, const Key& b) { return less(a, b, offset); });
    }
  }

  // Of terms that agree in the first `offset` bytes, whose prefixes are those at the offset.
  bool less(const Key& a, const Key& b, size_t offset) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const size_t from = offset + kPrefix;
    if (a.length <= from || b.length <= from) return a.length < b.length;
    const uint8_t* x = table_.text(a.id).data();
    const uint8_t* y = table_.text(b.id).data();
    const int c = std::memcmp(x + from, y + from, std::min(a.length, b.length) - from);
    return c != 0 ? c < 0 : a.length < b.length;
  }

  uint64_t prefix_of(const Key& key, size_t offset) const {
    const uint8_t* text = table_.text(key.id).data();
    return __builtin_bswap64(load_padded(text + offset, key.length - offset));
  }

  // By prefix. Large ranges are split in place by their first differing byte ("American flag"), at
  // most eight times deep.
  void radix_sort(Key* keys, size_t n) {
    uint64_t any = 0;
    for (size_t i = 1; i < n; ++i) any |= keys[i].prefix ^ keys[0].prefix;
    if (any == 0) return;
    if (n <= kBucket) {
      bucket_sort(keys, n, any);
      return;
    }
    const uint32_t shift = first_byte(any);
    Digits count{};
    for (size_t i = 0; i < n; ++i) ++count[keys[i].prefix >> shift & 0xff];
    Digits next;
    Digits end;
    size_t at = 0;
    for (size_t b = 0; b < 256; ++b) {
      next[b] = at;
      at += count[b];
      end[b] = at;
    }
    for (size_t b = 0; b < 256; ++b) {
      while (next[b] < end[b]) {
        size_t c = keys[next[b]].prefix >> shift & 0xff;
        if (c == b) {
          ++next[b];
        } else {
          std::swap(keys[next[b]], keys[next[c]++]);
        }
      }
    }
    sort_buckets(keys, count, end);
  }

  // Sorts each of the buckets, which have so many keys and end there.
  void sort_buckets(Key* keys, const Digits& count, const Digits& end) {
    for (size_t b = 0; b < count.size(); ++b) {
      Key* bucket = keys + end[b] - count[b];
      if (count[b] > kCompare) {
        radix_sort(bucket, count[b]);
      } else if (count[b] > 1) {
        std::sort(bucket, bucket + count[b],
                  [](const Key& x, const Key& y) { return x.prefix < y.prefix; });
      }
    }
  }

  // Bytes that are the same in all keys (not in `any`) are skipped. Of the others only so many
  // leading ones are sorted by, from the last to the first, as should tell most keys apart; runs
  // that agree in those are compared.
  void bucket_sort(Key* keys, size_t n, uint64_t any) {
    second_.resize(n);
    std::array<std::array<uint32_t, 256>, 8> places{};
    for (size_t i = 0; i < n; ++i) {
      for (uint32_t byte = 0; byte < 8; ++byte) ++places[byte][keys[i].prefix >> 8 * byte & 0xff];
    }
    Key* from = keys;
    Key* to = second_.data();
    const uint32_t last = last_byte(places, n);
    for (uint32_t byte = last; byte < 8; ++byte) {
      const uint32_t shift = 8 * byte;
      if ((any >> shift & 0xff) == 0) continue;
      std::array<uint32_t, 256>& at = places[byte];
      uint32_t sum = 0;
      for (uint32_t& place : at) sum += std::exchange(place, sum);
      for (size_t i = 0; i < n; ++i) to[at[from[i].prefix >> shift & 0xff]++] = from[i];
      std::swap(from, to);
    }
    if (from != keys) std::copy_n(from, n, keys);
    if (last != 0) sort_runs(keys, n, 8 * last);
  }

  // The lowest byte that is sorted by. The bytes above it tell n keys apart, if they are
  // independent of each other: the chance that two keys agree in a byte is the sum of the squares
  // of the shares that the byte's values have, and all of them together have to make that smaller
  // than 1 / (4 n).
  static uint32_t last_byte(const std::array<std::array<uint32_t, 256>, 8>& places, size_t n) {
    const auto keys = static_cast<double>(n);
    double agree = 1;
    uint32_t byte = 8;
    while (byte > 0 && agree * 4 * keys > 1) {
      double squares = 0;
      for (const double count : places[--byte]) squares += count * count;
      agree *= squares / (keys * keys);
    }
    return byte;
  }

  // Keys that are in order but for their low `shift` bits.
  static void sort_runs(Key* keys, size_t n, uint32_t shift) {
    for (size_t i = 0; i < n;) {
      size_t j = i + 1;
      while (j < n && keys[j].prefix >> shift == keys[i].prefix >> shift) ++j;
      if (j - i > 1) {
        std::sort(keys + i, keys + j,
                  [](const Key& a, const Key& b) { return a.prefix < b.prefix; });
      }
      i = j;
    }
  }

  const TermTable& table_;
  GrowArray<Key> keys_;
  GrowArray<Key> second_;
  std::vector<Range> ranges_;
};

}  // namespace

void sort_terms(const TermTable& table, MemoryCounter& counter, std::vector<uint32_t>& ids) {
  if (table.count() == 0) {
    ids.clear();
    return;
  }
  Sorter(table, counter).sort(ids);
}

}  // namespace postern::memory
