#include "codec/segment_commit.h"

#include <algorithm>
#include <set>

#include "codec/file_names.h"
#include "codec/java_hash_order.h"
#include "postern/error.h"
#include "postern/limits.h"

namespace postern::codec {
namespace {

constexpr std::string_view kCodec = "segments";
constexpr uint32_t kFormatWithoutCommitId = 9;
constexpr uint32_t kFormat = 10;
constexpr uint32_t kOldestCreatedMajor = 9;

LuceneVersion read_version(ByteReader& in) {
  LuceneVersion v;
  v.major = in.read_vint();
  v.minor = in.read_vint();
  v.bugfix = in.read_vint();
  if (v.major > 255 || v.minor > 255 || v.bugfix > 255)
    in.fail("has an impossible Lucene version " + v.to_string());
  return v;
}

void write_version(store::IndexOutput& out, const LuceneVersion& v) {
  out.write_vint(v.major);
  out.write_vint(v.minor);
  out.write_vint(v.bugfix);
}

store::ObjectId read_id(ByteReader& in) {
  store::ObjectId id;
  std::ranges::copy(in.read_bytes(id.size()), id.begin());
  return id;
}

std::string shown(const std::string& text) {
  std::string out = "'";
  for (char c : text.substr(0, 80)) out += c >= 0x20 && c < 0x7f ? c : '?';
  return out + "'";
}

int64_t read_generation(ByteReader& in, const std::string& segment, const char* what) {
  auto gen = static_cast<int64_t>(in.read_be64());
  if (gen < -1 || gen == 0)
    in.fail("segment " + segment + ": " + what + " generation is " + std::to_string(gen));
  return gen;
}

std::vector<std::string> read_files(ByteReader& in, const std::string& segment) {
  std::vector<std::string> files = in.read_string_set();
  for (const std::string& file : files)
    if (segment_of_file(file) != segment || file.find('/') != std::string::npos)
      in.fail("segment " + segment + " cannot own the file " + shown(file));
  return files;
}

std::string read_segment_name(ByteReader& in) {
  std::string name = in.read_string();
  if (name.size() < 2 || name[0] != '_' || !parse_base36(std::string_view(name).substr(1)))
    in.fail("holds the impossible segment name " + shown(name));
  return name;
}

void read_updates(ByteReader& in, SegmentCommitInfo& segment) {
  uint32_t count = in.read_be32();
  if (count > in.remaining())
    in.fail("segment " + segment.info.name + ": doc values of " +
            std::to_string(static_cast<int32_t>(count)) + " fields are said to be updated");
  for (; count > 0; --count) {
    DocValuesUpdate update;
    update.field_number = in.read_be32();
    update.files = read_files(in, segment.info.name);
    segment.doc_values_updates.push_back(std::move(update));
  }
}

void check_counts(const ByteReader& in, const SegmentCommitInfo& s) {
  uint64_t deleted = uint64_t{s.del_count} + s.soft_del_count;
  if (deleted > s.info.max_doc)
    in.fail("segment " + s.info.name + ": " + std::to_string(s.del_count) + " deleted and " +
            std::to_string(s.soft_del_count) + " soft-deleted of " +
            std::to_string(s.info.max_doc) + " documents");
  if (s.del_count > 0 && s.del_gen == -1)
    in.fail("segment " + s.info.name + ": " + std::to_string(s.del_count) +
            " deleted documents without a .liv file");
}

SegmentCommitInfo read_segment(const Directory& directory, ByteReader& in, uint32_t format,
                               const Commit& commit, const LuceneVersion& oldest) {
  SegmentCommitInfo s;
  std::string name = read_segment_name(in);
  store::ObjectId id = read_id(in);
  std::string codec = in.read_string();
  if (codec != kCodecName)
    throw NotSupported(std::string(in.name()) + ": segment " + name + " has the codec " +
                       shown(codec) + " (commit written by Lucene " +
                       commit.version_written.to_string() + "); postern reads " + kCodecName +
                       ", the codec of Lucene 10.4");
  s.info = read_segment_info(directory, name, id);
  s.del_gen = read_generation(in, name, "deletes");
  s.del_count = in.read_be32();
  s.field_infos_gen = read_generation(in, name, "field infos");
  s.doc_values_gen = read_generation(in, name, "doc values");
  s.soft_del_count = in.read_be32();
  if (format > kFormatWithoutCommitId) {
    uint8_t has_id = in.read_byte();
    if (has_id > 1) in.fail("segment " + name + ": commit id flag is " + std::to_string(has_id));
    if (has_id == 1) s.commit_id = read_id(in);
  }
  s.field_infos_files = read_files(in, name);
  read_updates(in, s);
  check_counts(in, s);
  if (s.info.version < oldest)
    in.fail("segment " + name + " is of Lucene " + s.info.version.to_string() +
            ", older than the oldest one recorded, " + oldest.to_string());
  if (s.info.version.major < commit.created_major)
    in.fail("segment " + name + " is of Lucene " + s.info.version.to_string() +
            ", older than the index, created by Lucene " + std::to_string(commit.created_major));
  return s;
}

void read_origin(ByteReader& in, Commit& commit) {
  commit.version_written = read_version(in);
  commit.created_major = in.read_vint();
  if (commit.version_written.major > kWrittenVersion.major)
    throw NotSupported(std::string(in.name()) + ": written by Lucene " +
                       commit.version_written.to_string() + "; postern reads Lucene 10");
  if (commit.created_major > commit.version_written.major)
    in.fail("is said to be created by Lucene " + std::to_string(commit.created_major) +
            " but written by Lucene " + commit.version_written.to_string());
  if (commit.created_major < kOldestCreatedMajor)
    throw NotSupported(std::string(in.name()) + ": the index was created by Lucene " +
                       std::to_string(commit.created_major) + ", which Lucene 10 refuses");
}

void write_segment(store::IndexOutput& out, const SegmentCommitInfo& s) {
  out.write_string(s.info.name);
  out.write_bytes(std::span<const uint8_t>(s.info.id));
  out.write_string(kCodecName);
  out.write_be64(static_cast<uint64_t>(s.del_gen));
  out.write_be32(s.del_count);
  out.write_be64(static_cast<uint64_t>(s.field_infos_gen));
  out.write_be64(static_cast<uint64_t>(s.doc_values_gen));
  out.write_be32(s.soft_del_count);
  out.write_byte(s.commit_id ? 1 : 0);
  if (s.commit_id) out.write_bytes(std::span<const uint8_t>(*s.commit_id));
  out.write_string_set(s.field_infos_files);
  std::vector<DocValuesUpdate> updates = s.doc_values_updates;
  sort_as_java_map(updates, [](const DocValuesUpdate& update) { return update.field_number; });
  out.write_be32(static_cast<uint32_t>(updates.size()));
  for (DocValuesUpdate& update : updates) {
    sort_as_java_map(update.files,
                     [](const std::string& file) -> std::string_view { return file; });
    out.write_be32(update.field_number);
    out.write_string_set(update.files);
  }
}

void write_commit(Directory& directory, const std::string& name, const Commit& commit) {
  store::IndexOutput out(directory, name);
  store::write_index_header(out, kCodec, kFormat, commit.id, to_base36(commit.generation));
  write_version(out, kWrittenVersion);
  out.write_vint(commit.created_major);
  out.write_be64(commit.version);
  out.write_vlong(commit.counter);
  out.write_be32(static_cast<uint32_t>(commit.segments.size()));
  if (!commit.segments.empty()) {
    auto oldest = std::ranges::min_element(
        commit.segments, {}, [](const SegmentCommitInfo& s) { return s.info.version; });
    write_version(out, oldest->info.version);
  }
  for (const SegmentCommitInfo& s : commit.segments) write_segment(out, s);
  out.write_string_map(commit.user_data);
  store::write_footer(out);
  out.close();
}

}  // namespace

std::vector<std::string> SegmentCommitInfo::files() const {
  std::set<std::string> all(info.files.begin(), info.files.end());
  all.insert(segment_file(info.name, "", "si"));
  if (del_gen != -1) all.insert(generation_file(info.name, static_cast<uint64_t>(del_gen), "liv"));
  all.insert(field_infos_files.begin(), field_infos_files.end());
  for (const DocValuesUpdate& update : doc_values_updates)
    all.insert(update.files.begin(), update.files.end());
  return {all.begin(), all.end()};
}

uint64_t Commit::total_documents() const {
  uint64_t total = 0;
  for (const SegmentCommitInfo& s : segments) total += s.info.max_doc;
  return total;
}

std::vector<std::string> Commit::files() const {
  std::vector<std::string> all;
  for (const SegmentCommitInfo& s : segments) {
    std::vector<std::string> files = s.files();
    all.insert(all.end(), files.begin(), files.end());
  }
  if (generation != 0) all.push_back(commit_file_name(generation));
  return all;
}

std::optional<uint64_t> latest_generation(const Directory& directory) {
  std::optional<uint64_t> latest;
  for (const std::string& name : directory.list()) {
    if (!name.starts_with("segments")) continue;
    std::optional<uint64_t> generation = parse_commit_file_name(name);
    if (!generation || *generation == 0)
      throw CorruptIndex(directory.describe() + ": the file " + shown(name) +
                         " is no commit but is named like one (segments_<base 36>)");
    latest = std::max(latest.value_or(0), *generation);
  }
  return latest;
}

Commit read_commit(const Directory& directory, uint64_t generation) {
  std::string name = commit_file_name(generation);
  auto file = directory.open(name);
  std::string suffix = to_base36(generation);
  uint32_t format = 0;
  ByteReader in = store::open_whole(
      file->bytes(), name, {kCodec, kFormatWithoutCommitId, kFormat, nullptr, suffix}, &format);
  Commit commit;
  commit.generation = generation;
  std::ranges::copy(file->bytes().subspan(9 + kCodec.size(), commit.id.size()), commit.id.begin());
  read_origin(in, commit);
  commit.version = in.read_be64();
  commit.counter = in.read_vlong();
  if (static_cast<int64_t>(commit.version) < 0 || static_cast<int64_t>(commit.counter) < 0)
    in.fail("has a negative version or counter");
  uint32_t count = in.read_be32();
  if (count > in.remaining())
    in.fail("has " + std::to_string(static_cast<int32_t>(count)) + " segments");
  LuceneVersion oldest;
  if (count > 0) oldest = read_version(in);
  std::set<std::string> names;
  for (; count > 0; --count) {
    commit.segments.push_back(read_segment(directory, in, format, commit, oldest));
    if (!names.insert(commit.segments.back().info.name).second)
      in.fail("holds segment " + commit.segments.back().info.name + " twice");
  }
  if (commit.total_documents() > Limits().max_documents)
    in.fail("has " + std::to_string(commit.total_documents()) + " documents, an index holds " +
            std::to_string(Limits().max_documents));
  commit.user_data = in.read_string_map();
  store::check_at_end(in);
  return commit;
}

std::optional<Commit> read_latest_commit(const Directory& directory) {
  std::optional<uint64_t> generation = latest_generation(directory);
  while (generation) {
    try {
      return read_commit(directory, *generation);
    } catch (const IoError&) {
      std::optional<uint64_t> newer = latest_generation(directory);
      if (!newer || *newer <= *generation) throw;
      generation = newer;
    }
  }
  return std::nullopt;
}

std::string write_pending_commit(Directory& directory, Commit& commit) {
  if (commit.generation == 0) throw InvalidArgument("the first commit has generation 1, not 0");
  commit.id = store::new_object_id();
  std::string name = pending_commit_file_name(commit.generation);
  try {
    write_commit(directory, name, commit);
  } catch (...) {
    try {
      directory.remove(name);
    } catch (const Error&) {
      // What went wrong first is what the caller must learn.
    }
    throw;
  }
  return name;
}

}  // namespace postern::codec
