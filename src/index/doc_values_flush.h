// Doc values of a full document buffer become the files of a segment (docs/formats/01 §7, 22).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codec/field_infos.h"
#include "codec/segment_context.h"
#include "invert/doc_values_buffer.h"

namespace postern::index {

// A field of the segment and its values; null if it has no doc values.
struct BufferedDocValues {
  codec::FieldInfo* info = nullptr;
  invert::DocValuesBuffer* values = nullptr;
};

// `fields`: in the order of bucket_order (field_order.h), each field with doc values having its
// buffer. Sets the attributes of those fields and appends the names of the files to `files`;
// nothing happens if there are none. `new_docs`: empty, or for each document its number in the
// sorted segment. context.max_doc must be known. Buffers are finished.
void write_doc_values(const codec::SegmentContext& context,
                      std::span<const BufferedDocValues> fields, std::vector<std::string>& files,
                      std::span<const uint32_t> new_docs = {});

}  // namespace postern::index
