// The documents of one full block of a postings list (docs/formats/30 §5.2).
//
//   t        signed byte   0: the 256 documents after the base; 1 ... 31: FOR(t) of the deltas;
//                          -1 ... -128: a bit set of -t words, bit i for document base + 1 + i
//   data     32*t or 8*-t bytes
#pragma once

#include <cstdint>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"

namespace postern::codec {

// deltas: 256 differences between documents, each >= 1 (the first to the base); range: their sum.
// The choice of encoding is Lucene's.
void write_doc_block(ByteBuffer& out, const uint32_t* deltas, uint64_t range);

// docs: receives the 256 documents, ascending; base: the document before them, UINT32_MAX at the
// start of a list. Throws CorruptIndex, also for documents beyond 2^31 - 1.
void read_doc_block(ByteReader& in, uint32_t base, uint32_t* docs);

}  // namespace postern::codec
