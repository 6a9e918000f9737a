// New values for documents of one segment, and the files of the next generations that hold them
// (docs/formats/02 §4, 11 §4, 22).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/segment_commit.h"
#include "deletes/change.h"
#include "postern/directory.h"
#include "read/segment_reader.h"

namespace postern::deletes {

// The changes must stay as long as this does.
class DocValuesUpdates {
 public:
  // `change` is an update. A later one for the same document and field takes the place of an
  // earlier one.
  void add(uint32_t doc, const Change& change);
  bool empty() const { return fields_.empty(); }

  // Writes each updated column whole, as a generation of its own, and field infos that point to
  // them. `reader` is of the segment as it was; `segment`, a copy of its entry in the commit, gets
  // the new generations. Names of files that it no longer needs are appended to `superseded`.
  void write(Directory& directory, read::SegmentReader& reader, codec::SegmentCommitInfo& segment,
             std::vector<std::string>& superseded);

 private:
  struct Value {
    uint32_t doc;
    const Change* change;
  };
  struct Field {
    const Target* target;
    std::vector<Value> values;  // in the order of the changes
  };
  std::vector<Field> fields_;  // in the order of their first change
};

}  // namespace postern::deletes
