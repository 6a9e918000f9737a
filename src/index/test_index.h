// For the tests of this room: small documents, and what an index holds, read back with our own
// readers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codec/compound.h"
#include "codec/live_docs.h"
#include "codec/segment_commit.h"
#include "codec/stored_fields_reader.h"
#include "postern/postern.h"

namespace postern::index {

inline FieldType stored_keyword() {
  FieldType type;
  type.index_options = IndexOptions::kDocs;
  type.tokenized = false;
  type.omit_norms = true;
  type.stored = true;
  return type;
}
inline FieldType text() {
  FieldType type;
  type.index_options = IndexOptions::kPositions;
  return type;
}

struct TestFields {
  FieldDefinition id{"id", stored_keyword()};
  FieldDefinition body{"body", text(), standard_analyzer()};
};

inline codec::Commit newest_commit(const Directory& directory) {
  return codec::read_commit(directory, codec::latest_generation(directory).value());
}

// The directory in which the files of the segment's core are found.
inline std::unique_ptr<Directory> core_of(const Directory& directory,
                                          const codec::SegmentInfo& info) {
  if (!info.compound) return nullptr;
  return std::make_unique<codec::CompoundReader>(directory, info.name, info.id);
}

// The first stored value of each live document, in order. Throws if the index cannot be read.
inline std::vector<std::string> live_ids(const Directory& directory) {
  std::vector<std::string> ids;
  if (!codec::latest_generation(directory)) return ids;
  for (const codec::SegmentCommitInfo& segment : newest_commit(directory).segments) {
    const codec::SegmentInfo& info = segment.info;
    std::vector<uint64_t> live = codec::all_live(info.max_doc);
    if (segment.del_gen >= 0) {
      live = codec::read_live_docs(directory, info.name, info.id,
                                   static_cast<uint64_t>(segment.del_gen), info.max_doc,
                                   segment.del_count);
    }
    auto core = core_of(directory, info);
    StoredFieldsMode mode = *info.attribute(codec::kStoredFieldsModeKey) == "BEST_SPEED"
                                ? StoredFieldsMode::kBestSpeed
                                : StoredFieldsMode::kBestCompression;
    codec::StoredFieldsReader reader(core ? *core : directory, info.name, info.id, mode,
                                     info.max_doc);
    for (uint32_t doc = 0; doc < info.max_doc; ++doc) {
      if (!codec::is_live(live, doc)) continue;
      ids.emplace_back();
      reader.visit(doc, [&](const codec::StoredValue& v) {
        if (ids.back().empty()) ids.back() = v.bytes;
      });
    }
  }
  return ids;
}

}  // namespace postern::index
