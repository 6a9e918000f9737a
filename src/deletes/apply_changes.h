// Applies changes to a segment that is on disk (docs/formats/02 §4): live docs and doc values of
// the next generation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/segment_commit.h"
#include "deletes/change_log.h"
#include "deletes/doc_values_updates.h"
#include "postern/directory.h"
#include "read/segment_reader.h"

namespace postern::deletes {

// A segment after changes.
struct ChangedSegment {
  // Not of a segment that has no live document left, softly deleted ones not counting.
  std::optional<codec::SegmentCommitInfo> segment;
  // Files that only the segment as it was needs.
  std::vector<std::string> superseded;
};

// What must still be applied to a segment's files.
struct PendingChanges {
  Cursor from{};               // all changes from here on
  DocValuesUpdates updates{};  // and these, of changes before, to documents that were live then
  Cursor updates_from{};       // keeps their changes
};

// Applies what is pending, up to `end`, without limits; nullopt if it meets no document. Writes
// files of new generations only. Throws CorruptIndex, NotSupported, IoError.
std::optional<ChangedSegment> apply_changes(Directory& directory,
                                            const codec::SegmentCommitInfo& segment,
                                            PendingChanges pending, uint64_t end);

}  // namespace postern::deletes
