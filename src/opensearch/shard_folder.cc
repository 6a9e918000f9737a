#include "opensearch/shard_folder.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "codec/segment_commit.h"
#include "opensearch/document_id.h"
#include "postern/error.h"
#include "store/codec_header.h"

namespace postern::opensearch {
namespace {

constexpr const char* kLock = "write.lock";

std::string base36(uint32_t number) {
  std::string text;
  do {
    text += "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    number /= 36;
  } while (number != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

// Only the last bytes of the file are read, unless it is one that a snapshot carries.
ShardFile describe(const Directory& folder, const std::string& name) {
  const std::unique_ptr<InputFile> file = folder.open(name);
  const std::span<const uint8_t> bytes = file->bytes();
  store::check_footer(bytes, name, false);
  ShardFile result{.physical_name = name,
                   .length = bytes.size(),
                   .checksum = base36(store::footer_checksum(bytes))};
  const bool carried = name.starts_with("segments_") || name.ends_with(".si");
  result.name = (carried ? "v__" : "__") + random_uuid();
  if (carried) result.content.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return result;
}

}  // namespace

void clear_shard_folder(Directory& folder) {
  const std::unique_ptr<DirectoryLock> lock = folder.lock(kLock);
  std::vector<std::string> files = folder.list();
  // First what says that the rest is complete.
  std::partition(files.begin(), files.end(),
                 [](const auto& name) { return name == kManifestName; });
  for (const std::string& name : files) {
    if (name != kLock) folder.remove(name);
    if (name == kManifestName) folder.sync_metadata();
  }
}

std::vector<ShardFile> seal_shard_folder(Directory& folder) {
  const std::unique_ptr<DirectoryLock> lock = folder.lock(kLock);
  const std::optional<codec::Commit> commit = codec::read_latest_commit(folder);
  if (!commit) throw CorruptIndex(folder.describe() + ": there is no commit");
  std::vector<ShardFile> files;
  for (const std::string& name : commit->files()) {
    files.push_back(describe(folder, name));
    if (!files.back().is_virtual()) folder.rename(name, files.back().name);
  }
  for (const std::string& name : folder.list()) {
    const bool kept = std::any_of(files.begin(), files.end(),
                                  [&](const ShardFile& file) { return file.name == name; });
    if (!kept && name != kLock) folder.remove(name);
  }
  folder.sync_metadata();
  return files;
}

void write_manifest(Directory& folder, const ShardManifest& manifest) {
  const std::string json = to_json(manifest);
  const std::string pending = std::string("pending_") + kManifestName;
  const std::unique_ptr<OutputFile> file = folder.create(pending);
  file->append({reinterpret_cast<const uint8_t*>(json.data()), json.size()});
  file->close();
  folder.sync({&pending, 1});
  folder.rename(pending, kManifestName);
  folder.sync_metadata();
}

}  // namespace postern::opensearch
