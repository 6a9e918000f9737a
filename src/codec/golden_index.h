// For tests: the indexes under tests/golden, which Lucene 10.4 wrote.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "test_paths/golden.h"

namespace postern::codec {

// The `index` folder of a case of tests/golden.
inline std::filesystem::path golden_index(const std::string& name) {
  return std::filesystem::path(POSTERN_GOLDEN_FOLDER) / name / "index";
}

inline const std::vector<std::string>& golden_names() {
  static const std::vector<std::string> names = {
      "deletes",           "dense",       "fields",  "mixed_compound",
      "mixed_compression", "mixed_plain", "refused", "terms"};
  return names;
}

}  // namespace postern::codec
