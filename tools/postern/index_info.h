// What an index consists of: commits, segments, fields, sizes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codec/field_infos.h"
#include "codec/segment_commit.h"
#include "index_sizes.h"
#include "postern/directory.h"

namespace postern::tool {

struct CommitInfo {
  std::string file;  // "segments_3"
  uint64_t generation = 0;
  uint64_t segments = 0;
  uint64_t documents = 0;  // deleted ones included
  uint64_t deleted = 0;
  codec::StringPairs user_data;
  std::string lucene_version;  // that wrote it
};

struct SegmentInfoRow {
  codec::SegmentCommitInfo commit;
  uint64_t bytes = 0;
  std::vector<std::string> sorted_by;  // fields
};

struct FieldRow {
  codec::FieldInfo field;  // of the newest segment that has it
  uint64_t segments = 0;   // that have it
  uint64_t terms = 0;      // added up over segments; equal terms of two segments count twice
  uint64_t documents_with_terms = 0;
};

struct IndexInfo {
  std::vector<CommitInfo> commits;  // newest first
  // Of the newest commit.
  std::vector<SegmentInfoRow> segments;
  std::vector<FieldRow> fields;  // by name
  IndexSizes sizes;
};

// Throws InvalidArgument if there is no index, CorruptIndex, NotSupported, IoError. Older commits
// that cannot be read are left out.
IndexInfo inspect_index(const Directory& directory);

}  // namespace postern::tool
