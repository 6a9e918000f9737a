// The pointers of one term in its terms block, relative to the term before it (docs/formats/30 §9).
#pragma once

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "codec/postings_format.h"

namespace postern::codec {

// previous: the term before it in the same block; a default TermState for the first.
void write_term_metadata(ByteBuffer& out, const TermState& state, const TermState& previous,
                         const PostingsParts& parts);

// state: doc_freq and total_term_freq are set, the rest is filled in. Throws CorruptIndex.
void read_term_metadata(ByteReader& in, TermState& state, const TermState& previous,
                        const PostingsParts& parts);

}  // namespace postern::codec
