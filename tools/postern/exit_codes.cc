#include "exit_codes.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "format.h"
#include "input/byte_source.h"
#include "postern/error.h"

namespace postern::tool {

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const input::ReadStopped*>(&error) != nullptr) return kInterrupted;
  if (dynamic_cast<const CorruptIndex*>(&error) != nullptr) return kCorruptIndex;
  if (dynamic_cast<const IoError*>(&error) != nullptr) return kIoFailure;
  if (dynamic_cast<const Error*>(&error) != nullptr) return kUsersMistake;
  // Out of memory, or a library's complaint about the system.
  return kIoFailure;
}

std::string message_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "not enough memory"
                                                                : error.what();
}

int report_error(const std::exception& error) {
  tell(fmt::format("postern: {}\n", message_of(error)));
  return exit_code_of(error);
}

}  // namespace postern::tool
