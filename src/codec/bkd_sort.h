// Sorts, and partially sorts, the records of a points tree where they lie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/points_format.h"

namespace postern::codec {

// Memory beside the records that sorting one dimension may take.
inline constexpr size_t kMaxStableSortBytes = size_t{8} << 20;

// Records (base/point_record.h) of one shape, one behind the other. Orders them by one index
// dimension, then the dimensions that are not indexed, then the document (docs/formats/23 §2.2).
// Records that are equal in that come in the order in which Lucene leaves them (§2.3).
class BkdRecords {
 public:
  // `max_doc`: documents of the segment, at least 1.
  BkdRecords(const BkdShape& shape, uint8_t* records, uint32_t max_doc);

  size_t stride() const { return stride_; }
  uint8_t* at(size_t i) const { return records_ + i * stride_; }

  // Orders records [from, to).
  void sort(size_t from, size_t to, uint32_t dimension);
  // Puts the record at `middle` where sort() would put it, no greater ones before it and no smaller
  // ones behind. from <= middle < to, several dimensions. Time in proportion to to - from.
  void select(size_t from, size_t to, size_t middle, uint32_t dimension);

 private:
  BkdShape shape_;
  uint32_t doc_bits_;  // that a document number takes
  uint8_t* records_;
  size_t stride_;
};

}  // namespace postern::codec
