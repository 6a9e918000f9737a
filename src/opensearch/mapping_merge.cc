#include "opensearch/mapping_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "opensearch/json_text.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

using input::JsonNode;

std::string text_of(const JsonNode* node) {
  if (node == nullptr) return "nothing";
  std::string text;
  append_json(text, *node);
  return text;
}

// A type that is not told.
constexpr std::string_view kObject = "\"object\"";

class Merge {
 public:
  Merge(const std::string& into_name, const std::string& from_name)
      : into_name_(into_name), from_name_(from_name) {}

  // A field's definition, or the whole mapping.
  void definition(JsonNode& into, const JsonNode& from, const std::string& path) const {
    for (const JsonNode* node : {&std::as_const(into), &from}) {
      for (const std::string& key : node->keys) {
        if (key == "properties" || key == "fields") continue;
        const std::string mine = value_of(into, key);
        const std::string theirs = value_of(from, key);
        if (mine != theirs) conflict(path, key, mine, theirs);
      }
    }
    fields(into, from, "properties", path);
    fields(into, from, "fields", path);
  }

 private:
  static std::string value_of(const JsonNode& definition, const std::string& key) {
    const JsonNode* value = definition.find(key);
    if (value == nullptr && key == "type") return std::string(kObject);
    return text_of(value);
  }

  [[noreturn]] void conflict(const std::string& path, const std::string& key,
                             const std::string& mine, const std::string& theirs) const {
    throw InvalidArgument(fmt::format("{}: \"{}\" is {} in {} and {} in {}",
                                      path.empty() ? "the mapping" : "field " + input::quoted(path),
                                      key, mine, into_name_, theirs, from_name_));
  }

  void fields(JsonNode& into, const JsonNode& from, const std::string& key,
              const std::string& path) const {
    const JsonNode* theirs = from.find(key);
    if (theirs == nullptr) return;
    if (into.find(key) == nullptr) {
      into.keys.push_back(key);
      into.items.push_back(*theirs);
      return;
    }
    JsonNode& mine = into.items[static_cast<size_t>(into.find(key) - into.items.data())];
    if (!mine.is_object() || !theirs->is_object()) {
      conflict(path, key, text_of(&mine), text_of(theirs));
    }
    for (size_t i = 0; i < theirs->keys.size(); ++i) {
      const std::string& name = theirs->keys[i];
      const std::string full = path.empty() ? name : path + "." + name;
      const JsonNode* present = mine.find(name);
      if (present == nullptr) {
        mine.keys.push_back(name);
        mine.items.push_back(theirs->items[i]);
      } else {
        definition(mine.items[static_cast<size_t>(present - mine.items.data())], theirs->items[i],
                   full);
      }
    }
  }

  const std::string& into_name_;
  const std::string& from_name_;
};

}  // namespace

void merge_mappings(JsonNode& into, const JsonNode& from, const std::string& into_name,
                    const std::string& from_name) {
  Merge(into_name, from_name).definition(into, from, "");
}

}  // namespace postern::opensearch
