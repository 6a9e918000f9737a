#include "opensearch/shard_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "input/scratch.h"
#include "input/text_values.h"
#include "opensearch/json_text.h"
#include "opensearch/shard_router.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

using input::json_quote;
using input::JsonNode;
using Type = JsonNode::Type;

constexpr uint64_t kFormat = 1;  // of the manifest
constexpr uint64_t kMostBytes = std::numeric_limits<int64_t>::max();

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  uint32_t bits = 0;
  int have = 0;
  for (char c : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    for (have += 8; have >= 6; have -= 6) text += kAlphabet[bits >> (have - 6) & 63];
  }
  if (have != 0) text += kAlphabet[bits << (6 - have) & 63];
  return text;
}

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

// The name becomes a path: nothing else may be in it.
ShardFile parse_file(const JsonNode& node, const std::string& name) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  ShardFile file{.name = required_text(node, "name", name),
                 .physical_name = required_text(node, "physical_name", name),
                 .length = required_number(node, "length", kMostBytes, name),
                 .checksum = required_text(node, "checksum", name)};
  const std::string_view random = std::string_view(file.name).substr(file.is_virtual() ? 1 : 0);
  if (random.size() < 3 || !random.starts_with("__") || !consists_of(random, kLetters)) {
    throw InvalidArgument(
        fmt::format("{}: not the name of a file: {}", name, input::quoted(file.name)));
  }
  if (!consists_of(file.checksum, "0123456789abcdefghijklmnopqrstuvwxyz") ||
      file.checksum.size() > 7) {
    throw InvalidArgument(
        fmt::format("{}: not a checksum: {}", name, input::quoted(file.checksum)));
  }
  if (!file.is_virtual()) return file;
  try {
    input::Scratch scratch;
    file.content = input::decode_base64(required_text(node, "content", name), scratch);
  } catch (const input::BadValue& e) {
    throw InvalidArgument(fmt::format("{}: \"content\": {}", name, e.what()));
  }
  if (file.content.size() != file.length) {
    throw InvalidArgument(fmt::format("{}: \"content\" has {} bytes instead of {}", name,
                                      file.content.size(), file.length));
  }
  return file;
}

JsonNode parse_text(std::string_view json, const std::string& name) {
  try {
    return input::parse_json(json);
  } catch (const input::BadValue& e) {
    throw InvalidArgument(fmt::format("{}: {}", name, e.what()));
  }
}

}  // namespace

uint64_t ShardManifest::bytes() const {
  uint64_t sum = 0;
  for (const ShardFile& file : files) sum += file.length;
  return sum;
}

std::string to_json(const ShardManifest& manifest) {
  std::string out = fmt::format(
      "{{\"postern_shard\": {}, \"index\": {}, \"opensearch_version\": {}, \"shards\": {}, "
      "\"routing_num_shards\": {}, \"shard\": {}, \"documents\": {}, \"read\": {}, "
      "\"elsewhere\": {},\n"
      "\"mappings\": {},\n\"settings\": {{",
      kFormat, json_quote(manifest.index), json_quote(manifest.opensearch_version), manifest.shards,
      manifest.routing_shards, manifest.shard, manifest.documents, manifest.read,
      manifest.elsewhere, manifest.mappings);
  for (const auto& [key, value] : manifest.settings) {
    if (out.back() != '{') out += ", ";
    out += json_quote(key) + ": " + json_quote(value);
  }
  out += "},\n\"files\": [";
  for (const ShardFile& file : manifest.files) {
    out +=
        fmt::format("{}\n{{\"name\": {}, \"physical_name\": {}, \"length\": {}, \"checksum\": {}",
                    out.back() == '[' ? "" : ",", json_quote(file.name),
                    json_quote(file.physical_name), file.length, json_quote(file.checksum));
    if (file.is_virtual()) out += ", \"content\": " + json_quote(base64(file.content));
    out += '}';
  }
  return out + "]}\n";
}

ShardManifest parse_manifest(std::string_view json, const std::string& name) {
  const JsonNode root = parse_text(json, name);
  if (required_number(root, "postern_shard", kMostBytes, name) != kFormat) {
    throw InvalidArgument(fmt::format("{}: written by another version of postern", name));
  }
  ShardManifest manifest;
  manifest.index = required_text(root, "index", name);
  manifest.opensearch_version = required_text(root, "opensearch_version", name);
  manifest.shards = static_cast<uint32_t>(required_number(root, "shards", kMostShards, name));
  manifest.routing_shards = static_cast<uint32_t>(
      required_number(root, "routing_num_shards", std::numeric_limits<int32_t>::max(), name));
  manifest.shard = static_cast<uint32_t>(required_number(root, "shard", kMostShards, name));
  manifest.documents = required_number(root, "documents", kMostBytes, name);
  manifest.read = required_number(root, "read", kMostBytes, name);
  manifest.elsewhere = required_number(root, "elsewhere", kMostBytes, name);
  append_json(manifest.mappings, required(root, "mappings", Type::kObject, name));
  const JsonNode& settings = required(root, "settings", Type::kObject, name);
  for (size_t i = 0; i < settings.keys.size(); ++i) {
    manifest.settings.emplace_back(settings.keys[i],
                                   required_text(settings, settings.keys[i], name));
  }
  std::set<std::string> names;
  for (const JsonNode& file : required(root, "files", Type::kArray, name).items) {
    manifest.files.push_back(parse_file(file, name));
    if (names.insert(manifest.files.back().name).second) continue;
    throw InvalidArgument(fmt::format("{}: two files {}", name, manifest.files.back().name));
  }
  const ShardRouter checked(manifest.shards, manifest.routing_shards);
  if (manifest.shard >= checked.shards()) {
    throw InvalidArgument(
        fmt::format("{}: there is no shard {} among {}", name, manifest.shard, manifest.shards));
  }
  return manifest;
}

}  // namespace postern::opensearch
