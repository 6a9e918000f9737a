#include "input/spelled_value.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/bytes.h"
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

PackedVector::PackedVector(const SchemaField& field, Scratch& scratch)
    : field_(field), dimension_(field.definition.type().vector_dimension) {
  const bool of_bytes = field.definition.type().vector_encoding == VectorEncoding::kByte;
  component_bytes_ = of_bytes ? 1 : sizeof(float);
  bytes_ = scratch.allocate(dimension_ * component_bytes_);
}

void PackedVector::add(std::string_view number) {
  if (count_ == dimension_) refuse_length(" or more", count_ + 1);
  char* const out = bytes_ + count_ * component_bytes_;
  if (component_bytes_ == 1) {
    const std::optional<int32_t> value = parse_int(number);
    if (!value || *value < -128 || *value > 127) {
      throw BadValue(
          fmt::format("component {} is {}; a vector of bytes takes whole numbers from "
                      "-128 to 127 (subtract 128 from those that begin at 0)",
                      count_, number));
    }
    *out = static_cast<char>(*value);
  } else {
    const std::optional<float> value = parse_float(number);
    if (!value) throw BadValue(fmt::format("component {} is no number: {}", count_, number));
    if (!std::isfinite(*value)) {
      throw BadValue(
          fmt::format("component {} is {}, which is not a finite float; leave the whole "
                      "field out where there is no vector",
                      count_, number));
    }
    store_le(out, *value);
  }
  ++count_;
}

void PackedVector::add_to(Document& document) {
  if (count_ != dimension_) refuse_length("", count_);
  document.add({.field = &field_.definition,
                .kind = component_bytes_ == 1 ? ValueKind::kByteVector : ValueKind::kFloatVector,
                .bytes = {bytes_, dimension_ * component_bytes_}});
}

void PackedVector::refuse_length(std::string_view more, size_t numbers) const {
  throw BadValue(fmt::format("a vector of {} numbers{}; the schema says \"dimension\": {}", numbers,
                             more, dimension_));
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
    case FieldKind::kVector:
      throw BadValue(fmt::format("not an array of {} numbers: {}",
                                 field.definition.type().vector_dimension, quoted(value)));
  }
}

}  // namespace postern::input
