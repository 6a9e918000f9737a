// A snapshot repository of the type `fs` with one snapshot of one index, as OpenSearch restores it
// (docs/opensearch.md, "What is in the repository").
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/json_tree.h"
#include "opensearch/shard_manifest.h"

namespace postern::opensearch {

// Of the snapshot in every repository.
inline constexpr const char* kSnapshotName = "built";
// Throws InvalidArgument if the folder holds a repository already, wherever its files come from.
void require_no_repository(const std::filesystem::path& repository);

// Where shards lie in a repository's folder before they are put together.
std::filesystem::path waiting_shard_folder(const std::filesystem::path& repository, uint32_t shard);

// A shard that was built, and where its files are.
struct BuiltShard {
  ShardManifest manifest;
  std::filesystem::path folder;
  std::string name;  // for messages: the manifest's path
};

// What the shards are together. Throws InvalidArgument, naming the manifests and what they disagree
// about, unless they are all of one index, each of its shards is there once, and their mappings can
// be one.
class AssembledIndex {
 public:
  explicit AssembledIndex(std::vector<BuiltShard> shards);

  const std::vector<BuiltShard>& shards() const { return shards_; }
  const std::string& index() const { return shards_.front().manifest.index; }
  uint64_t documents() const;
  uint64_t bytes() const;
  const input::JsonNode& mappings() const { return mappings_; }

 private:
  void check_numbers() const;
  void check_shares() const;

  std::vector<BuiltShard> shards_;  // in order
  input::JsonNode mappings_;
};

// Moves the shards' folders to their places in the repository (copies them where they are on
// another file system) and writes its files; the one by which OpenSearch knows it, index.latest,
// comes last, when all others are on the disk. After an error the shards' manifests still lie
// beside their files, in either place. Throws IoError.
void write_repository(const std::filesystem::path& repository, const AssembledIndex& index);

}  // namespace postern::opensearch
