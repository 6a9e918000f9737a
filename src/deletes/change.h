// One thing that deletes and doc values updates ask of the documents with a term.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "postern/field_type.h"

namespace postern::deletes {

// The field whose doc values an update changes.
struct Target {
  std::string name;
  uint32_t number = 0;
  DocValuesType type = DocValuesType::kNumeric;  // or kBinary
  bool soft_deletes = false;

  bool operator==(const Target&) const = default;
};

struct Change {
  uint64_t number = 0;  // the operation's, among all of the writer
  uint32_t packet = 0;  // ascending; within one, deletes come before updates
  std::string_view field{};
  std::string_view term{};         // exact bytes
  const Target* target = nullptr;  // null: delete the documents
  int64_t integer = 0;             // the new value, by the target's type
  std::string_view bytes{};
};

}  // namespace postern::deletes
