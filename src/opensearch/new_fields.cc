// Fields that a document brings.
#include <fmt/format.h>

#include <algorithm>

#include "input/errors.h"
#include "opensearch/document_walker.h"
#include "opensearch/dynamic_mapping.h"
#include "opensearch/field_builder.h"
#include "postern/error.h"

namespace postern::opensearch {

namespace ondemand = input::ondemand;
using input::quoted;
using input::taken;
using input::token_of;

std::string full_path(const ObjectMapper& object, std::string_view name) {
  return object.path.empty() ? std::string(name) : fmt::format("{}.{}", object.path, name);
}

void DocumentWalker::refuse_strict(const ObjectMapper& object, std::string_view name) {
  throw InvalidDocument(fmt::format("field [{}]: the mapping is strict and does not have it",
                                    full_path(object, name)));
}

void DocumentWalker::take_unmapped(const Place& place, ondemand::value& value, size_t part,
                                   int depth) {
  const std::string_view token = token_of(value);
  // OpenSearch asks the object alone whether it is strict, and not those it is in, about a null.
  if (token == "null" && !place.holder->strict_itself) return;
  if (place.dynamic == Dynamic::kStrict) refuse_strict(*place.object, place.name);
  if (place.dynamic == Dynamic::kFalse) return skip(value, depth);
  if (token == "[") {
    check_depth(depth);
    auto array = taken<ondemand::array>(value.get_array());
    Place again = place;
    // The objects of a name with dots come into being even if nothing is in the array.
    if (place.name.find('.') != place.name.npos) {
      if (!may_add_) throw NeedsNewField();
      again.object = &make_parents(place, again.name);
      again.dynamic = again.object->dynamic;
    }
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      // The first value may have made the field.
      if (!again.mapper && may_add_) {
        again = find(*again.object, again.name, hash_name(again.name));
      }
      again.holder = place.holder;
      take(again, element, part, depth + 1);
    }
  } else if (token == "{") {
    if (!may_add_) throw NeedsNewField();
    ObjectMapper& mapper = make_object(place);
    auto object = taken<ondemand::object>(value.get_object());
    walk_object(object, mapper, part, depth);
  } else {
    const ReadScalar scalar = read_scalar(value, token);
    if (scalar.value.kind == Scalar::Kind::kNull) return;
    add_value(*make_field(place, scalar.value).field, scalar, part);
  }
}

ObjectMapper& DocumentWalker::make_parents(const Place& place, std::string_view& last) {
  ObjectMapper* at = place.object;
  last = place.name;
  for (size_t dot; (dot = last.find('.')) != last.npos; last.remove_prefix(dot + 1)) {
    at = &make_object({{}, at, last.substr(0, dot), at->dynamic});
  }
  return *at;
}

ObjectMapper& DocumentWalker::make_object(const Place& place) {
  if (!may_add_) throw NeedsNewField();
  std::string_view name;
  ObjectMapper& parent = make_parents(place, name);
  if (const Mapper made = child(parent, name, hash_name(name)); made.object != nullptr) {
    return *made.object;
  }
  auto object = std::make_unique<ObjectMapper>();
  object->path = full_path(parent, name);
  object->dynamic = parent.dynamic;
  ObjectMapper& result = *object;
  added_.places.push_back({&parent, {.object = &result}});
  added_.objects.push_back(std::move(object));
  if (added_.places.size() > tree_.limits.total_fields) tree_.check_limits(added_);
  return result;
}

Mapper DocumentWalker::make_field(const Place& place, const Scalar& value) {
  if (!may_add_) throw NeedsNewField();
  std::string_view name;
  ObjectMapper& parent = make_parents(place, name);
  const FieldContext context{tree_.coerce, tree_.ignore_malformed, {}};
  auto field = build_field(full_path(parent, name), dynamic_parameters(tree_, value), context);
  const Mapper mapper{.field = field.get()};
  added_.places.push_back({&parent, mapper});
  added_.fields.push_back(std::move(field));
  if (added_.places.size() > tree_.limits.total_fields) tree_.check_limits(added_);
  return mapper;
}

bool DocumentWalker::is_new(const FieldMapper& field) const {
  return !added_.fields.empty() &&
         std::ranges::any_of(added_.fields, [&](const auto& f) { return f.get() == &field; });
}

// Values of one document for a field it brings must agree on what the field is.
void DocumentWalker::require_same_type(const FieldMapper& field, const Scalar& value) {
  if (value.kind == Scalar::Kind::kNull) return;
  const input::JsonNode wanted = dynamic_parameters(tree_, value);
  const input::JsonNode* format = wanted.find("format");
  const input::JsonNode* given = field.parameters.find("format");
  const bool same_format =
      (format == nullptr ? "" : format->text) == (given == nullptr ? "" : given->text);
  if (wanted.find("type")->text == field.type && same_format) return;
  throw InvalidDocument(fmt::format(
      "field [{}]: value {} would be of type [{}], an earlier one of the document is of type [{}]; "
      "declare the field in the mapping",
      field.path, quoted(value.text), wanted.find("type")->text, field.type));
}

}  // namespace postern::opensearch
