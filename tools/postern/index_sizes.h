// What an index on disk is made of.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "postern/directory.h"

namespace postern::tool {

struct IndexSizes {
  uint64_t segments = 0;
  uint64_t documents = 0;  // deleted ones included
  uint64_t deleted = 0;
  uint64_t generation = 0;  // of the commit, 0 if there is none
  uint64_t bytes = 0;       // of all files of the commit
  // Bytes per component ("postings", "stored fields", …), largest first, compound files opened up.
  std::vector<std::pair<std::string, uint64_t>> components;
};

// Of the newest commit. Throws CorruptIndex, NotSupported, IoError.
IndexSizes measure_index(const Directory& directory);

}  // namespace postern::tool
