// JSON as a tree, strictly read: for schemas and for the few documents a schema is inferred from.
// Objects keep the order and the repetitions of their keys, numbers their spelling.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "input/errors.h"

namespace postern::input {

struct JsonNode {
  enum class Type { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Type type = Type::kNull;
  std::string text;               // string (WTF-8), or a number or boolean as spelled
  std::vector<std::string> keys;  // of an object, beside items
  std::vector<JsonNode> items;    // elements or values

  bool is_string() const { return type == Type::kString; }
  bool is_array() const { return type == Type::kArray; }
  bool is_object() const { return type == Type::kObject; }
  // The first value of a key, or null.
  const JsonNode* find(std::string_view key) const;
};

// Throws BadValue with line and column (both from 1, columns in bytes). Nesting beyond 64 is
// refused; text must be valid UTF-8.
JsonNode parse_json(std::string_view text);

// A JSON string with its quotes. Unpaired surrogates of WTF-8 are written as escapes.
std::string json_quote(std::string_view text);

}  // namespace postern::input
