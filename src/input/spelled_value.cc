#include "input/spelled_value.h"

#include <fmt/format.h>

#include <optional>

#include "input/errors.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

template <class T>
T required(const std::optional<T>& number, const SchemaField& field, std::string_view value) {
  if (!number) {
    const char* article = field.kind == FieldKind::kInt ? "an" : "a";
    throw BadValue(fmt::format("not {} {}: {}", article, kind_name(field.kind), quoted(value)));
  }
  return *number;
}

}  // namespace

void add_spelled_value(Document& document, const SchemaField& field, std::string_view value) {
  switch (field.kind) {
    case FieldKind::kText:
    case FieldKind::kKeyword:
      document.add_text(field.definition, value);
      break;
    case FieldKind::kInt:
      document.add_int(field.definition, required(parse_int(value), field, value));
      break;
    case FieldKind::kLong:
      document.add_long(field.definition, required(parse_long(value), field, value));
      break;
    case FieldKind::kFloat:
      document.add_float(field.definition, required(parse_float(value), field, value));
      break;
    case FieldKind::kDouble:
      document.add_double(field.definition, required(parse_double(value), field, value));
      break;
    case FieldKind::kBinary:
      throw BadValue("a binary field takes no plain text");
  }
}

}  // namespace postern::input
