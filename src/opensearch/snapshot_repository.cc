#include "opensearch/snapshot_repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>

#include "base/bytes.h"
#include "opensearch/document_id.h"
#include "opensearch/index_name.h"
#include "opensearch/json_text.h"
#include "opensearch/smile.h"
#include "postern/directory.h"
#include "postern/error.h"
#include "store/codec_header.h"

namespace postern::opensearch {
namespace {

namespace fs = std::filesystem;
using input::json_quote;

constexpr const char* kLuceneVersion = "10.4.0";
constexpr uint32_t kFileVersion = 1;  // of the codec header

[[noreturn]] void fail(const fs::path& path, const char* operation, const std::error_code& error) {
  throw IoError(fmt::format("{}: cannot {}: {}", path.string(), operation, error.message()),
                error.value());
}

void append_be(std::string& out, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 255);
}

// Durable, under its name only when it is whole.
void write_file(Directory& folder, const std::string& name, std::string_view bytes) {
  const std::string pending = "pending-" + name;
  const std::vector<std::string> there = folder.list();
  if (std::find(there.begin(), there.end(), pending) != there.end()) folder.remove(pending);
  const std::unique_ptr<OutputFile> file = folder.create(pending);
  file->append({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  file->close();
  folder.sync({&pending, 1});
  folder.rename(pending, name);
  folder.sync_metadata();
}

// A file of Smile between Lucene's header and footer.
void write_blob(const fs::path& folder, const std::string& name, std::string_view codec,
                const SmileWriter& smile) {
  std::string out;
  append_be(out, store::kHeaderMagic, 4);
  out += static_cast<char>(codec.size());
  out += codec;
  append_be(out, kFileVersion, 4);
  out += smile.out();
  append_be(out, store::kFooterMagic, 4);
  append_be(out, 0, 4);
  const uint32_t crc = store::crc32(0, {reinterpret_cast<const uint8_t*>(out.data()), out.size()});
  append_be(out, crc, 8);
  write_file(*open_directory(folder), name, out);
}

void sync_folder(const fs::path& path) { open_directory(path)->sync_metadata(); }

// Only the files that belong to the shard are taken along.
void copy_shard(const BuiltShard& shard, const fs::path& to) {
  const std::unique_ptr<Directory> target = open_directory(to);
  std::vector<std::string> names;
  for (const ShardFile& file : shard.manifest.files) {
    if (file.is_virtual()) continue;
    std::error_code error;
    fs::copy_file(shard.folder / file.name, to / file.name, error);
    if (error) fail(shard.folder / file.name, "copy", error);
    names.push_back(file.name);
  }
  target->sync(names);
  target->sync_metadata();
}

class Writer {
 public:
  Writer(const fs::path& repository, const AssembledIndex& index)
      : repository_(repository), index_(index), folder_(repository / "indices" / index_id_) {}

  void write() {
    take_shards();
    write_metadata();
    write_shard_lists();
    write_snapshot();
    publish();
    const std::vector<BuiltShard>& shards = index_.shards();
    for (size_t i = 0; i < shards.size(); ++i) {
      std::error_code no_matter;
      fs::remove(shard_folder(i) / kManifestName, no_matter);
    }
    std::error_code no_matter;  // only if nothing else waits there
    fs::remove(waiting_shard_folder(repository_, 0).parent_path(), no_matter);
  }

 private:
  fs::path shard_folder(size_t shard) const { return folder_ / std::to_string(shard); }
  const ShardManifest& any() const { return index_.shards().front().manifest; }

  void take_shards() {
    sync_folder(repository_);
    sync_folder(folder_);
    for (size_t i = 0; i < index_.shards().size(); ++i) {
      const BuiltShard& shard = index_.shards()[i];
      std::error_code error;
      fs::rename(shard.folder, shard_folder(i), error);
      if (error == std::errc::cross_device_link) {
        copy_shard(shard, shard_folder(i));
      } else if (error) {
        fail(shard.folder, "move into the repository", error);
      }
      std::error_code no_matter;
      fs::remove(shard_folder(i) / "write.lock", no_matter);
    }
    sync_folder(folder_);
    sync_folder(repository_ / "indices");
  }

  void write_metadata() const {
    const ShardManifest& manifest = any();
    const int64_t created = version_id(manifest.opensearch_version);
    SmileWriter smile;
    smile.begin_object();
    smile.key(index_.index()).begin_object();
    for (const char* version : {"version", "mapping_version", "settings_version"}) {
      smile.key(version).number(1);
    }
    smile.key("aliases_version").number(1);
    smile.key("routing_num_shards").number(manifest.routing_shards);
    smile.key("state").text("open");
    smile.key("settings").begin_object();
    smile.key("index.creation_date").text(std::to_string(now_));
    smile.key("index.number_of_replicas").text("1");
    smile.key("index.number_of_shards").text(std::to_string(manifest.shards));
    smile.key("index.provided_name").text(index_.index());
    smile.key("index.uuid").text(index_uuid_);
    smile.key("index.version.created").text(std::to_string(created));
    for (const auto& [key, value] : manifest.settings) smile.key(key).text(value);
    smile.end_object();
    smile.key("mappings").begin_array();
    smile.begin_object();
    smile.key("_doc").value(index_.mappings());
    smile.end_object();
    smile.end_array();
    smile.key("aliases").begin_object();
    smile.end_object();
    // A list: anything else restores, and then keeps the node from ever starting again.
    smile.key("primary_terms").begin_array();
    for (uint32_t i = 0; i < manifest.shards; ++i) smile.number(1);
    smile.end_array();
    smile.key("in_sync_allocations").begin_object();
    for (uint32_t i = 0; i < manifest.shards; ++i) {
      smile.key(std::to_string(i)).begin_array();
      smile.end_array();
    }
    smile.end_object();
    smile.end_object();
    smile.end_object();
    write_blob(folder_, fmt::format("meta-{}.dat", metadata_), "index-metadata", smile);
  }

  void write_shard_lists() const {
    for (size_t i = 0; i < index_.shards().size(); ++i) {
      const ShardManifest& manifest = index_.shards()[i].manifest;
      SmileWriter smile;
      smile.begin_object();
      smile.key("name").text(kSnapshotName);
      smile.key("index_version").number(1);
      smile.key("start_time").number(now_);
      smile.key("time").number(0);
      smile.key("number_of_files").number(static_cast<int64_t>(manifest.files.size()));
      smile.key("total_size").number(static_cast<int64_t>(manifest.bytes()));
      smile.key("files").begin_array();
      for (const ShardFile& file : manifest.files) write_file_entry(smile, file);
      smile.end_array();
      smile.end_object();
      write_blob(shard_folder(i), fmt::format("snap-{}.dat", snapshot_), "snapshot", smile);
    }
  }

  static void write_file_entry(SmileWriter& smile, const ShardFile& file) {
    smile.begin_object();
    smile.key("name").text(file.name);
    smile.key("physical_name").text(file.physical_name);
    smile.key("length").number(static_cast<int64_t>(file.length));
    smile.key("checksum").text(file.checksum);
    smile.key("part_size").number(INT64_MAX);
    smile.key("written_by").text(kLuceneVersion);
    if (file.is_virtual()) smile.key("meta_hash").bytes(file.content);
    smile.end_object();
  }

  void write_snapshot() const {
    const ShardManifest& manifest = any();
    SmileWriter smile;
    smile.begin_object();
    smile.key("snapshot").begin_object();
    smile.key("name").text(kSnapshotName);
    smile.key("uuid").text(snapshot_);
    smile.key("version_id").number(version_id(manifest.opensearch_version));
    smile.key("indices").begin_array();
    smile.text(index_.index());
    smile.end_array();
    smile.key("state").text("SUCCESS");
    smile.key("include_global_state").boolean(false);
    smile.key("start_time").number(now_);
    smile.key("end_time").number(now_);
    smile.key("total_shards").number(manifest.shards);
    smile.key("successful_shards").number(manifest.shards);
    smile.key("failures").begin_array();
    smile.end_array();
    smile.end_object();
    smile.end_object();
    write_blob(repository_, fmt::format("snap-{}.dat", snapshot_), "snapshot", smile);
  }

  void publish() const {
    std::string generations;
    for (uint32_t i = 0; i < any().shards; ++i) generations += i == 0 ? "null" : ",null";
    const std::string json = fmt::format(
        R"({{"snapshots":[{{"name":"{0}","uuid":"{1}","state":1,"version":"{2}","index_metadata_lookup":{{"{3}":"{4}"}}}}],)"
        R"("indices":{{{5}:{{"id":"{3}","snapshots":["{1}"],"shard_generations":[{6}]}}}},"index_metadata_identifiers":{{"{4}":"{4}"}}}})",
        kSnapshotName, snapshot_, any().opensearch_version, index_id_, metadata_,
        json_quote(index_.index()), generations);
    const std::unique_ptr<Directory> root = open_directory(repository_);
    write_file(*root, "index-0", json);
    std::string latest;
    append_be(latest, 0, 8);
    write_file(*root, "index.latest", latest);
  }

  const fs::path& repository_;
  const AssembledIndex& index_;
  const std::string index_id_ = random_uuid();
  const std::string index_uuid_ = random_uuid();
  const std::string snapshot_ = random_uuid();
  const std::string metadata_ = random_uuid();
  const int64_t now_ = std::chrono::duration_cast<std::chrono::milliseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count();
  const fs::path folder_;
};

}  // namespace

void require_no_repository(const fs::path& repository) {
  std::error_code not_there;
  for (const auto& entry : fs::directory_iterator(repository, not_there)) {
    const std::string name = entry.path().filename().string();
    if (name != "index.latest" && !name.starts_with("index-")) continue;
    throw InvalidArgument(fmt::format(
        "{} already holds a snapshot repository ({})", repository.string(),
        fs::exists(repository / "index.latest")
            ? name
            : name + " without index.latest: of a run that was killed as it ended; remove it"));
  }
}

fs::path waiting_shard_folder(const fs::path& repository, uint32_t shard) {
  return repository / "shards" / std::to_string(shard);
}

void write_repository(const fs::path& repository, const AssembledIndex& index) {
  Writer(repository, index).write();
}

}  // namespace postern::opensearch
