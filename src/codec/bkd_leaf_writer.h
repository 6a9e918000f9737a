// Writes leaf blocks of a points tree (docs/formats/23 §3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/bkd_sort.h"
#include "codec/points_format.h"
#include "store/index_output.h"

namespace postern::codec {

class BkdLeafWriter {
 public:
  BkdLeafWriter(const BkdShape& shape, BkdRecords& records, store::IndexOutput& out)
      : shape_(shape), records_(records), out_(out) {}

  // Sorts records [from, to), 1..kPointsPerLeaf of them, by the dimension that §3.3 takes (the
  // first of them as they lie does not count for that choice), and writes their leaf.
  void write(size_t from, size_t to);
  // The same for records that are sorted, of one dimension.
  void write_sorted(size_t from, size_t to);

 private:
  void find_prefixes(size_t from, size_t to);
  uint32_t sorted_dimension(size_t from, size_t to) const;
  void write_block(size_t from, size_t to, uint32_t sorted);
  void write_docs(size_t from, size_t to);
  void write_bounds(size_t from, size_t to);
  void write_runs(size_t from, size_t to);
  void write_groups(size_t from, size_t to, uint32_t sorted);
  bool same_value(size_t i, size_t j) const;

  BkdShape shape_;
  BkdRecords& records_;
  store::IndexOutput& out_;
  // Per dimension: bytes at its start that all points of the leaf share.
  std::array<uint32_t, kMaxPointDimensions> prefixes_{};
};

}  // namespace postern::codec
