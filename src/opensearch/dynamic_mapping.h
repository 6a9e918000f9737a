// Which field a value becomes that no field of the mapping takes.
#pragma once

#include "input/json_tree.h"
#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

// The parameters OpenSearch gives to a new field for its first value: long, float, boolean, date
// (if it looks like one and `date_detection` is on), else text with a keyword beside it. Requires a
// value other than null. Throws InvalidDocument for what looks like a date but is none, as a node
// does.
input::JsonNode dynamic_parameters(const MappingTree& tree, const Scalar& value);

}  // namespace postern::opensearch
