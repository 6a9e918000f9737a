// Finds terms in the newest commit of an index with postern's own readers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace postern::tool {

struct FoundDocument {
  uint64_t number = 0;  // as Lucene numbers documents, across segments
  uint32_t frequency = 0;
  std::vector<std::pair<std::string, std::string>> stored;  // field, value as text
};

struct TermResult {
  std::string term;
  uint64_t documents = 0;    // that hold it and are not deleted
  uint64_t occurrences = 0;  // in those
  std::vector<FoundDocument> first;
};

// Throws InvalidArgument if there is no index or no segment knows the field, CorruptIndex,
// NotSupported, IoError.
std::vector<TermResult> look_up(const std::string& index, const std::string& field,
                                const std::vector<std::string>& terms, uint32_t first);

}  // namespace postern::tool
