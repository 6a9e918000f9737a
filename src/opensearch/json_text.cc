#include "opensearch/json_text.h"

#include <fmt/format.h>

#include <charconv>

#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;
using Type = JsonNode::Type;

void append_json(std::string& out, const JsonNode& node) {
  switch (node.type) {
    case Type::kNull:
      out += "null";
      break;
    case Type::kBoolean:
    case Type::kNumber:
      out += node.text;
      break;
    case Type::kString:
      out += input::json_quote(node.text);
      break;
    case Type::kArray:
      out += '[';
      for (size_t i = 0; i < node.items.size(); ++i) {
        if (i != 0) out += ',';
        append_json(out, node.items[i]);
      }
      out += ']';
      break;
    case Type::kObject:
      out += '{';
      for (size_t i = 0; i < node.items.size(); ++i) {
        if (i != 0) out += ',';
        out += input::json_quote(node.keys[i]);
        out += ':';
        append_json(out, node.items[i]);
      }
      out += '}';
      break;
  }
}

const JsonNode& required(const JsonNode& object, std::string_view key, Type type,
                         const std::string& file) {
  const JsonNode* member = object.is_object() ? object.find(key) : nullptr;
  if (member == nullptr) throw InvalidArgument(fmt::format("{}: \"{}\" is missing", file, key));
  if (member->type != type) {
    throw InvalidArgument(fmt::format("{}: \"{}\" is of the wrong type", file, key));
  }
  return *member;
}

const std::string& required_text(const JsonNode& object, std::string_view key,
                                 const std::string& file) {
  return required(object, key, Type::kString, file).text;
}

uint64_t required_number(const JsonNode& object, std::string_view key, uint64_t most,
                         const std::string& file) {
  const std::string& text = required(object, key, Type::kNumber, file).text;
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || number > most) {
    throw InvalidArgument(fmt::format("{}: \"{}\" is not an integer from 0 to {}: {}", file, key,
                                      most, input::quoted(text)));
  }
  return number;
}

}  // namespace postern::opensearch
