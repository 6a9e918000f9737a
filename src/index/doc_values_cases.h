// For tests: generated documents whose doc values hit the edges of every encoding, as plain values.
// The same documents go to postern's buffers and, as JSON lines, to Lucene.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "postern/document.h"
#include "postern/field_type.h"

namespace postern::index::testing {

// One value, owning its bytes.
struct CaseValue {
  ValueKind kind = ValueKind::kLong;
  int64_t integer = 0;
  double number = 0;
  std::string bytes{};

  FieldValue view() const {
    return {.kind = kind, .bytes = bytes, .integer = integer, .number = number};
  }
};

// Appends the values of a document.
using ValuesOfDoc = std::function<void(uint32_t doc, std::vector<CaseValue>& out)>;

struct CaseField {
  std::string name;
  DocValuesType type;
  ValueKind kind;
  ValuesOfDoc values;
  bool skip_index = false;
};

struct DocValuesCase {
  std::string name;
  uint32_t documents;
  std::vector<CaseField> fields;
};

std::vector<DocValuesCase> doc_values_cases();

}  // namespace postern::index::testing
