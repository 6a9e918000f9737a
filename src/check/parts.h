// The parts of a segment that are checked one by one, perhaps at the same time. Each opens what it
// needs through its own SegmentReader; problems end up in the findings. They throw what Findings
// does not take: IoError, std::bad_alloc.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/findings.h"
#include "codec/segment_commit.h"
#include "postern/directory.h"
#include "read/segment_reader.h"

namespace postern::check {

// What a part holds, for the report: ("terms", 12345).
using Counts = std::vector<std::pair<std::string, uint64_t>>;

struct Part {
  read::SegmentReader& segment;
  Findings& findings;

  const std::string& name() const { return segment.name(); }
  // Runs `work`; what a reader throws becomes a problem of `part`, of that field if there is one.
  // False if something was thrown.
  template <class Work>
  bool guarded(const char* part, Work work, const codec::FieldInfo* field = nullptr) const {
    try {
      work();
      return true;
    } catch (const Error& e) {
      findings.caught(segment.name(), part, e,
                      field != nullptr ? "field '" + field->name + "'" : std::string());
      return false;
    }
  }
};

// Before all others: whether the segment is not said to have more documents than its stored fields
// can hold. What the other parts do is in proportion to the number of documents.
bool is_worth_reading(const Part& part);
Counts check_field_infos(const Part& part);
Counts check_stored_fields(const Part& part);
Counts check_postings(const Part& part);
Counts check_term_vectors(const Part& part);
Counts check_doc_values(const Part& part);
Counts check_points(const Part& part);
Counts check_knn_vectors(const Part& part);
Counts check_index_sort(const Part& part);

}  // namespace postern::check
