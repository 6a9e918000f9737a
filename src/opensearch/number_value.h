// Numbers as OpenSearch's numeric fields take them from JSON.
//
//   type                   doc value (sorted_numeric)     point
//   byte, short, integer   the number                     4 bytes
//   long                   the number                     8 bytes
//   float                  sortable bits, 32              4 bytes
//   double                 sortable bits, 64              8 bytes
//   half_float             sortable bits, 16              2 bytes
//   unsigned_long          the raw 64 bits                16 bytes
//
// The point holds nothing that the doc value does not: where it has 4 or 8 bytes, one FieldValue of
// kInt or kLong with the doc value is both; else pack_point() makes the kBytes of the point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace postern::opensearch {

enum class NumberType : uint8_t {
  kByte,
  kShort,
  kInteger,
  kLong,
  kUnsignedLong,
  kHalfFloat,
  kFloat,
  kDouble
};

// The mapping's name of the type: "half_float".
const char* name_of(NumberType type);

// How the value stands in the JSON text. kNumber: the number's spelling; kString: the string's
// content, escapes resolved.
enum class JsonScalar : uint8_t { kNumber, kString };

enum class NumberProblem : uint8_t {
  kNone,
  kEmpty,        // not a mistake: an empty string, which `coerce` makes null
  kNotANumber,   // the string is no number, or strings are not taken (no `coerce`)
  kHasFraction,  // and there is no `coerce`
  kOutOfRange,
  kNotFinite  // NaN or infinity, as such or by rounding
};

struct NumberValue {
  NumberProblem problem = NumberProblem::kNone;
  int64_t doc_value = 0;
  // For a stored field: the value as a double (exact for all types but the two of 64 bits).
  double number = 0;

  bool ok() const { return problem == NumberProblem::kNone; }
};

// Allocates nothing. `coerce` is the field's setting (true unless the mapping says otherwise).
NumberValue parse_number(NumberType type, std::string_view text, JsonScalar scalar, bool coerce);

// What is wrong, for a message that names field and value: "is out of range for a short".
std::string explain(NumberProblem problem, NumberType type);

// Bytes of the type's point: 2, 4, 8 or 16.
size_t point_bytes(NumberType type);
// Writes point_bytes(type) bytes.
void pack_point(NumberType type, int64_t doc_value, uint8_t* out);

}  // namespace postern::opensearch
