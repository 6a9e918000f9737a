// Names at the root of a document that are OpenSearch's own.
#pragma once

#include <string_view>

namespace postern::opensearch {

// Why neither a mapping nor a document may have a field of this name; null if it may.
const char* why_reserved(std::string_view name);

}  // namespace postern::opensearch
