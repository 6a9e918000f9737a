// The options of a field in the words of the schema (docs/schema.md).
#pragma once

#include <string>

#include "codec/field_infos.h"

namespace postern::tool {

const char* index_options_name(IndexOptions options);      // "none", "docs", …
const char* similarity_name(VectorSimilarity similarity);  // "l2", …
// "positions, norms, term vectors": what of its kind the field has; "-" if nothing.
std::string inverted_text(const codec::FieldInfo& field);
std::string columns_text(const codec::FieldInfo& field);
std::string points_text(const codec::FieldInfo& field);
std::string vectors_text(const codec::FieldInfo& field);

}  // namespace postern::tool
