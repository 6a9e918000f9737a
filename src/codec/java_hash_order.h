// The order in which a java.util.HashMap hands out its keys. Lucene writes some maps and sets in
// that order, so files equal Lucene's byte for byte only with it; readers accept any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace postern::codec {

// Bucket of an ASCII key in a table of `buckets` (a power of two): String.hashCode, its upper half
// folded into the lower, as the Java API documentation and the JDK define them.
inline uint32_t java_bucket(std::string_view key, uint32_t buckets) {
  uint32_t hash = 0;
  for (char c : key) hash = hash * 31 + static_cast<uint8_t>(c);
  return (hash ^ hash >> 16) & (buckets - 1);
}

// The same of an Integer that is not negative.
inline uint32_t java_bucket(uint32_t key, uint32_t buckets) {
  return (key ^ key >> 16) & (buckets - 1);
}

// Sorts keys that were added in their present order to a map whose table began with `buckets`
// (16 unless the map was given another size). Keys of one bucket stay in the order in which they
// were added. `key_of` maps an item to its key, a string or a number.
template <class Item, class KeyOf>
void sort_as_java_map(std::vector<Item>& items, KeyOf key_of, uint32_t buckets = 16) {
  // The table doubles when it is more than three quarters full.
  while (items.size() > size_t{buckets} / 4 * 3) buckets *= 2;
  std::ranges::stable_sort(items, {},
                           [&](const Item& item) { return java_bucket(key_of(item), buckets); });
}

}  // namespace postern::codec
