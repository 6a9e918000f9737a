// The documents of one leaf of a points tree (docs/formats/23 §3.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "store/index_output.h"

namespace postern::codec {

// Tag and documents, 1..kPointsPerLeaf of them, in the encoding that Lucene takes.
void write_bkd_docs(std::span<const uint32_t> docs, store::IndexOutput& out);

// Sets `docs` to the `count` documents at the reader. Throws CorruptIndex, also for a document not
// below max_doc.
void read_bkd_docs(ByteReader& in, uint32_t count, uint32_t max_doc, std::vector<uint32_t>& docs);

}  // namespace postern::codec
