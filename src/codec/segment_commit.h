// A commit: the segments of an index at one moment, and the `segments_N` file (docs/formats/11 §2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/segment_info.h"

namespace postern::codec {

inline constexpr const char* kCodecName = "Lucene104";

// Files of the current generation of one field with updated doc values.
struct DocValuesUpdate {
  uint32_t field_number = 0;
  std::vector<std::string> files;
};

// A segment as a commit refers to it. Generations are -1 until first written, then count from 1.
struct SegmentCommitInfo {
  SegmentInfo info;
  int64_t del_gen = -1;
  uint32_t del_count = 0;  // zero bits of the .liv
  int64_t field_infos_gen = -1;
  int64_t doc_values_gen = -1;
  uint32_t soft_del_count = 0;
  // Renewed whenever one of the generations advances. Files of version 9 may have none.
  std::optional<store::ObjectId> commit_id;
  std::vector<std::string> field_infos_files;
  std::vector<DocValuesUpdate> doc_values_updates;
  // Not in the file: the largest generation in the name of a file of the segment when a writer
  // opened the index. What it writes gets a larger one (docs/formats/10 §9).
  int64_t seen_generation = 0;

  // The generation that a file gets in place of one of `generation`.
  int64_t generation_after(int64_t generation) const {
    return std::max(generation, seen_generation) + 1;
  }
  // Every file the commit needs of this segment: core, .liv, generational files. No duplicates.
  std::vector<std::string> files() const;
};

struct Commit {
  uint64_t generation = 0;  // of its file; 0 = never written
  store::ObjectId id{};     // fresh for each file written
  uint64_t version = 0;     // counts changes
  uint64_t counter = 0;     // number of the next segment name
  uint32_t created_major = kWrittenVersion.major;
  LuceneVersion version_written = kWrittenVersion;  // by whom the file was written
  std::vector<SegmentCommitInfo> segments;
  StringPairs user_data;

  uint64_t total_documents() const;  // deleted ones included
  // Every file of all segments, and segments_N itself. No duplicates.
  std::vector<std::string> files() const;
};

// The largest generation of a segments_N in the directory; nullopt if there is no commit. Throws
// CorruptIndex for a name that begins with "segments" but is not segments_N, as Lucene refuses it.
std::optional<uint64_t> latest_generation(const Directory& directory);
// Reads segments_N and the .si of each of its segments, with all checks of §2.1. Throws
// CorruptIndex, IoError, and NotSupported for what another Lucene version or codec has written.
Commit read_commit(const Directory& directory, uint64_t generation);
// The newest commit, nullopt if there is none. Tries again when a file is missing because a writer
// has published a newer commit meanwhile; there is no fallback to an older one.
std::optional<Commit> read_latest_commit(const Directory& directory);
// Gives the commit a fresh id and writes pending_segments_N for its generation, which must be above
// 0. Returns the name. Syncing and renaming it to segments_N is the caller's next step. After an
// error the file is gone again, if the directory lets it be removed.
std::string write_pending_commit(Directory& directory, Commit& commit);

}  // namespace postern::codec
