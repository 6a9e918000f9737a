// Writes the buffered points of a segment (docs/formats/01 §7, 23).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codec/field_infos.h"
#include "codec/segment_context.h"
#include "invert/points_buffer.h"

namespace postern::index {

struct PointsField {
  const codec::FieldInfo* info = nullptr;
  invert::PointsBuffer* buffer = nullptr;  // null: no points
};

// `fields` in the order their trees shall have in the files; those without points are skipped. The
// names of the files are appended to `files`; there are none if no field of `infos` has points.
// Sorts the records of the buffers where they lie, and gives their memory back field by field.
// `new_docs`: empty, or for each document its number in the sorted segment.
void write_points(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                  std::span<const PointsField> fields, std::vector<std::string>& files,
                  std::span<const uint32_t> new_docs = {});

}  // namespace postern::index
