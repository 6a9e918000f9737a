#include "codec/segment_info.h"

#include <sys/utsname.h>

#include <algorithm>
#include <chrono>

#include "codec/file_names.h"
#include "codec/index_sort_format.h"
#include "codec/java_hash_order.h"
#include "postern/error.h"
#include "postern/limits.h"

namespace postern::codec {
namespace {

constexpr std::string_view kCodec = "Lucene90SegmentInfo";
constexpr uint32_t kFormat = 0;
constexpr uint8_t kYes = 1;
constexpr uint8_t kNo = 0xff;

void write_version(store::IndexOutput& out, const LuceneVersion& v) {
  out.write_le32(v.major);
  out.write_le32(v.minor);
  out.write_le32(v.bugfix);
}

LuceneVersion read_version(ByteReader& in) {
  LuceneVersion v;
  v.major = in.read_le32();
  v.minor = in.read_le32();
  v.bugfix = in.read_le32();
  if (v.major > 255 || v.minor > 255 || v.bugfix > 255)
    in.fail("has an impossible Lucene version " + v.to_string());
  return v;
}

bool read_yes_no(ByteReader& in, const char* what) {
  uint8_t b = in.read_byte();
  if (b != kYes && b != kNo) in.fail(std::string(what) + " is " + std::to_string(b));
  return b == kYes;
}

bool belongs_to(const std::string& file, const std::string& segment) {
  return segment_of_file(file) == segment && !file.ends_with(".tmp") &&
         file.find('/') == std::string::npos;
}

void read_versions(ByteReader& in, SegmentInfo& info) {
  info.version = read_version(in);
  uint8_t has_min_version = in.read_byte();
  if (has_min_version > 1) in.fail("min version flag is " + std::to_string(has_min_version));
  info.min_version.reset();
  if (has_min_version == 1) info.min_version = read_version(in);
  if (info.version.major != kWrittenVersion.major)
    throw NotSupported(std::string(in.name()) + ": written by Lucene " + info.version.to_string() +
                       "; postern reads segments of Lucene 10");
  if (!info.min_version || info.min_version->major < 9)
    throw NotSupported(std::string(in.name()) +
                       ": holds documents written by Lucene 8 or older, which Lucene 10 refuses");
}

}  // namespace

std::string LuceneVersion::to_string() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(bugfix);
}

const std::string* SegmentInfo::attribute(std::string_view key) const {
  auto at = std::ranges::find(attributes, key, [](const auto& a) { return a.first; });
  return at == attributes.end() ? nullptr : &at->second;
}

StringPairs standard_diagnostics(std::string_view source) {
  using std::chrono::duration_cast;
  auto now = std::chrono::system_clock::now().time_since_epoch();
  StringPairs out = {
      {"source", std::string(source)},
      {"timestamp", std::to_string(duration_cast<std::chrono::milliseconds>(now).count())},
      {"lucene.version", kWrittenVersion.to_string()},
      {"writer", "postern"},
  };
  struct utsname system;
  if (::uname(&system) == 0) {
    out.emplace_back("os", system.sysname);
    out.emplace_back("os.arch", system.machine);
    out.emplace_back("os.version", system.release);
  }
  return out;
}

std::string write_segment_info(Directory& directory, const SegmentInfo& info) {
  std::vector<std::string> files = info.files;
  for (const std::string& file : files)
    if (!belongs_to(file, info.name))
      throw InvalidArgument("segment " + info.name + " cannot list the file '" + file + "'");
  sort_as_java_map(files, [](const std::string& file) -> std::string_view { return file; });

  store::IndexOutput out(directory, segment_file(info.name, "", "si"));
  store::write_index_header(out, kCodec, kFormat, info.id, "");
  write_version(out, info.version);
  out.write_byte(info.min_version ? 1 : 0);
  if (info.min_version) write_version(out, *info.min_version);
  out.write_le32(info.max_doc);
  out.write_byte(info.compound ? kYes : kNo);
  out.write_byte(info.has_blocks ? kYes : kNo);
  out.write_string_map(info.diagnostics);
  out.write_string_set(files);
  out.write_string_map(info.attributes);
  out.write_vint(static_cast<uint32_t>(info.index_sort.size()));
  for (const std::string& field : info.index_sort) out.write_bytes(std::string_view(field));
  store::write_footer(out);
  out.close();
  return out.name();
}

SegmentInfo read_segment_info(const Directory& directory, const std::string& name,
                              const store::ObjectId& id) {
  std::string file_name = segment_file(name, "", "si");
  auto file = directory.open(file_name);
  ByteReader in = store::open_whole(file->bytes(), file_name, {kCodec, kFormat, kFormat, &id, ""});
  SegmentInfo info;
  info.name = name;
  info.id = id;
  read_versions(in, info);
  info.max_doc = in.read_le32();
  if (info.max_doc > Limits().max_documents)
    in.fail("has " + std::to_string(static_cast<int32_t>(info.max_doc)) + " documents");
  info.compound = read_yes_no(in, "compound flag");
  info.has_blocks = read_yes_no(in, "blocks flag");
  info.diagnostics = in.read_string_map();
  info.files = in.read_string_set();
  for (const std::string& f : info.files)
    if (!belongs_to(f, name)) in.fail("lists the file '" + f + "' of another segment");
  info.attributes = in.read_string_map();
  for (uint32_t n = in.read_count(); n > 0; --n)
    info.index_sort.push_back(read_sort_key(in, file->bytes()));
  store::check_at_end(in);
  return info;
}

}  // namespace postern::codec
