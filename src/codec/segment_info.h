// What a segment says of itself, and the `.si` file (docs/formats/11 §3).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

struct LuceneVersion {
  uint32_t major = 0;
  uint32_t minor = 0;
  uint32_t bugfix = 0;
  auto operator<=>(const LuceneVersion&) const = default;
  std::string to_string() const;  // "10.4.0"
};

// The version whose formats postern writes.
inline constexpr LuceneVersion kWrittenVersion{10, 4, 0};
inline constexpr const char* kStoredFieldsModeKey = "Lucene90StoredFieldsFormat.mode";

using StringPairs = std::vector<std::pair<std::string, std::string>>;

struct SegmentInfo {
  std::string name;  // "_0"
  store::ObjectId id{};
  LuceneVersion version = kWrittenVersion;
  // Oldest version that any of its documents was written by.
  std::optional<LuceneVersion> min_version = kWrittenVersion;
  uint32_t max_doc = 0;  // documents, deleted ones included
  bool compound = false;
  bool has_blocks = false;
  StringPairs diagnostics;  // file order
  // Every file of the segment's core, the .si included; neither .liv nor generational files.
  std::vector<std::string> files;
  StringPairs attributes;  // file order; kStoredFieldsModeKey is mandatory
  // One entry per sort field: its encoding (§3.1), checked when read. Empty: documents are not
  // sorted.
  std::vector<std::string> index_sort;

  const std::string* attribute(std::string_view key) const;  // null if there is none
};

// Diagnostics as Lucene fills them: source ("flush", "merge"), lucene.version, os, os.arch,
// os.version, timestamp (now, ms).
StringPairs standard_diagnostics(std::string_view source);

// Writes `<name>.si` and returns that name. `info.files` must already list it. Errors: IoError,
// InvalidArgument for a file of another segment.
std::string write_segment_info(Directory& directory, const SegmentInfo& info);
// Throws CorruptIndex; NotSupported for segments written by Lucene 8 or older.
SegmentInfo read_segment_info(const Directory& directory, const std::string& name,
                              const store::ObjectId& id);

}  // namespace postern::codec
