// The settings that come with a mapping (of `GET INDEX`, or of a create-index call): those that
// decide how documents are read, and those that cannot be kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/json_tree.h"
#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

class IndexSettings {
 public:
  // Nested objects and names with dots, with or without "index.". Puts what is to be kept into
  // `tree`: limits, coerce, ignore_malformed. Throws NotSupported for what would make other
  // documents of the same input (an index sort, ...), InvalidArgument for values of the wrong kind.
  void read(const input::JsonNode& settings, MappingTree& tree);

  // Throws NotSupported if the settings define this analyzer; `what` begins the message.
  void check_analyzer(const std::string& what, std::string_view name) const;

 private:
  void add(std::string name, const input::JsonNode& value, MappingTree& tree);
  void take(const std::string& name, const input::JsonNode& value, MappingTree& tree);

  std::vector<std::string> analyzers_;
};

}  // namespace postern::opensearch
