// The points of one field while its segment is in memory (docs/formats/01 §5, 23).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/point_record.h"
#include "memory/grow_array.h"
#include "postern/document.h"

namespace postern::invert {

// One run of records (base/point_record.h) in order of arrival, charged to the counter. The codec
// sorts them where they lie, so flushing needs no second copy.
class PointsBuffer {
 public:
  // `field` (its name, for messages) must outlive the buffer. `dimensions` 1..16,
  // `index_dimensions` 1..min(8, dimensions), `bytes` per dimension 1..16.
  PointsBuffer(memory::MemoryCounter& counter, std::string_view field, uint32_t dimensions,
               uint32_t index_dimensions, uint32_t bytes);

  // One point. Documents are added in ascending order, any number of points each. A kInt, kLong,
  // kFloat or kDouble is a point of one dimension of 4, 8, 4 or 8 bytes; kBytes is a packed value
  // of value_bytes() bytes. Throws InvalidDocument, with nothing added, if it is anything else.
  void add(uint32_t doc, const FieldValue& value);

  // Replaces every document d by new_docs[d], for a segment that is written in another order.
  void renumber(std::span<const uint32_t> new_docs);

  uint32_t dimensions() const { return dimensions_; }
  uint32_t index_dimensions() const { return index_dimensions_; }
  uint32_t bytes_per_dimension() const { return bytes_; }
  size_t value_bytes() const { return value_bytes_; }
  size_t size() const { return records_.size() / stride_; }
  bool empty() const { return records_.empty(); }
  // Distinct documents that have a point.
  uint32_t doc_count() const { return doc_count_; }
  // size() records. Whoever flushes may reorder them.
  std::span<uint8_t> records() { return {records_.data(), records_.size()}; }
  // Gives the memory back.
  void release();

 private:
  uint8_t* append(uint32_t doc);
  void require(bool fits, std::string_view what) const;
  [[noreturn]] void refuse(std::string_view what) const;

  std::string_view field_;
  uint32_t dimensions_;
  uint32_t index_dimensions_;
  uint32_t bytes_;
  size_t value_bytes_;
  size_t stride_;  // of a record
  uint32_t last_doc_ = 0;
  uint32_t doc_count_ = 0;
  memory::GrowArray<uint8_t> records_;
};

}  // namespace postern::invert
