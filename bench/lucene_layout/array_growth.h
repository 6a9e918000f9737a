// The rule by which Lucene's arrays grow (docs/formats/01 §2).
#pragma once

#include <algorithm>
#include <cstdint>

namespace postern::lucene_layout {

// Elements of the new array when at least `at_least` are needed. `element_bytes` of 4, 2 and 1
// round up to full 8-byte words; any other size is not rounded.
inline uint32_t grown_size(uint32_t at_least, uint32_t element_bytes) {
  uint32_t size = at_least + std::max<uint32_t>(3, at_least / 8);
  uint32_t multiple = element_bytes == 4 ? 2 : element_bytes == 2 ? 4 : element_bytes == 1 ? 8 : 1;
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace postern::lucene_layout
