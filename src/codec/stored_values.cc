#include "codec/stored_values.h"

#include <limits>
#include <string>

#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr uint64_t kMaxBytes = std::numeric_limits<int32_t>::max();
constexpr size_t kMostHeaderBytes = 5;  // field number and type
constexpr size_t kMostNumberBytes = 10;

}  // namespace

// Refuses before anything is written, so that the document stays whole.
void StoredValues::begin_value(uint32_t field_number, StoredType type, uint64_t most_bytes) {
  const uint64_t limit = kMaxBytes - headroom_;
  if (values_.size() + kMostHeaderBytes + most_bytes > limit)
    throw InvalidDocument("document " + std::to_string(doc_) + ": its stored values pass " +
                          std::to_string(limit) + " bytes with one of " +
                          std::to_string(most_bytes) + " bytes in field number " +
                          std::to_string(field_number));
  values_.write_vlong(uint64_t{field_number} << 3 | static_cast<uint64_t>(type));
  ++value_count_;
}

void StoredValues::add_sized(uint32_t field_number, StoredType type, std::string_view value) {
  begin_value(field_number, type, value.size() + kMostHeaderBytes);
  values_.write_string(value);
}

void StoredValues::add_int(uint32_t field_number, int32_t value) {
  begin_value(field_number, StoredType::kInt, kMostNumberBytes);
  values_.write_zint(value);
}

void StoredValues::add_long(uint32_t field_number, int64_t value) {
  begin_value(field_number, StoredType::kLong, kMostNumberBytes);
  values_.advance(encode_stored_long(value, values_.reserve(kMostNumberBytes)));
}

void StoredValues::add_float(uint32_t field_number, float value) {
  begin_value(field_number, StoredType::kFloat, kMostNumberBytes);
  values_.advance(encode_stored_float(value, values_.reserve(kMostNumberBytes)));
}

void StoredValues::add_double(uint32_t field_number, double value) {
  begin_value(field_number, StoredType::kDouble, kMostNumberBytes);
  values_.advance(encode_stored_double(value, values_.reserve(kMostNumberBytes)));
}

}  // namespace postern::codec
