#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "format.h"

namespace postern::tool {

namespace {

constexpr std::chrono::milliseconds kTerminalPause(100);
constexpr std::chrono::seconds kPlainPause(5);

}  // namespace

Progress::Progress(uint64_t total_bytes, bool quiet)
    : total_bytes_(total_bytes), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::look(uint64_t bytes, uint64_t documents) {
  bytes_shown_ = bytes;
  const Clock::time_point now = Clock::now();
  const Clock::duration pause = terminal_ ? Clock::duration(kTerminalPause) : kPlainPause;
  if (now - last_ < pause) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double bytes_per_second = static_cast<double>(bytes) / seconds;
  std::string line;
  if (total_bytes_ != 0) {
    const double part = static_cast<double>(bytes) / static_cast<double>(total_bytes_);
    line = fmt::format("{:5.1f} %  ", 100 * std::min(part, 1.0));
  }
  line += fmt::format("{} documents  {} documents/s  {:.1f} MB/s", grouped(documents),
                      grouped(static_cast<uint64_t>(static_cast<double>(documents) / seconds)),
                      bytes_per_second / 1e6);
  if (total_bytes_ > bytes && bytes_per_second > 0) {
    line += fmt::format(
        "  {} left", duration_text(static_cast<double>(total_bytes_ - bytes) / bytes_per_second));
  }
  tell(fmt::format(terminal_ ? fmt::runtime("\r\033[K{}") : fmt::runtime("{}\n"), line));
  std::fflush(stderr);
  line_shown_ = terminal_;
}

void Progress::message(std::string_view text) {
  clear_line();
  tell(fmt::format("{}\n", text));
}

void Progress::clear_line() {
  if (!line_shown_) return;
  tell(fmt::format("\r\033[K"));
  std::fflush(stderr);
  line_shown_ = false;
}

}  // namespace postern::tool
