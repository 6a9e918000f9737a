// One field of a mapping: its parameters, and what its values become
// (docs/opensearch_mappings.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "input/json_tree.h"
#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

// What a field takes from its index.
struct FieldContext {
  bool coerce = true;
  bool ignore_malformed = false;
  // Throws if the index's settings make another analyzer of the name than OpenSearch ships; may be
  // empty.
  std::function<void(const std::string& what, std::string_view analyzer)> check_analyzer;
};

// `node` is the field's object in the mapping; it has a "type". Throws InvalidArgument or
// NotSupported.
std::unique_ptr<FieldMapper> build_field(const std::string& path, const input::JsonNode& node,
                                         const FieldContext& context);

// `field [a.b] of type [long]`.
std::string describe_field(std::string_view path, std::string_view type);

}  // namespace postern::opensearch
