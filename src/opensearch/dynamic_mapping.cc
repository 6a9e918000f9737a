#include "opensearch/dynamic_mapping.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "input/errors.h"
#include "input/text_values.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

namespace {

JsonNode string_node(std::string_view text) {
  JsonNode node;
  node.type = JsonNode::Type::kString;
  node.text = text;
  return node;
}

void set(JsonNode& object, std::string_view key, JsonNode value) {
  object.keys.emplace_back(key);
  object.items.push_back(std::move(value));
}

JsonNode of_type(std::string_view type) {
  JsonNode node;
  node.type = JsonNode::Type::kObject;
  set(node, "type", string_node(type));
  return node;
}

JsonNode text_with_keyword() {
  JsonNode keyword = of_type("keyword");
  JsonNode limit;
  limit.type = JsonNode::Type::kNumber;
  limit.text = "256";
  set(keyword, "ignore_above", std::move(limit));
  JsonNode fields;
  fields.type = JsonNode::Type::kObject;
  set(fields, "keyword", std::move(keyword));
  JsonNode text = of_type("text");
  set(text, "fields", std::move(fields));
  return text;
}

JsonNode date_of(const DateFormat& format) {
  JsonNode date = of_type("date");
  if (format.text() != DateFormat::kDefault) {
    set(date, "format", string_node(format.text()));
    // What OpenSearch shows dates with: the first of the formats.
    set(date, "print_format",
        string_node(std::string_view(format.text()).substr(0, format.text().find("||"))));
  }
  return date;
}

}  // namespace

JsonNode dynamic_parameters(const MappingTree& tree, const Scalar& value) {
  if (value.kind == Scalar::Kind::kBoolean) return of_type("boolean");
  if (value.kind == Scalar::Kind::kNumber) {
    return of_type(value.text.find_first_of(".eE") == value.text.npos ? "long" : "float");
  }
  const bool is_number = input::parse_double(value.text).has_value();
  if (tree.numeric_detection) {
    if (input::parse_long(value.text)) return of_type("long");
    if (is_number) return of_type("float");
  }
  // A number may well be meant as one, although a format would take it.
  if (tree.date_detection && !is_number) {
    for (const DateFormat& format : tree.date_formats) {
      int64_t time = 0;
      switch (format.read(value.text, DateResolution::kMilliseconds, time)) {
        case DateOutcome::kYes:
          return date_of(format);
        case DateOutcome::kNo:
          break;
        case DateOutcome::kRefused:
          throw InvalidDocument(
              fmt::format("value {}: it looks like a date of the format {}, which has no such day; "
                          "declare the field, or switch date_detection off",
                          input::quoted(value.text), input::quoted(format.text())));
      }
    }
  }
  return text_with_keyword();
}

}  // namespace postern::opensearch
