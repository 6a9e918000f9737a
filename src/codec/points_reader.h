// Reads the points of one segment (docs/formats/23).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/points_format.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// What .kdm says of one field's points.
struct PointsEntry {
  uint32_t field_number = 0;
  BkdShape shape;
  uint32_t points_per_leaf = 0;
  uint32_t leaves = 0;
  std::vector<uint8_t> min;  // index_bytes() bytes
  std::vector<uint8_t> max;
  uint64_t points = 0;
  uint32_t doc_count = 0;
  uint32_t index_length = 0;
  uint64_t data_start = 0;
  uint64_t index_start = 0;
};

// One leaf. The views last until the callback returns.
struct PointsLeaf {
  std::span<const uint32_t> docs;
  std::span<const uint8_t> values;  // value_bytes() bytes per document of `docs`
};

// Throws CorruptIndex, IoError, NotSupported; any bytes are safe. Safe to share between threads.
class PointsReader {
 public:
  PointsReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
               uint32_t max_doc);

  // In file order.
  std::span<const PointsEntry> entries() const { return entries_; }
  // Null if the field has no points in this segment.
  const PointsEntry* find(uint32_t field_number) const;

  // Calls `visit` with each leaf, left to right. Checks that the tree is whole: every point in its
  // cell, exact bounds, the order of one dimension, counts, documents below max_doc. Memory: one
  // leaf, and a bit per document.
  void for_each_leaf(const PointsEntry& entry,
                     const std::function<void(const PointsLeaf&)>& visit) const;

 private:
  void read_meta(std::span<const uint8_t> file, const store::ObjectId& id);

  std::string meta_name_;
  std::string index_name_;
  std::string data_name_;
  uint32_t max_doc_;
  std::unique_ptr<InputFile> index_file_;
  std::unique_ptr<InputFile> data_file_;
  std::vector<PointsEntry> entries_;
};

}  // namespace postern::codec
