// The order of the documents within each segment (docs/formats/02 §9). Searchers can stop early,
// and columns compress better, when it is the order they ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/field_type.h"

namespace postern {

// What the numbers of a key are compared as. Floating point: -infinity ... -0.0, 0.0 ... infinity,
// NaN.
enum class SortNumber : uint8_t { kInt, kLong, kFloat, kDouble };
// Which of several values of a document counts.
enum class SortMode : uint8_t { kMin, kMax };
// Where documents without a value go, whatever the direction. Numbers do so as the least or
// greatest value of their type (infinities for floating point), and so among documents that have
// just that. kDefault: as 0; of bytes, before all others, or behind them if descending.
enum class SortMissing : uint8_t { kDefault, kFirst, kLast };

// One key of a sort, by a field's doc values. Every document that has the field must have it with
// doc values of this type; one that has it otherwise is refused.
struct SortKey {
  std::string field{};
  // kNumeric, kSortedNumeric, kSorted or kSortedSet; the latter two compare bytes, unsigned.
  DocValuesType doc_values = DocValuesType::kSortedNumeric;
  SortNumber number = SortNumber::kLong;  // of the numeric ones
  SortMode mode = SortMode::kMin;         // of kSortedNumeric and kSortedSet
  bool descending = false;
  SortMissing missing = SortMissing::kLast;

  bool operator==(const SortKey&) const = default;
};

// The first key counts most; documents equal in all keep the order in which they came.
using IndexSort = std::vector<SortKey>;

}  // namespace postern
