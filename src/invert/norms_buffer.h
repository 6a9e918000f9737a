// The norms of one field while its segment is in memory (docs/formats/21 §2).
#pragma once

#include <cstdint>
#include <span>

#include "memory/grow_array.h"

namespace postern::invert {

// Documents are added ascending. As long as they are 0, 1, 2, ... no document numbers are kept.
class NormsBuffer {
 public:
  explicit NormsBuffer(memory::MemoryCounter& counter) : docs_(counter), values_(counter) {}

  void add(uint32_t doc, uint8_t norm) {
    if (dense_ && doc != values_.size()) list_docs();
    if (!dense_) docs_.push_back(doc);
    values_.push_back(norm);
  }

  // Whether the documents with a norm are 0 .. size() - 1; docs() is empty then.
  bool dense() const { return dense_; }
  uint32_t size() const { return static_cast<uint32_t>(values_.size()); }
  std::span<const uint32_t> docs() const { return docs_.span(); }
  // One norm byte per document with a norm, in the order of docs().
  std::span<const uint8_t> values() const { return values_.span(); }

 private:
  void list_docs() {
    for (uint32_t doc = 0; doc < values_.size(); ++doc) docs_.push_back(doc);
    dense_ = false;
  }

  memory::GrowArray<uint32_t> docs_;
  memory::GrowArray<uint8_t> values_;
  bool dense_ = true;
};

}  // namespace postern::invert
