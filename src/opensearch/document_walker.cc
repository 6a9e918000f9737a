#include "opensearch/document_walker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "input/errors.h"
#include "input/text_values.h"
#include "opensearch/dynamic_mapping.h"
#include "opensearch/field_builder.h"
#include "opensearch/own_names.h"
#include "postern/error.h"

namespace postern::opensearch {

namespace ondemand = input::ondemand;
using input::BadValue;
using input::check;
using input::quoted;
using input::taken;
using input::token_of;

namespace {

// Of arrays and objects in each other, the document itself included.
constexpr int kDeepest = 1000;
// A document that needed more memory than this does not keep it.
constexpr size_t kManyValues = size_t{1} << 16;
constexpr size_t kManyParts = size_t{1} << 12;

bool is_blank(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
}

std::string full_path(const ObjectMapper& object, std::string_view name) {
  return object.path.empty() ? std::string(name) : fmt::format("{}.{}", object.path, name);
}

[[noreturn]] void refuse_strict(const ObjectMapper& object, std::string_view name) {
  throw InvalidDocument(fmt::format("field [{}]: the mapping is strict and does not have it",
                                    full_path(object, name)));
}

bool is_null(std::string_view token) { return token == "null"; }

}  // namespace

void DocumentWalker::walk(ondemand::object& document, bool may_add) {
  may_add_ = may_add;
  if (parts_.size() > kManyParts) parts_.resize(1);
  part_count_ = 0;
  order_.clear();
  added_.clear();
  values_.start();
  guard_.start();
  const size_t root = add_part(nullptr, 0);
  if (tree_.root.enabled) {
    walk_object(document, tree_.root, root, 1);
  } else {
    skip_object(document, 1);
  }
  order_.push_back(root);
}

size_t DocumentWalker::add_part(const ObjectMapper* nested, size_t parent) {
  if (part_count_ == parts_.size()) parts_.emplace_back();
  BlockPart& part = parts_[part_count_];
  if (part.values.capacity() > kManyValues) part.values = {};
  part.values.clear();
  part.nested = nested;
  part.parent = parent;
  return part_count_++;
}

void DocumentWalker::check_depth(int depth) {
  if (depth <= kDeepest) return;
  throw InvalidDocument(
      fmt::format("objects and arrays nested deeper than {}, the limit", kDeepest));
}

void DocumentWalker::check_key(uint32_t object, std::string_view key, uint64_t hash) {
  if (guard_.insert(object, key, hash)) return;
  throw InvalidDocument(fmt::format("key {} is there twice in one object", quoted(key)));
}

void DocumentWalker::walk_object(ondemand::object& object, ObjectMapper& mapper, size_t part,
                                 int depth) {
  check_depth(depth);
  const uint32_t number = guard_.open();
  for (auto&& result : object) {
    auto field = taken<ondemand::field>(std::move(result));
    const std::string_view key = cursor_.key(field);
    const uint64_t hash = hash_name(key);
    check_key(number, key, hash);
    take(find(mapper, key, hash), field.value(), part, depth + 1);
  }
}

// --- which field

Mapper DocumentWalker::child(ObjectMapper& object, std::string_view name, uint64_t hash) {
  const Mapper known = object.child(name, hash);
  if (known || added_.places.empty()) return known;
  return added_.find(&object, name);
}

DocumentWalker::Place DocumentWalker::find(ObjectMapper& object, std::string_view key,
                                           uint64_t hash) {
  // Names in a mapping have no dots.
  if (const Mapper known = child(object, key, hash)) return {known, &object, key, object.dynamic};
  if (key.find('.') != key.npos) return find_dotted(object, key);
  if (key.empty()) throw InvalidDocument("a field name cannot be an empty string");
  if (object.path.empty()) {
    if (const char* why = why_reserved(key)) {
      throw InvalidDocument(fmt::format("field [{}]: {}", key, why));
    }
  }
  if (!object.path.empty() && is_blank(key)) {
    throw InvalidDocument(
        fmt::format("field name {} in [{}]: it is blank", quoted(key), object.path));
  }
  if (input::find_invalid_utf8(key) != kNoError) {
    throw InvalidDocument(fmt::format("field name {}: half a surrogate pair", quoted(key)));
  }
  return {{}, &object, key, object.dynamic};
}

// "a.b" is b in the object a. As in OpenSearch, dots at the end count for nothing.
DocumentWalker::Place DocumentWalker::find_dotted(ObjectMapper& object, std::string_view key) {
  std::string_view rest = key;
  while (rest.ends_with('.')) rest.remove_suffix(1);
  if (rest.empty()) throw InvalidDocument("a field name cannot consist of dots");
  for (size_t from = 0;;) {
    const size_t dot = std::min(rest.find('.', from), rest.size());
    const std::string_view part = rest.substr(from, dot - from);
    if (part.empty() || (part.size() < key.size() && is_blank(part))) {
      throw InvalidDocument(fmt::format(
          "field name {}: between dots there must be names that are not blank", quoted(key)));
    }
    if (dot == rest.size()) break;
    from = dot + 1;
  }
  ObjectMapper* at = &object;
  while (true) {
    const size_t dot = rest.find('.');
    const std::string_view name = rest.substr(0, dot);
    if (dot == rest.npos) {
      Place place = find(*at, name, hash_name(name));
      return place;
    }
    const Mapper next = child(*at, name, hash_name(name));
    if (next.field != nullptr) {
      throw InvalidDocument(fmt::format("field [{}]: {} is not an object", full_path(object, key),
                                        describe_field(next.field->path, next.field->type)));
    }
    if (next.object == nullptr) {
      find(*at, name, hash_name(name));  // whether it may be a name
      return {{}, at, rest, at->dynamic};
    }
    if (next.object->nested) {
      throw InvalidDocument(fmt::format(
          "field [{}]: it is in the nested object [{}], and must be written as an object",
          full_path(object, key), next.object->path));
    }
    at = next.object;
    if (!at->enabled) return {next, at, {}, Dynamic::kFalse};
    rest.remove_prefix(dot + 1);
  }
}

// --- values

void DocumentWalker::take(const Place& place, ondemand::value& value, size_t part, int depth) {
  if (place.mapper.object != nullptr) {
    take_mapped_object(*place.mapper.object, place, value, part, depth);
  } else if (place.mapper.field != nullptr) {
    take_field(*place.mapper.field, place, value, part, depth);
  } else {
    take_unmapped(place, value, part, depth);
  }
}

void DocumentWalker::take_mapped_object(ObjectMapper& mapper, const Place& place,
                                        ondemand::value& value, size_t part, int depth) {
  if (!mapper.enabled) return skip(value, depth);
  const std::string_view token = token_of(value);
  if (token == "[") {
    check_depth(depth);
    auto array = taken<ondemand::array>(value.get_array());
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      take_mapped_object(mapper, place, element, part, depth + 1);
    }
  } else if (token == "{") {
    auto object = taken<ondemand::object>(value.get_object());
    if (mapper.nested) {
      take_nested(mapper, object, part, depth);
    } else {
      walk_object(object, mapper, part, depth);
    }
  } else {
    const ReadScalar scalar = read_scalar(value, token);
    if (scalar.value.kind == Scalar::Kind::kNull) return;
    throw InvalidDocument(
        fmt::format("{}: a concrete value, {}, where objects are mapped",
                    describe_field(mapper.path, mapper.nested ? "nested" : "object"),
                    quoted(scalar.value.text)));
  }
}

void DocumentWalker::take_nested(ObjectMapper& mapper, ondemand::object& object, size_t parent,
                                 int depth) {
  if (part_count_ > tree_.limits.nested_objects) {
    throw InvalidDocument(
        fmt::format("more than {} nested objects, the limit (index.mapping.nested_objects.limit)",
                    tree_.limits.nested_objects));
  }
  const size_t part = add_part(&mapper, parent);
  walk_object(object, mapper, part, depth);
  order_.push_back(part);
  if (mapper.include_in_parent) include(parts_[part], parent);
  if (mapper.include_in_root && (!mapper.include_in_parent || parent != 0)) {
    include(parts_[part], 0);
  }
}

void DocumentWalker::include(const BlockPart& from, size_t to) {
  std::vector<FieldValue>& values = parts_[to].values;
  values.insert(values.end(), from.values.begin(), from.values.end());
}

void DocumentWalker::take_field(const FieldMapper& field, const Place& place,
                                ondemand::value& value, size_t part, int depth) {
  const std::string_view token = token_of(value);
  const char first = token.empty() ? '\0' : token.front();
  if (field.kind == FieldKind::kGeoPoint && (first == '[' || first == '{')) {
    return take_points(field, value, part, depth);
  }
  if (first == '[') {
    check_depth(depth);
    auto array = taken<ondemand::array>(value.get_array());
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      take_field(field, place, element, part, depth + 1);
    }
  } else if (first == '{') {
    if (is_new(field)) {
      throw InvalidDocument(
          fmt::format("field [{}]: an object, after a value of type [{}]", field.path, field.type));
    }
    values_.refuse_object(field);
    skip(value, depth);
  } else {
    const ReadScalar scalar = read_scalar(value, token);
    if (is_new(field)) require_same_type(field, scalar.value);
    add_value(field, scalar, part);
  }
}

void DocumentWalker::add_value(const FieldMapper& field, const ReadScalar& scalar, size_t part) {
  values_.add(field, scalar.value, scalar.escaped, parts_[part].values);
  if (!field.copy_to.empty()) copy(field, scalar, part);
}

// A value that is copied is read anew by the other field; it is not copied on from there.
void DocumentWalker::copy(const FieldMapper& field, const ReadScalar& scalar, size_t part) {
  for (const std::string& target : field.copy_to) {
    size_t to = part;
    while (to != 0) {
      const std::string& scope = parts_[to].nested->path;
      if (target.size() > scope.size() && target.starts_with(scope) && target[scope.size()] == '.')
        break;
      to = parts_[to].parent;
    }
    // From the root: a name with dots, whose objects may be nested ones.
    ObjectMapper* at = &tree_.root;
    std::string_view rest = target;
    Mapper mapper;
    while (true) {
      const size_t dot = rest.find('.');
      mapper = child(*at, rest.substr(0, dot), hash_name(rest.substr(0, dot)));
      if (mapper.object == nullptr || dot == rest.npos) break;
      at = mapper.object;
      rest.remove_prefix(dot + 1);
    }
    const bool found = mapper.field != nullptr && rest.find('.') == rest.npos;
    if (!found && mapper) {
      throw InvalidDocument(fmt::format("{}: [{}], which it is copied to, is not a field",
                                        describe_field(field.path, field.type), target));
    }
    if (!found) {
      if (at->dynamic == Dynamic::kStrict) refuse_strict(*at, rest);
      if (at->dynamic == Dynamic::kFalse || scalar.value.kind == Scalar::Kind::kNull) continue;
      mapper = make_field({{}, at, rest, at->dynamic}, scalar.value);
    } else if (is_new(*mapper.field)) {
      require_same_type(*mapper.field, scalar.value);
    }
    values_.add(*mapper.field, scalar.value, scalar.escaped, parts_[to].values);
  }
}

void DocumentWalker::take_points(const FieldMapper& field, ondemand::value& value, size_t part,
                                 int depth) {
  check_depth(depth);
  if (!field.copy_to.empty()) {
    throw InvalidDocument(fmt::format("{}: an object or array; only text can be copied (copy_to)",
                                      describe_field(field.path, field.type)));
  }
  reading_.points.clear();
  reading_.problem = nullptr;
  read_points(cursor_, value, field.ignore_z_value, reading_);
  for (const GeoPoint& point : reading_.points) {
    values_.add_point(field, point, parts_[part].values);
  }
  if (reading_.problem != nullptr) values_.refuse_point(field, "{…}", reading_.problem);
}

// --- values no field takes

void DocumentWalker::take_unmapped(const Place& place, ondemand::value& value, size_t part,
                                   int depth) {
  if (place.dynamic == Dynamic::kStrict) refuse_strict(*place.object, place.name);
  if (place.dynamic == Dynamic::kFalse) return skip(value, depth);
  const std::string_view token = token_of(value);
  if (token == "[") {
    check_depth(depth);
    auto array = taken<ondemand::array>(value.get_array());
    Place again = place;
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      // The first value may have made the field.
      if (!again.mapper && may_add_) {
        again = place.name.find('.') == place.name.npos
                    ? find(*place.object, place.name, hash_name(place.name))
                    : find_dotted(*place.object, place.name);
      }
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

// --- JSON

DocumentWalker::ReadScalar DocumentWalker::read_scalar(ondemand::value& value,
                                                       std::string_view token) {
  ReadScalar scalar;
  if (token.starts_with('"')) {
    check(value.get_raw_json_string().error());
    const std::string_view body = cursor_.body_of(token);
    scalar.value = {Scalar::Kind::kString, input::unescape(body, cursor_.scratch())};
    scalar.escaped = scalar.value.text.data() != body.data();
  } else if (is_null(token)) {
    scalar.value.kind = Scalar::Kind::kNull;
  } else if (token == "true" || token == "false") {
    scalar.value = {Scalar::Kind::kBoolean, token};
  } else if (input::is_json_number(token)) {
    scalar.value = {Scalar::Kind::kNumber, token};
  } else {
    cursor_.malformed("not a value", token.data());
  }
  return scalar;
}

// Reads a value for its grammar and its keys alone.
void DocumentWalker::skip(ondemand::value& value, int depth) {
  const std::string_view token = token_of(value);
  if (token == "{") {
    auto object = taken<ondemand::object>(value.get_object());
    skip_object(object, depth);
  } else if (token == "[") {
    check_depth(depth);
    auto array = taken<ondemand::array>(value.get_array());
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      skip(element, depth + 1);
    }
  } else {
    read_scalar(value, token);
  }
}

void DocumentWalker::skip_object(ondemand::object& object, int depth) {
  check_depth(depth);
  const uint32_t number = guard_.open();
  for (auto&& result : object) {
    auto field = taken<ondemand::field>(std::move(result));
    const std::string_view key = cursor_.key(field);
    check_key(number, key, hash_name(key));
    skip(field.value(), depth + 1);
  }
}

}  // namespace postern::opensearch
