// Standard output: a command's answer, which must arrive or be missed aloud.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace postern::tool {

// Writes to standard output. What goes wrong is kept for finish_output.
void put(std::string_view text) noexcept;

template <class... T>
void print(fmt::format_string<T...> format, T&&... arguments) {
  put(fmt::format(format, std::forward<T>(arguments)...));
}

// The exit code of a command that was to end with `code`. When its answer did not arrive (a full
// disk, a reader that went away), that is told on standard error, followed by `consolation`, and 0
// becomes 3. Told once: a second call has nothing to say.
int finish_output(int code, std::string_view consolation = {});

}  // namespace postern::tool
