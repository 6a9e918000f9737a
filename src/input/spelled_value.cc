#include "input/spelled_value.h"

#include <fmt/format.h>

#include <optional>

#include "base/sortable_bits.h"
#include "input/errors.h"
#include "input/foreign_names.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

template <class T>
T required(const std::optional<T>& number, const SchemaField& field, std::string_view value) {
  if (!number) {
    const char* article = field.kind == FieldKind::kInt ? "an" : "a";
    const bool real = field.kind == FieldKind::kFloat || field.kind == FieldKind::kDouble;
    throw BadValue(fmt::format("not {} {}: {}{}", article, kind_name(field.kind), quoted(value),
                               real ? special_number_hint(value) : ""));
  }
  return *number;
}

}  // namespace

void PackedPoint::add(std::string_view number) {
  const FieldType& type = field_.definition.type();
  if (numbers_ == type.point_dimensions) refuse(numbers_ + 1);
  if (bytes_ == nullptr) {
    bytes_ = scratch_.allocate(size_t{type.point_dimensions} * type.point_bytes);
  }
  auto* out = reinterpret_cast<uint8_t*>(bytes_) + numbers_++ * type.point_bytes;
  switch (field_.kind) {
    case FieldKind::kInt:
      return pack_int(required(parse_int(number), field_, number), out);
    case FieldKind::kLong:
      return pack_long(required(parse_long(number), field_, number), out);
    case FieldKind::kFloat:
      return pack_float(required(parse_float(number), field_, number), out);
    default:
      return pack_double(required(parse_double(number), field_, number), out);
  }
}

std::string_view PackedPoint::take() {
  const FieldType& type = field_.definition.type();
  if (numbers_ != type.point_dimensions) refuse(numbers_);
  std::string_view point(bytes_, size_t{type.point_dimensions} * type.point_bytes);
  bytes_ = nullptr;
  numbers_ = 0;
  return point;
}

void PackedPoint::refuse(size_t numbers) const {
  throw BadValue(fmt::format("a point of {} numbers{}; the field has {} dimensions", numbers,
                             numbers > field_.definition.type().point_dimensions ? " or more" : "",
                             field_.definition.type().point_dimensions));
}

void add_spelled_value(Document& document, const SchemaField& field, std::string_view value) {
  if (const uint8_t dims = field.definition.type().point_dimensions; dims > 1) {
    throw BadValue(fmt::format("not an array of {} numbers: {}", dims, quoted(value)));
  }
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
