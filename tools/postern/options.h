// What options of several subcommands share.
#pragma once

#include <cstdint>
#include <string>

namespace postern::tool {

// A check for CLI11: empty if the text is a number above 0, else what is wrong with it.
std::string positive_number(const std::string& text);

// Those this process may run on.
uint32_t available_processors();

}  // namespace postern::tool
