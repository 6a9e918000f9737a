// Vectors of a full document buffer become the files of a segment (docs/formats/40).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codec/field_infos.h"
#include "codec/segment_context.h"
#include "invert/knn_buffer.h"

namespace postern::index {

// A field with a vector dimension, and its vectors.
struct BufferedVectors {
  codec::FieldInfo* info = nullptr;
  invert::KnnBuffer* vectors = nullptr;
};

// `fields`: every field of the segment with a vector dimension, in the order in which documents
// brought them. Builds the graphs, sets the attributes of the fields, appends the names of the
// files to `files` and gives the buffers' memory back field by field; nothing happens without
// fields. `new_docs`: empty, or for each document its number in the sorted segment. context.max_doc
// must be known.
void write_vectors(const codec::SegmentContext& context, std::span<const BufferedVectors> fields,
                   std::vector<std::string>& files, std::span<const uint32_t> new_docs = {});

}  // namespace postern::index
