// How far the input is: one line that is rewritten on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace postern::tool {

class Progress {
 public:
  // total_bytes: of all inputs, 0 if not known. Writes to standard error, nothing if `quiet`.
  Progress(uint64_t total_bytes, bool quiet);
  ~Progress() { clear_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap; called after each document. bytes: of the inputs so far.
  void update(uint64_t bytes, uint64_t documents) {
    if (quiet_ || (++calls_ % kCallsPerLook != 0 && bytes - bytes_shown_ < kBytesPerLook)) return;
    look(bytes, documents);
  }
  // A line of its own, whatever is shown now. Not silenced.
  void message(std::string_view text);
  // Takes the progress line away.
  void clear_line();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint64_t kCallsPerLook = 16;
  static constexpr uint64_t kBytesPerLook = 1 << 20;

  void look(uint64_t bytes, uint64_t documents);

  uint64_t total_bytes_;
  bool quiet_;
  bool terminal_;
  bool line_shown_ = false;
  uint64_t calls_ = 0;
  uint64_t bytes_shown_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace postern::tool
