// What is known of a shard that was built: all that the repository's own files need, so that shards
// can be built by many processes and put together by another. Kept as JSON beside the shard's
// files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postern::opensearch {

// In the folder of each shard that waits to be put together.
inline constexpr const char* kManifestName = "manifest.json";

// A file of a shard, as a snapshot refers to it.
struct ShardFile {
  std::string name{};           // of the blob: "__…", or "v__…" if it is only in the metadata
  std::string physical_name{};  // Lucene's
  uint64_t length = 0;
  std::string checksum{};  // the CRC-32 of its footer, base 36
  std::string content{};   // whole, of a "v__…"

  bool is_virtual() const { return name.starts_with('v'); }
};

struct ShardManifest {
  std::string index;
  std::string opensearch_version;
  uint32_t shards = 0;
  uint32_t routing_shards = 0;
  uint32_t shard = 0;
  uint64_t documents = 0;  // that it serves; nested ones do not count
  uint64_t read = 0;       // in its input, for whatever shard
  uint64_t elsewhere = 0;  // of them, passed over because they belong to other shards
  std::string mappings;    // JSON, the object `mappings`
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<ShardFile> files;

  uint64_t bytes() const;
};

// One JSON object and a line feed.
std::string to_json(const ShardManifest& manifest);
// `name` begins the messages. Throws InvalidArgument for anything that to_json would not write.
ShardManifest parse_manifest(std::string_view json, const std::string& name);

}  // namespace postern::opensearch
