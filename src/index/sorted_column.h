// Brings values that documents have in order of arrival into the order of a sorted segment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace postern::index {

// The documents with a value, as the segment has them, and where their values stand in the buffer.
class SortedColumn {
 public:
  // `count` documents have values: 0 .. count - 1 if dense, else `docs`, ascending.
  SortedColumn(bool dense, uint32_t count, std::span<const uint32_t> docs,
               std::span<const uint32_t> new_docs) {
    constexpr uint32_t kAbsent = ~uint32_t{0};
    std::vector<uint32_t> place_of_doc(new_docs.size(), kAbsent);
    for (uint32_t i = 0; i < count; ++i) place_of_doc[new_docs[dense ? i : docs[i]]] = i;
    docs_.reserve(count);
    places_.reserve(count);
    for (uint32_t doc = 0; doc < place_of_doc.size(); ++doc) {
      if (place_of_doc[doc] == kAbsent) continue;
      docs_.push_back(doc);
      places_.push_back(place_of_doc[doc]);
    }
  }

  // Ascending.
  std::span<const uint32_t> docs() const { return docs_; }
  // One per document in docs(): the value's place as it came.
  std::span<const uint32_t> places() const { return places_; }
  // One value per document.
  template <class T>
  std::vector<T> reorder(std::span<const T> values) const {
    std::vector<T> out;
    out.reserve(places_.size());
    for (uint32_t place : places_) out.push_back(values[place]);
    return out;
  }

 private:
  std::vector<uint32_t> docs_;
  std::vector<uint32_t> places_;
};

}  // namespace postern::index
