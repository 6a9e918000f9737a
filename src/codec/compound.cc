#include "codec/compound.h"

#include <algorithm>
#include <cerrno>

#include "codec/file_names.h"
#include "postern/error.h"
#include "store/io_errors.h"

namespace postern::codec {
namespace {

constexpr std::string_view kDataCodec = "Lucene90CompoundData";
constexpr std::string_view kEntriesCodec = "Lucene90CompoundEntries";
constexpr uint32_t kFormat = 0;
constexpr uint64_t kAlignment = 64;
// Small enough that the bytes are still in cache when they are written after their check.
constexpr size_t kCopyChunk = 256 * 1024;

struct Source {
  const std::string* name;
  std::unique_ptr<InputFile> file;
};

// Magic and id of a file whose codec and suffix only its own reader knows.
void check_header_id(std::span<const uint8_t> bytes, const std::string& name,
                     const store::ObjectId& id) {
  ByteReader in(bytes, name);
  if (in.read_be32() != store::kHeaderMagic) in.fail("does not begin with a codec header");
  in.skip(in.read_count());
  in.skip(4);
  if (!std::ranges::equal(in.read_bytes(id.size()), id)) in.fail("belongs to another segment");
}

// Copies a file, and refuses it if its checksum is wrong. What is copied does not stay in memory:
// it would come on top of the RAM budget.
void copy_checked(store::IndexOutput& out, const InputFile& file, const std::string& name) {
  std::span<const uint8_t> bytes = file.bytes();
  store::check_footer(bytes, name, false);
  uint32_t crc = 0;
  size_t covered = bytes.size() - 8;
  for (size_t at = 0; at < covered; at += kCopyChunk) {
    auto chunk = bytes.subspan(at, std::min(kCopyChunk, covered - at));
    crc = store::crc32(crc, chunk);
    out.write_bytes(chunk);
    file.done_with(at, chunk.size());
  }
  out.write_bytes(bytes.last(8));
  if (crc != store::footer_checksum(bytes))
    throw CorruptIndex(name + ": checksum mismatch while it was packed into " + out.name());
}

void pad(store::IndexOutput& out) {
  while (out.file_pointer() % kAlignment != 0) out.write_byte(0);
}

void write_both(Directory& directory, const std::string& segment, const store::ObjectId& id,
                const std::vector<Source>& sources, const CompoundFiles& names) {
  store::IndexOutput data(directory, names.data);
  store::IndexOutput entries(directory, names.entries);
  store::write_index_header(data, kDataCodec, kFormat, id, "");
  store::write_index_header(entries, kEntriesCodec, kFormat, id, "");
  entries.write_vint(static_cast<uint32_t>(sources.size()));
  for (const Source& source : sources) {
    auto bytes = source.file->bytes();
    check_header_id(bytes, *source.name, id);
    pad(data);
    entries.write_string(std::string_view(*source.name).substr(segment.size()));
    entries.write_le64(data.file_pointer());
    entries.write_le64(bytes.size());
    copy_checked(data, *source.file, *source.name);
  }
  store::write_footer(data);
  store::write_footer(entries);
  data.close();
  entries.close();
}

void remove_quietly(Directory& directory, const std::string& name) {
  try {
    directory.remove(name);
  } catch (const Error&) {
    // The error that made the file useless is the one to report.
  }
}

// Part of the mapped .cfs.
class InnerFile : public InputFile {
 public:
  explicit InnerFile(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  std::span<const uint8_t> bytes() const override { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace

CompoundFiles write_compound(Directory& directory, const std::string& segment,
                             const store::ObjectId& id, std::span<const std::string> files) {
  std::vector<Source> sources;
  for (const std::string& name : files) {
    if (segment_of_file(name) != segment)
      throw InvalidArgument("segment " + segment + " cannot pack the file '" + name + "'");
    sources.push_back({&name, directory.open(name)});
  }
  std::ranges::stable_sort(sources, {}, [](const Source& s) { return s.file->bytes().size(); });

  CompoundFiles names{segment_file(segment, "", "cfe"), segment_file(segment, "", "cfs")};
  try {
    write_both(directory, segment, id, sources, names);
  } catch (...) {
    remove_quietly(directory, names.data);
    remove_quietly(directory, names.entries);
    throw;
  }
  return names;
}

CompoundReader::CompoundReader(const Directory& directory, const std::string& segment,
                               const store::ObjectId& id)
    : data_name_(segment_file(segment, "", "cfs")),
      where_(directory.describe() + "/" + data_name_) {
  std::string entries_name = segment_file(segment, "", "cfe");
  auto entries = directory.open(entries_name);
  ByteReader in =
      store::open_whole(entries->bytes(), entries_name, {kEntriesCodec, kFormat, kFormat, &id, ""});
  data_ = directory.open(data_name_);
  auto data = data_->bytes();
  store::check_footer(data, data_name_, false);
  uint64_t body_end = data.size() - store::kFooterLength;
  ByteReader header(data.first(body_end), data_name_);
  store::check_index_header(header, {kDataCodec, kFormat, kFormat, &id, ""});

  uint64_t end = header.position();
  for (uint32_t n = in.read_count(); n > 0; --n) {
    std::string name = segment + in.read_string();
    Place place{in.read_le64(), in.read_le64()};
    if (segment_of_file(name) != segment) in.fail("holds an impossible file name");
    if (place.offset > body_end || place.length > body_end - place.offset)
      in.fail(name + " is said to end beyond the end of " + data_name_ + " (" +
              std::to_string(data.size()) + " bytes)");
    end = std::max(end, place.offset + place.length);
    if (!places_.emplace(name, place).second) in.fail("holds " + name + " twice");
  }
  store::check_at_end(in);
  if (end != body_end)
    throw CorruptIndex(data_name_ + ": has " + std::to_string(data.size()) + " bytes, " +
                       entries_name + " says " + std::to_string(end + store::kFooterLength));
}

CompoundReader::~CompoundReader() = default;

void CompoundReader::check_integrity() const {
  store::check_footer(data_->bytes(), data_name_, true);
}

std::string CompoundReader::describe() const { return where_; }

std::vector<std::string> CompoundReader::list() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : places_) names.push_back(name);
  return names;
}

const CompoundReader::Place& CompoundReader::find(const std::string& name) const {
  auto at = places_.find(name);
  if (at == places_.end()) store::throw_io_error(where_ + "/" + name, "open", ENOENT);
  return at->second;
}

std::unique_ptr<InputFile> CompoundReader::open(const std::string& name) const {
  const Place& place = find(name);
  return std::make_unique<InnerFile>(data_->bytes().subspan(place.offset, place.length));
}

uint64_t CompoundReader::file_length(const std::string& name) const { return find(name).length; }

void CompoundReader::refuse(const char* operation) const {
  throw NotSupported(where_ + ": cannot " + operation + ": a compound file is never changed");
}

std::unique_ptr<OutputFile> CompoundReader::create(const std::string&) { refuse("create a file"); }
void CompoundReader::remove(const std::string&) { refuse("delete a file"); }
void CompoundReader::rename(const std::string&, const std::string&) { refuse("rename a file"); }
void CompoundReader::sync(std::span<const std::string>) { refuse("sync a file"); }
void CompoundReader::sync_metadata() { refuse("sync the folder"); }
std::unique_ptr<DirectoryLock> CompoundReader::lock(const std::string&) { refuse("lock"); }

}  // namespace postern::codec
