#include "options.h"

#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

namespace postern::tool {

// CLI::PositiveNumber lets NaN pass, and says no with the 309 digits of the largest double.
std::string positive_number(const std::string& text) {
  double number = 0;
  if (CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number > 0) return {};
  return "must be a number above 0, not " + text;
}

uint32_t available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace postern::tool
