// A point while its segment is in memory: the packed value (dimension after dimension), then the
// document as four big-endian bytes, so that records compare as bytes by (value, document).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace postern {

inline constexpr size_t kPointDocBytes = 4;

// Bytes of a record whose packed value has `value_bytes` bytes.
constexpr size_t point_record_size(size_t value_bytes) { return value_bytes + kPointDocBytes; }

inline uint32_t point_record_doc(const uint8_t* record, size_t value_bytes) {
  return load_be32(record + value_bytes);
}
inline void set_point_record_doc(uint8_t* record, size_t value_bytes, uint32_t doc) {
  store_be32(record + value_bytes, doc);
}

}  // namespace postern
