// What the command's exit code says.
#pragma once

#include <exception>
#include <string>

namespace postern::tool {

inline constexpr int kOk = 0;
inline constexpr int kUsersMistake = 1;
inline constexpr int kCorruptIndex = 2;
inline constexpr int kIoFailure = 3;
inline constexpr int kInterrupted = 130;

int exit_code_of(const std::exception& error);
std::string message_of(const std::exception& error);

// Writes "postern: MESSAGE" to standard error and returns the exit code.
int report_error(const std::exception& error);

}  // namespace postern::tool
