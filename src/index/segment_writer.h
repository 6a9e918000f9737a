// Turns a full document buffer into the files of one segment (docs/formats/01 §7).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codec/field_infos.h"
#include "codec/segment_commit.h"
#include "codec/segment_context.h"
#include "invert/field_inverter.h"
#include "postern/writer.h"

namespace postern::index {

// A field of the segment with its buffered postings and norms; `inverter` is null if it is not
// indexed.
struct BufferedField {
  codec::FieldInfo* info = nullptr;
  invert::FieldInverter* inverter = nullptr;
};

// `fields`: ascending by number, their infos those of `infos`, payload flags final. The names of
// the files are appended to `files`. write_postings sets the postings attributes of fields with
// terms.
void write_norms(const codec::SegmentContext& context, const codec::FieldInfos& infos,
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
