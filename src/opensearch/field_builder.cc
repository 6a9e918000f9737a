#include "opensearch/field_builder.h"

#include <fmt/format.h>

#include "codec/java_hash_order.h"
#include "index/field_order.h"
#include "input/errors.h"
#include "opensearch/field_draft.h"
#include "opensearch/known_types.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

FieldBuilder::FieldBuilder(const std::string& path, const input::JsonNode& node,
                           const FieldContext& context, bool is_multi_field)
    : context_(context),
      is_multi_field_(is_multi_field),
      field_(std::make_unique<FieldMapper>()),
      type_(type_of(path, node)),
      parameters_(node, describe_field(path, type_)) {
  field_->path = path;
  field_->type = type_;
  field_->parameters = node;
}

std::unique_ptr<FieldMapper> FieldBuilder::build() {
  parameters_.take("type");
  if (type_ == "alias") {
    build_alias();
  } else if (type_ == "text") {
    build_text();
  } else if (type_ == "keyword") {
    build_keyword();
  } else if (type_ == "boolean") {
    build_boolean();
  } else if (type_ == "date" || type_ == "date_nanos") {
    build_date();
  } else if (type_ == "ip") {
    build_ip();
  } else if (type_ == "geo_point") {
    build_geo_point();
  } else if (const auto number = number_type(type_)) {
    build_number(*number);
  } else {
    refuse_type(field_->path, type_);
  }
  take_common();
  parameters_.finish();
  return std::move(field_);
}

std::string FieldBuilder::type_of(const std::string& path, const input::JsonNode& node) {
  const input::JsonNode* type = node.find("type");
  if (type == nullptr) {
    throw InvalidArgument(fmt::format("field [{}]: no \"type\"", path));
  }
  if (!type->is_string()) {
    throw InvalidArgument(
        fmt::format("field [{}]: \"type\" must be a string, got {}", path, shown(*type)));
  }
  return type->text;
}

Aspects FieldBuilder::take_aspects() {
  Aspects aspects;
  aspects.index = parameters_.boolean("index", true);
  aspects.doc_values = parameters_.boolean("doc_values", true);
  aspects.store = parameters_.boolean("store", false);
  return aspects;
}

// Documents are found by the field's own norms or doc values, else by their names.
void FieldBuilder::note_existence(const Aspects& aspects) {
  field_->in_field_names = !aspects.doc_values && (aspects.index || aspects.store);
}

void FieldBuilder::build_alias() {
  field_->kind = FieldKind::kAlias;
  const auto target = parameters_.string("path");
  if (!target) parameters_.fail("path", "an alias needs it");
  if (is_multi_field_) parameters_.fail("type", "an alias cannot be a multi-field");
}

void FieldBuilder::take_null_value() {
  const input::JsonNode* value = parameters_.take("null_value");
  if (value == nullptr || value->type == input::JsonNode::Type::kNull) return;
  if (value->is_array() || value->is_object()) {
    parameters_.fail("null_value", fmt::format("must be one value, got {}", shown(*value)));
  }
  field_->null_text = value->text;
  field_->null_value.text = field_->null_text;
  field_->null_value.kind = value->is_string() ? Scalar::Kind::kString
                            : value->type == input::JsonNode::Type::kNumber
                                ? Scalar::Kind::kNumber
                                : Scalar::Kind::kBoolean;
}

void FieldBuilder::take_common() {
  if (const input::JsonNode* meta = parameters_.take("meta");
      meta != nullptr && !meta->is_object()) {
    parameters_.fail("meta", "must be an object");
  }
  const input::JsonNode* copy_to = parameters_.take("copy_to");
  if (copy_to != nullptr && is_multi_field_) {
    parameters_.fail("copy_to", "it may not be used to copy from a multi-field");
  }
  if (copy_to != nullptr) take_copy_to(*copy_to);
  const input::JsonNode* fields = parameters_.take("fields");
  if (fields != nullptr) take_fields(*fields);
}

void FieldBuilder::take_copy_to(const input::JsonNode& node) {
  auto add = [&](const input::JsonNode& target) {
    if (!target.is_string() || target.text.empty()) {
      parameters_.fail("copy_to", "must be the full name of a field, or an array of names");
    }
    field_->copy_to.push_back(target.text);
  };
  if (!node.is_array()) return add(node);
  for (const input::JsonNode& target : node.items) add(target);
}

void FieldBuilder::take_fields(const input::JsonNode& node) {
  if (node.is_array() && node.items.empty()) return;
  if (!node.is_object()) parameters_.fail("fields", "must be an object");
  if (field_->kind == FieldKind::kGeoPoint && !node.keys.empty()) {
    parameters_.not_supported("fields", "a geo_point has no multi-fields here");
  }
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& name = node.keys[i];
    const std::string path = field_->path + "." + name;
    if (name.empty() || name.find('.') != name.npos) {
      throw InvalidArgument(
          fmt::format("field [{}]: the name of a multi-field must not be "
                      "empty or have dots",
                      path));
    }
    if (!node.items[i].is_object()) {
      throw InvalidArgument(fmt::format("field [{}]: must be an object", path));
    }
    for (size_t k = 0; k < i; ++k) {
      if (node.keys[k] == name)
        throw InvalidArgument(fmt::format("field [{}] is there twice", path));
    }
    auto field = FieldBuilder(path, node.items[i], context_, true).build();
    if (field->kind == FieldKind::kGeoPoint) {
      throw NotSupported(describe_field(path, field->type) + ": as a multi-field");
    }
    field_->fields.push_back(std::move(field));
  }
  // A node keeps them in a hash map, and Lucene's fields get their numbers in its order.
  codec::sort_as_java_map(field_->fields,
                          [](const auto& field) { return index::java_string_hash(field->name()); });
}

std::string describe_field(std::string_view path, std::string_view type) {
  return fmt::format("field [{}] of type [{}]", path, type);
}

std::unique_ptr<FieldMapper> build_field(const std::string& path, const JsonNode& node,
                                         const FieldContext& context) {
  return FieldBuilder(path, node, context, false).build();
}

}  // namespace postern::opensearch
