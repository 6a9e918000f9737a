// Which field a key of a document names.
#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "input/errors.h"
#include "input/text_values.h"
#include "opensearch/document_walker.h"
#include "opensearch/field_builder.h"
#include "opensearch/own_names.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::quoted;

namespace {

bool is_blank(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
}

}  // namespace

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

}  // namespace postern::opensearch
