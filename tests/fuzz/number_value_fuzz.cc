// Numbers of every OpenSearch type: one byte of choices, then the text.
#include <string_view>

#include "opensearch/number_value.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern::opensearch;
  if (size == 0) return 0;
  const auto type = static_cast<NumberType>(data[0] & 7);
  const JsonScalar scalar = (data[0] & 8) != 0 ? JsonScalar::kNumber : JsonScalar::kString;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const NumberValue value = parse_number(type, text, scalar, (data[0] & 16) != 0);
  if (!value.ok()) {
    if (explain(value.problem, type).empty()) __builtin_trap();
    return 0;
  }
  uint8_t point[16];
  pack_point(type, value.doc_value, point);
  return 0;
}
