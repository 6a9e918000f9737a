// Turns a full document buffer into the files of one segment (docs/formats/01 §7).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codec/field_infos.h"
#include "codec/segment_commit.h"
#include "codec/segment_context.h"
#include "invert/doc_values_buffer.h"
#include "invert/field_inverter.h"
#include "invert/points_buffer.h"
#include "postern/writer.h"

namespace postern::index {

// A field of the segment and what is buffered of it: null for each aspect the field does not have.
struct BufferedField {
  codec::FieldInfo* info = nullptr;
  invert::FieldInverter* inverter = nullptr;
  invert::DocValuesBuffer* doc_values = nullptr;
  invert::PointsBuffer* points = nullptr;
};

// `fields`: in the order of bucket_order (field_order.h), their infos those of `infos`, payload
// flags final. The names of the files are appended to `files`. Doc values and postings set their
// fields' attributes.
void write_norms(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                 std::span<const BufferedField> fields, std::vector<std::string>& files);
// Doc values and points.
void write_columns(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                   std::span<const BufferedField> fields, std::vector<std::string>& files);
void write_postings(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                    std::span<const BufferedField> fields, std::vector<std::string>& files);

// Packs the files if asked to, then writes `.si` and, if documents are deleted, `.liv`.
// `deleted`: documents of the segment, ascending, no duplicates.
codec::SegmentCommitInfo finish_segment(const codec::SegmentContext& context, bool compound,
                                        bool has_blocks, StoredFieldsMode mode,
                                        std::vector<std::string> files,
                                        std::span<const uint32_t> deleted);

}  // namespace postern::index
