// Whether an index is sound, Lucene's or ours: checksums, structure, and its parts against each
// other, as Lucene's CheckIndex does at its slowest, and further where it costs little.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/findings.h"
#include "postern/directory.h"

namespace postern::check {

struct CheckOptions {
  uint32_t threads = 1;
  bool checksums_only = false;
  // Called now and then by the calling thread: bytes looked at, and to look at.
  std::function<void(uint64_t done, uint64_t planned)> progress;
};

struct SegmentReport {
  std::string name;
  uint32_t documents = 0;  // deleted ones included
  uint32_t deleted = 0;
  uint64_t bytes = 0;
  // What its parts hold, as far as they could be read: ("terms", 1234).
  std::vector<std::pair<std::string, uint64_t>> counts;
};

struct IndexReport {
  uint64_t generation = 0;  // of the newest commit; 0 if it cannot be read
  std::vector<SegmentReport> segments;
  std::vector<Problem> problems;
  std::vector<std::string> notes;
  bool clean() const { return problems.empty(); }
};

// Checks the newest commit, and that older ones can be read. Takes no lock and writes nothing; when
// a writer removes files meanwhile, it begins anew with the newer commit. Throws InvalidArgument if
// there is no index, IoError for what the system refuses (a missing file is a problem).
IndexReport check_index(const Directory& directory, const CheckOptions& options);

}  // namespace postern::check
