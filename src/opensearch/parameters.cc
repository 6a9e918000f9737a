#include "opensearch/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/errors.h"
#include "input/text_values.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

std::string shown(const JsonNode& node) {
  switch (node.type) {
    case JsonNode::Type::kNull:
      return "null";
    case JsonNode::Type::kString:
      return input::quoted(node.text);
    case JsonNode::Type::kArray:
      return "an array";
    case JsonNode::Type::kObject:
      return "an object";
    default:
      return node.text;
  }
}

Parameters::Parameters(const JsonNode& node, std::string what)
    : node_(node), what_(std::move(what)), taken_(node.keys.size()) {
  std::vector<std::string_view> keys(node.keys.begin(), node.keys.end());
  std::ranges::sort(keys);
  if (const auto twice = std::ranges::adjacent_find(keys); twice != keys.end()) {
    fail(*twice, "it is there twice");
  }
}

void Parameters::fail(std::string_view key, std::string_view why) const {
  throw InvalidArgument(fmt::format("{}: parameter [{}]: {}", what_, key, why));
}

void Parameters::not_supported(std::string_view key, std::string_view why) const {
  throw NotSupported(fmt::format("{}: parameter [{}] is not supported: {}", what_, key, why));
}

const JsonNode* Parameters::take(std::string_view key) {
  const auto found = std::ranges::find(node_.keys, key);
  if (found == node_.keys.end()) return nullptr;
  const auto index = static_cast<size_t>(found - node_.keys.begin());
  taken_[index] = true;
  return &node_.items[index];
}

bool Parameters::boolean(std::string_view key, bool otherwise) {
  const JsonNode* value = take(key);
  if (value == nullptr) return otherwise;
  const bool spelled =
      value->type == JsonNode::Type::kBoolean || value->type == JsonNode::Type::kString;
  if (!spelled || (value->text != "true" && value->text != "false")) {
    fail(key, fmt::format("must be true or false, got {}", shown(*value)));
  }
  return value->text == "true";
}

uint32_t Parameters::integer(std::string_view key, uint32_t otherwise) {
  const JsonNode* value = take(key);
  if (value == nullptr) return otherwise;
  const bool spelled =
      value->type == JsonNode::Type::kNumber || value->type == JsonNode::Type::kString;
  const auto number = spelled ? input::parse_int(value->text) : std::nullopt;
  if (!number || *number < 0) {
    fail(key, fmt::format("must be an integer from 0 to 2147483647, got {}", shown(*value)));
  }
  return static_cast<uint32_t>(*number);
}

std::optional<std::string> Parameters::string(std::string_view key) {
  const JsonNode* value = take(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(key, fmt::format("must be a string, got {}", shown(*value)));
  return value->text;
}

std::string Parameters::one_of(std::string_view key, std::string_view otherwise,
                               std::initializer_list<std::string_view> known) {
  const std::optional<std::string> value = string(key);
  if (!value) return std::string(otherwise);
  if (std::ranges::find(known, *value) == known.end()) {
    fail(key,
         fmt::format("unknown value {}; known: {}", input::quoted(*value), fmt::join(known, ", ")));
  }
  return *value;
}

void Parameters::keep(std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) take(key);
}

void Parameters::refuse(
    std::initializer_list<std::pair<std::string_view, std::string_view>> keys_and_reasons) {
  for (const auto& [key, reason] : keys_and_reasons) {
    if (take(key) != nullptr) not_supported(key, reason);
  }
}

void Parameters::finish() const {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]) fail(node_.keys[i], "OpenSearch does not know it here");
  }
}

}  // namespace postern::opensearch
