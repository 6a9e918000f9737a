// An index's mapping: which fields a document may have and what each becomes. Read from
// OpenSearch's own JSON (docs/opensearch_mappings.md); documents may add fields to it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postern::opensearch {

class MappingTree;

// Thread-safe. Documents refer to its field definitions, so it must outlive every writer that has
// seen them.
class Mapping {
 public:
  // `json` is a `mappings` object, the body of a create-index call ({"mappings": …, "settings":
  // …}), or what `GET INDEX` answers for one index. `name` begins the messages. Throws
  // InvalidArgument for what OpenSearch would not take either, NotSupported for what this version
  // cannot build; both name the field with its full path, the parameter and the reason.
  static std::unique_ptr<Mapping> parse(std::string_view json, const std::string& name);
  // The same from a file; throws IoError also.
  static std::unique_ptr<Mapping> load(const std::string& path);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  // The `mappings` object as it is now, fields that documents brought included, as OpenSearch takes
  // it (and shows it).
  std::string to_json() const;

  bool routing_required() const;
  // Settings that came with the mapping and decide how documents are read: they must be in the
  // index's settings too. Full names and values: {"index.mapping.coerce", "false"}.
  const std::vector<std::pair<std::string, std::string>>& index_settings() const;
  // Names of what came with the mapping and was passed over (settings, aliases); for a report.
  const std::vector<std::string>& passed_over() const;

  // For the rest of the room.
  MappingTree& tree() { return *tree_; }
  const MappingTree& tree() const { return *tree_; }

 private:
  Mapping();
  std::unique_ptr<MappingTree> tree_;
};

}  // namespace postern::opensearch
