// The input of the end-to-end benchmark: line documents, title TAB date TAB body.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace postern::bench {

// Views into the corpus, and what Lucene's benchmark makes of the date (UTC).
struct Line {
  std::string_view title, date, body;
  int64_t milliseconds = 0;  // since 1970
  std::string_view month = "January";
  int32_t day_of_year = 1;
  int32_t second_of_day = 0;
};

// Dates are dd-MMM-yyyy HH:mm:ss, with or without milliseconds; another one counts as the start of
// 1970. `number` is for the message. Throws std::runtime_error for fewer than three columns.
Line parse_line(std::string_view line, uint64_t number);

// All lines in memory, or one after the other from the file. Either way they start again when they
// end before as many documents as asked for.
class Lines {
 public:
  Lines(std::string path, bool stream);

  // -1 when streaming.
  int64_t count() const { return stream_ ? -1 : static_cast<int64_t>(lines_.size()); }

  // Line number % count(). Not when streaming.
  const Line& at(uint64_t number) const { return lines_[number % lines_.size()]; }

  // Calls f(line, number) `limit` times, or not at all if there is no line.
  template <class F>
  void for_each(uint64_t limit, F&& f) const {
    if (!stream_) {
      for (uint64_t n = 0, at = 0; n < limit && !lines_.empty(); ++n) {
        f(lines_[at], n);
        if (++at == lines_.size()) at = 0;
      }
      return;
    }
    std::ifstream file(path_);
    std::string line;
    for (uint64_t n = 0; n < limit && next_line(file, line); ++n) f(parse_line(line, n), n);
  }

 private:
  // Goes back to the start at the end; false if there is no line at all.
  static bool next_line(std::ifstream& file, std::string& line);

  std::string path_;
  bool stream_;
  std::string data_;
  std::vector<Line> lines_;
};

}  // namespace postern::bench
