// Reading and writing small JSON files with input/json_tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "input/json_tree.h"

namespace postern::opensearch {

// The node as compact JSON.
void append_json(std::string& out, const input::JsonNode& node);

// Members of an object that must be there; `file` begins the message. Throw InvalidArgument if one
// is missing or of another type.
const input::JsonNode& required(const input::JsonNode& object, std::string_view key,
                                input::JsonNode::Type type, const std::string& file);
const std::string& required_text(const input::JsonNode& object, std::string_view key,
                                 const std::string& file);
// An integer from 0 to `most`.
uint64_t required_number(const input::JsonNode& object, std::string_view key, uint64_t most,
                         const std::string& file);

}  // namespace postern::opensearch
