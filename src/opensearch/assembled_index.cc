// What the shards of an index are together (snapshot_repository.h).
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "input/errors.h"
#include "opensearch/mapping_merge.h"
#include "opensearch/snapshot_repository.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

template <class Value>
void require_same(const BuiltShard& a, const BuiltShard& b, const char* what, const Value& mine,
                  const Value& theirs) {
  if (mine == theirs) return;
  throw InvalidArgument(fmt::format("{} and {} are not of one index: {} is {} and {}", a.name,
                                    b.name, what, mine, theirs));
}

void require_files(const BuiltShard& shard) {
  for (const ShardFile& file : shard.manifest.files) {
    if (file.is_virtual()) continue;
    const std::filesystem::path path = shard.folder / file.name;
    std::error_code error;
    const uint64_t length = std::filesystem::file_size(path, error);
    if (error) {
      throw InvalidArgument(
          fmt::format("{}: no file {}: {}", shard.name, path.string(), error.message()));
    }
    if (length != file.length) {
      throw CorruptIndex(
          fmt::format("{} has {} bytes instead of {}", path.string(), length, file.length));
    }
  }
}

}  // namespace

AssembledIndex::AssembledIndex(std::vector<BuiltShard> shards) : shards_(std::move(shards)) {
  if (shards_.empty()) throw InvalidArgument("no shards to put together");
  std::stable_sort(shards_.begin(), shards_.end(), [](const BuiltShard& a, const BuiltShard& b) {
    return a.manifest.shard < b.manifest.shard;
  });
  const BuiltShard& first = shards_.front();
  mappings_ = input::parse_json(first.manifest.mappings);
  for (const BuiltShard& shard : shards_) {
    const ShardManifest& a = first.manifest;
    const ShardManifest& b = shard.manifest;
    require_same(first, shard, "the name", a.index, b.index);
    require_same(first, shard, "the number of shards", a.shards, b.shards);
    require_same(first, shard, "the number of routing shards", a.routing_shards, b.routing_shards);
    require_same(first, shard, "the OpenSearch version", a.opensearch_version,
                 b.opensearch_version);
    if (a.settings != b.settings) {
      throw InvalidArgument(fmt::format("{} and {} are not of one index: their settings differ",
                                        first.name, shard.name));
    }
  }
  check_numbers();
  check_shares();
  for (const BuiltShard& shard : shards_) {
    merge_mappings(mappings_, input::parse_json(shard.manifest.mappings), first.name, shard.name);
    require_files(shard);
  }
}

// Every shard of the index, once.
void AssembledIndex::check_numbers() const {
  std::string missing;
  size_t at = 0;
  for (uint32_t number = 0; number < shards_.front().manifest.shards; ++number) {
    const size_t begin = at;
    while (at < shards_.size() && shards_[at].manifest.shard == number) ++at;
    if (at == begin) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", number);
    if (at > begin + 1) {
      throw InvalidArgument(fmt::format("{} and {} are both shard {}", shards_[begin].name,
                                        shards_[begin + 1].name, number));
    }
  }
  if (!missing.empty()) {
    throw InvalidArgument(fmt::format("of the {} shards of {} these are missing: {}",
                                      shards_.front().manifest.shards,
                                      input::quoted(shards_.front().manifest.index), missing));
  }
}

// Either each shard was given its own documents, or each all of them. Anything else has lost some.
void AssembledIndex::check_shares() const {
  const bool own = std::all_of(shards_.begin(), shards_.end(), [](const BuiltShard& shard) {
    return shard.manifest.elsewhere == 0;
  });
  if (own) return;
  for (const BuiltShard& shard : shards_) {
    const ShardManifest& a = shards_.front().manifest;
    const ShardManifest& b = shard.manifest;
    if (a.read == b.read) continue;
    throw InvalidArgument(fmt::format(
        "documents would be missing: {} was built from {} documents ({} of other shards), {} from "
        "{} ({} of other shards)",
        shards_.front().name, a.read, a.elsewhere, shard.name, b.read, b.elsewhere));
  }
}

uint64_t AssembledIndex::documents() const {
  uint64_t sum = 0;
  for (const BuiltShard& shard : shards_) sum += shard.manifest.documents;
  return sum;
}

uint64_t AssembledIndex::bytes() const {
  uint64_t sum = 0;
  for (const BuiltShard& shard : shards_) sum += shard.manifest.bytes();
  return sum;
}

}  // namespace postern::opensearch
