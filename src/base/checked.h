// Narrowing that cannot lose bits silently.
#pragma once

#include <cstdint>
#include <utility>

#include "postern/error.h"

namespace postern {

// `what` names the value in the message. Throws LimitExceeded.
template <class To, class From>
constexpr To checked_cast(From value, const char* what) {
  if (!std::in_range<To>(value)) {
    throw LimitExceeded(std::string(what) + " " + std::to_string(value) +
                        " does not fit its field of the format");
  }
  return static_cast<To>(value);
}

}  // namespace postern
