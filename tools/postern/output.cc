#include "output.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "exit_codes.h"
#include "format.h"

namespace postern::tool {

namespace {

int first_failure = 0;  // errno; 0: none, or not known

}  // namespace

void put(std::string_view text) noexcept {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && first_failure == 0)
    first_failure = errno;
}

int finish_output(int code, std::string_view consolation) {
  if (std::fflush(stdout) != 0 && first_failure == 0) first_failure = errno;
  if (std::ferror(stdout) == 0 && first_failure == 0) return code;
  tell(fmt::format(
      "postern: cannot write to standard output{}\n",
      first_failure == 0 ? std::string() : ": " + std::generic_category().message(first_failure)));
  if (!consolation.empty()) tell(fmt::format("postern: {}\n", consolation));
  std::clearerr(stdout);
  first_failure = 0;
  return code == kOk ? kIoFailure : code;
}

}  // namespace postern::tool
