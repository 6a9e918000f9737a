// Writes the points of one segment (docs/formats/23): `.kdd` leaves, `.kdi` inner nodes, `.kdm`
// metadata.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/segment_context.h"
#include "store/index_output.h"

namespace postern::codec {

// Make one only if some field of the segment has points. Errors: IoError.
class PointsWriter {
 public:
  // Creates the three files.
  explicit PointsWriter(const SegmentContext& context);

  // `records`: one or more records (base/point_record.h) of field.point_dimensions dimensions of
  // field.point_bytes bytes, in order of arrival; they are sorted where they lie, and no memory in
  // proportion to them is taken but a 200th for the inner nodes. `doc_count`: distinct documents
  // among them. The order of the fields is that of the trees in the files.
  void add_field(const FieldInfo& field, std::span<uint8_t> records, uint32_t doc_count);
  // Completes the files.
  void close();

  std::vector<std::string> files() const { return {data_.name(), meta_.name(), index_.name()}; }

 private:
  uint32_t max_doc_;
  store::IndexOutput data_;
  store::IndexOutput meta_;
  store::IndexOutput index_;
};

}  // namespace postern::codec
