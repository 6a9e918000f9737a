// The file of a mapping: where in it the mapping stands, and what stands beside it.
#pragma once

#include "input/json_tree.h"
#include "opensearch/index_settings.h"
#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

// The `mappings` object itself, of three shapes a file may have: that object, the body of a
// create-index call, or the answer of GET INDEX. Settings are read, aliases noted. Throws
// InvalidArgument (also for several indexes) and NotSupported.
const input::JsonNode& find_mappings(const input::JsonNode& document, IndexSettings& settings,
                                     MappingTree& tree);

}  // namespace postern::opensearch
