#include "opensearch/index_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "opensearch/parameters.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

namespace {

const JsonNode& with_settings(const JsonNode& index, const std::string& name,
                              IndexSettings& index_settings, MappingTree& tree) {
  Parameters parts(index, name.empty() ? "the body of an index" : fmt::format("index [{}]", name));
  if (const JsonNode* settings = parts.take("settings")) index_settings.read(*settings, tree);
  if (const JsonNode* aliases = parts.take("aliases"); aliases != nullptr && aliases->is_object()) {
    for (const std::string& alias : aliases->keys) tree.passed_over.push_back("alias " + alias);
  }
  for (const char* other : {"data_stream", "context"}) {
    if (parts.take(other) != nullptr) tree.passed_over.emplace_back(other);
  }
  const JsonNode* mappings = parts.take("mappings");
  parts.finish();
  return *mappings;
}

}  // namespace

const JsonNode& find_mappings(const JsonNode& document, IndexSettings& settings,
                              MappingTree& tree) {
  if (!document.is_object()) return document;
  if (document.find("mappings") != nullptr) return with_settings(document, "", settings, tree);
  // In the answer of GET INDEX the index's name is the only key.
  const bool is_answer =
      !document.items.empty() && std::ranges::all_of(document.items, [](const JsonNode& item) {
        return item.is_object() && item.find("mappings") != nullptr;
      });
  if (!is_answer) return document;
  if (document.items.size() > 1) {
    throw InvalidArgument(fmt::format("mappings of {} indexes ({}, {}, …); give one index",
                                      document.items.size(), document.keys[0], document.keys[1]));
  }
  return with_settings(document.items[0], document.keys[0], settings, tree);
}

}  // namespace postern::opensearch
