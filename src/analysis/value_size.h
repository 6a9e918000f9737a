// The largest value that is analyzed.
#pragma once

#include <cstddef>
#include <string>

#include "postern/error.h"

namespace postern::analysis {

inline constexpr size_t kMaxValueBytes = 0x7FFFFFFF;

// Offsets are 32 bits wide. Throws InvalidDocument.
inline void check_value_size(size_t bytes) {
  if (bytes > kMaxValueBytes) {
    throw InvalidDocument("a value of " + std::to_string(bytes) + " bytes is above the limit of " +
                          std::to_string(kMaxValueBytes) + " bytes");
  }
}

}  // namespace postern::analysis
