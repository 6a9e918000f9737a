// Builds the block k-d tree of one field (docs/formats/23).
#pragma once

#include <cstdint>
#include <span>

#include "codec/points_format.h"
#include "store/index_output.h"

namespace postern::codec {

struct BkdOutputs {
  store::IndexOutput& data;   // .kdd
  store::IndexOutput& index;  // .kdi
  store::IndexOutput& meta;   // .kdm, behind the field's number
};

// `records`: at least one record (base/point_record.h), in order of arrival; they are reordered.
// `max_doc`: documents of the segment; `doc_count`: distinct ones among the records. Writes the
// leaves, the inner nodes and the entry of .kdm, with the tree that Lucene builds when it flushes.
// Errors: IoError.
void write_bkd_tree(const BkdShape& shape, std::span<uint8_t> records, uint32_t max_doc,
                    uint32_t doc_count, const BkdOutputs& out);

}  // namespace postern::codec
