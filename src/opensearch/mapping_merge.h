// The mapping of an index whose shards were built apart, each with the fields its own documents
// brought.
#pragma once

#include <string>

#include "input/json_tree.h"

namespace postern::opensearch {

// Adds to `into` the fields that only `from` has. Both are `mappings` objects. Throws
// InvalidArgument naming the field if they disagree about one; `into_name` and `from_name` are
// whose they are.
void merge_mappings(input::JsonNode& into, const input::JsonNode& from,
                    const std::string& into_name, const std::string& from_name);

}  // namespace postern::opensearch
