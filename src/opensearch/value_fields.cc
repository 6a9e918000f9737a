// Fields of numbers, booleans, dates, addresses and points.
#include <fmt/format.h>

#include "input/errors.h"
#include "opensearch/field_draft.h"
#include "opensearch/ip_address.h"
#include "postern/error.h"

namespace postern::opensearch {

void FieldBuilder::build_number(NumberType number) {
  field_->kind = FieldKind::kNumber;
  field_->number = number;
  Aspects aspects = take_aspects();
  aspects.skip_list = parameters_.boolean("skip_list", false);
  field_->coerce = parameters_.boolean("coerce", context_.coerce);
  field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
  parameters_.keep({"boost"});
  take_null_value();
  if (!field_->null_value.text.empty() &&
      !parse_number(number, field_->null_value.text,
                    field_->null_value.kind == Scalar::Kind::kString ? JsonScalar::kString
                                                                     : JsonScalar::kNumber,
                    false)
           .ok()) {
    // As OpenSearch does with strings; a number's own spelling must fit as it is.
    if (field_->null_value.kind != Scalar::Kind::kString ||
        !parse_number(number, field_->null_value.text, JsonScalar::kString, true).ok()) {
      parameters_.fail("null_value", fmt::format("{} is not a {}",
                                                 input::quoted(field_->null_value.text), type_));
    }
  }
  note_existence(aspects);
  define_number(aspects);
}

void FieldBuilder::define_number(const Aspects& aspects) {
  FieldType column;
  if (aspects.doc_values) {
    column.doc_values = DocValuesType::kSortedNumeric;
    column.doc_values_skip_index = aspects.skip_list;
  }
  FieldType type;
  const auto bytes = static_cast<uint8_t>(point_bytes(field_->number));
  if (aspects.index) set_point(type, bytes);
  FieldType stored;
  stored.stored = true;
  // What is stored of the other types is not the number of their doc value.
  const bool one_value = bytes == 4 || bytes == 8;
  const bool same_stored = one_value && field_->number < NumberType::kUnsignedLong;
  if (one_value) {
    type.doc_values = column.doc_values;
    type.doc_values_skip_index = column.doc_values_skip_index;
    type.stored = aspects.store && same_stored;
  } else if (aspects.doc_values) {
    field_->column = define(column);
  }
  if (aspects.index || type.doc_values != DocValuesType::kNone || type.stored) {
    field_->main = define(type);
  }
  if (aspects.store && !same_stored) field_->stored = define(stored);
}

void FieldBuilder::build_boolean() {
  field_->kind = FieldKind::kBoolean;
  const Aspects aspects = take_aspects();
  field_->ignore_malformed = context_.ignore_malformed;
  parameters_.keep({"boost"});
  take_null_value();
  if (const std::string& text = field_->null_text;
      field_->null_value.kind != Scalar::Kind::kNull && text != "true" && text != "false") {
    parameters_.fail("null_value",
                     fmt::format("{} is neither true nor false", input::quoted(text)));
  }
  if (aspects.index || aspects.store) {
    FieldType type;
    type.tokenized = false;
    type.omit_norms = true;
    type.stored = aspects.store;
    if (aspects.index) type.index_options = IndexOptions::kDocs;
    field_->main = define(type);
  }
  if (aspects.doc_values) {
    FieldType column;
    column.doc_values = DocValuesType::kSortedNumeric;
    field_->column = define(column);
  }
  note_existence(aspects);
}

void FieldBuilder::build_date() {
  field_->kind = FieldKind::kDate;
  field_->resolution =
      type_ == "date" ? DateResolution::kMilliseconds : DateResolution::kNanoseconds;
  Aspects aspects = take_aspects();
  // The field of this name has one whatever the mapping says.
  aspects.skip_list = parameters_.boolean("skip_list", false) || field_->path == "@timestamp";
  if (const auto locale = parameters_.string("locale");
      locale && !locale->empty() && *locale != "en" && *locale != "ROOT") {
    parameters_.not_supported("locale", "names of months and days are not read");
  }
  try {
    field_->format = DateFormat::compile(
        parameters_.string("format").value_or(std::string(DateFormat::kDefault)));
  } catch (const NotSupported& e) {
    parameters_.not_supported("format", e.what());
  } catch (const InvalidArgument& e) {
    parameters_.fail("format", e.what());
  }
  field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
  parameters_.keep({"boost", "print_format"});
  take_null_value();
  if (field_->null_value.kind != Scalar::Kind::kNull &&
      !field_->format->parse(field_->null_text, field_->resolution)) {
    parameters_.fail("null_value",
                     fmt::format("{} does not match the format", input::quoted(field_->null_text)));
  }
  note_existence(aspects);
  FieldType type;
  if (aspects.index) set_point(type, 8);
  if (aspects.doc_values) {
    type.doc_values = DocValuesType::kSortedNumeric;
    type.doc_values_skip_index = aspects.skip_list;
  }
  type.stored = aspects.store;
  define_if_any(aspects, type);
}

void FieldBuilder::build_ip() {
  field_->kind = FieldKind::kIp;
  const Aspects aspects = take_aspects();
  field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
  parameters_.keep({"boost", "similarity"});
  take_null_value();
  if (field_->null_value.kind != Scalar::Kind::kNull && !parse_ip(field_->null_text)) {
    parameters_.fail("null_value",
                     fmt::format("{} is not an address", input::quoted(field_->null_text)));
  }
  note_existence(aspects);
  FieldType type;
  if (aspects.index) set_point(type, 16);
  if (aspects.doc_values) type.doc_values = DocValuesType::kSortedSet;
  type.stored = aspects.store;
  define_if_any(aspects, type);
}

void FieldBuilder::define_if_any(const Aspects& aspects, const FieldType& type) {
  if (aspects.index || aspects.doc_values || aspects.store) field_->main = define(type);
}

void FieldBuilder::build_geo_point() {
  field_->kind = FieldKind::kGeoPoint;
  const Aspects aspects{.doc_values = parameters_.boolean("doc_values", true),
                        .store = parameters_.boolean("store", false)};
  parameters_.keep({"index"});
  field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
  field_->ignore_z_value = parameters_.boolean("ignore_z_value", true);
  if (const input::JsonNode* value = parameters_.take("null_value");
      value != nullptr && value->type != input::JsonNode::Type::kNull) {
    field_->null_point = point_of(*value);
    if (!field_->null_point || !is_valid(*field_->null_point)) {
      parameters_.fail("null_value", fmt::format("{} is not a point", shown(*value)));
    }
  }
  // A point whatever "index" says, as OpenSearch has it.
  FieldType point;
  set_point(point, 4, 2);
  field_->main = define(point);
  field_->in_field_names = !aspects.doc_values;
  if (aspects.doc_values) {
    FieldType column;
    column.doc_values = DocValuesType::kSortedNumeric;
    field_->column = define(column);
  }
  if (aspects.store) {
    FieldType stored;
    stored.stored = true;
    field_->stored = define(stored);
  }
}

// A null_value: a string, or an object with both coordinates.
std::optional<GeoPoint> FieldBuilder::point_of(const input::JsonNode& node) {
  if (node.is_string()) return parse_geo_point(node.text);
  const input::JsonNode* lat = node.find("lat");
  const input::JsonNode* lon = node.find("lon");
  if (lat == nullptr || lon == nullptr || node.keys.size() != 2) return std::nullopt;
  const auto y = parse_coordinate(lat->text);
  const auto x = parse_coordinate(lon->text);
  if (!y || !x) return std::nullopt;
  return GeoPoint{*y, *x};
}

}  // namespace postern::opensearch
