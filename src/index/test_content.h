// For tests: what an index holds, as a reader finds it: the live documents, each as its stored
// texts and its numeric doc values.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "codec/segment_commit.h"
#include "read/segment_reader.h"

namespace postern::index {

struct LiveDocument {
  std::vector<std::string> stored{};
  std::map<std::string, int64_t> numbers{};  // by field

  bool operator==(const LiveDocument&) const = default;
  auto operator<=>(const LiveDocument&) const = default;
};

inline void PrintTo(const LiveDocument& doc, std::ostream* out) {
  for (const std::string& text : doc.stored) *out << text << ' ';
  for (const auto& [field, value] : doc.numbers) *out << field << '=' << value;
}

// In the order of the index. Throws if the index cannot be read.
inline std::vector<LiveDocument> live_content(const Directory& directory) {
  std::vector<LiveDocument> content;
  const auto commit = codec::read_latest_commit(directory);
  if (!commit) return content;
  for (const codec::SegmentCommitInfo& segment : commit->segments) {
    read::SegmentReader reader(directory, segment);
    std::vector<LiveDocument> documents(segment.info.max_doc);
    for (uint32_t doc = 0; doc < segment.info.max_doc; ++doc) {
      reader.stored_fields().visit(doc, [&](const codec::StoredValue& value) {
        documents[doc].stored.emplace_back(value.bytes);
      });
    }
    for (const codec::FieldInfo& field : reader.fields().fields) {
      if (field.doc_values != DocValuesType::kNumeric) continue;
      reader.doc_values(field)->visit_numbers(field.number, [&](uint32_t doc, int64_t value) {
        documents[doc].numbers[field.name] = value;
      });
    }
    for (uint32_t doc = 0; doc < segment.info.max_doc; ++doc) {
      if (reader.is_live(doc)) content.push_back(std::move(documents[doc]));
    }
  }
  return content;
}

}  // namespace postern::index
