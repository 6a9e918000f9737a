#include "opensearch/document_walker.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/errors.h"
#include "input/text_values.h"
#include "opensearch/field_builder.h"
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
    Place place = find(mapper, key, hash);
    place.holder = &mapper;
    take(place, field.value(), part, depth + 1);
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
  if (reading_.problem != nullptr) {
    values_.refuse_point(field, "{…}", reading_.problem);
  } else if (reading_.points.empty()) {
    values_.add_name(field, parts_[part].values);  // [] counts as there
  }
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
  } else if (token == "null") {
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
