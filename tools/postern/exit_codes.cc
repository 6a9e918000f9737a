#include "exit_codes.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "postern/error.h"

namespace postern::tool {

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const CorruptIndex*>(&error) != nullptr) return kCorruptIndex;
  if (dynamic_cast<const IoError*>(&error) != nullptr) return kIoFailure;
  if (dynamic_cast<const Error*>(&error) != nullptr) return kUsersMistake;
  // Out of memory, or a library's complaint about the system.
  return kIoFailure;
}

int report_error(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  fmt::print(stderr, "postern: {}\n", memory ? "not enough memory" : error.what());
  return exit_code_of(error);
}

}  // namespace postern::tool
