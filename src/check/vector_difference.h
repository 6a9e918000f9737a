// Finds the term in which a document's vector and the postings differ.
#pragma once

#include <cstdint>
#include <string>

#include "check/vector_digest.h"
#include "codec/field_infos.h"
#include "read/segment_reader.h"

namespace postern::check {

enum class Compare { kBoth, kVectorInPostings };

// A sentence that names the first such term; empty if all that the vector has is in the postings
// and nothing else is asked for. Reads the field's postings until it is found.
std::string difference_of(read::SegmentReader& segment, const codec::FieldInfo& field, uint32_t doc,
                          const Comparable& what, Compare direction);

}  // namespace postern::check
