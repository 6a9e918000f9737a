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
// flags final. `new_docs`: empty, or for each document its number in the sorted segment. The names
// of the files are appended to `files`. Doc values and postings set their fields' attributes.
void write_norms(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                 std::span<const BufferedField> fields, std::span<const uint32_t> new_docs,
                 std::vector<std::string>& files);
// Doc values and points.
void write_columns(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                   std::span<const BufferedField> fields, std::span<const uint32_t> new_docs,
                   std::vector<std::string>& files);
void write_postings(const codec::SegmentContext& context, const codec::FieldInfos& infos,
                    std::span<const BufferedField> fields, std::span<const uint32_t> new_docs,
                    memory::MemoryCounter& counter, std::vector<std::string>& files);

// What the segment is, beside its files.
struct SegmentFacts {
  bool compound = true;
  bool has_blocks = false;
  StoredFieldsMode mode = StoredFieldsMode::kBestSpeed;
  uint32_t soft_deleted = 0;              // documents, not deleted otherwise
  std::vector<std::string> index_sort{};  // one codec::encode_sort_key per key
};
// Packs the files if asked to, then writes `.si` and, if documents are deleted, `.liv`.
// `deleted`: documents of the segment, ascending, no duplicates.
codec::SegmentCommitInfo finish_segment(const codec::SegmentContext& context,
                                        const SegmentFacts& facts, std::vector<std::string> files,
                                        std::span<const uint32_t> deleted);

}  // namespace postern::index
