#include "line_documents.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <stdexcept>

namespace postern::bench {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

// The number in the `width` digits at `at`; -1 if they are not digits.
int digits(std::string_view text, size_t at, size_t width) {
  int number = 0;
  for (char c : text.substr(at, width)) {
    if (c < '0' || c > '9') return -1;
    number = 10 * number + (c - '0');
  }
  return number;
}

// The index of the month whose first three letters, in upper case, these are; 12 if none.
unsigned month_of(std::string_view three) {
  auto same = [](char upper, char lower) { return upper == lower || (upper | 0x20) == lower; };
  unsigned month = 0;
  for (; month < kMonths.size(); ++month) {
    const std::string_view name = kMonths[month];
    if (same(three[0], static_cast<char>(name[0] | 0x20)) && same(three[1], name[1]) &&
        same(three[2], name[2]))
      break;
  }
  return month;
}

void set_date(Line& line) {
  using namespace std::chrono;
  const std::string_view t = line.date;  // dd-MMM-yyyy HH:mm:ss[.SSS]
  if (t.size() != 20 && t.size() != 24) return;
  const unsigned month_index = month_of(t.substr(3, 3));
  const std::array<int, 6> parts = {digits(t, 0, 2),  digits(t, 7, 4),
                                    digits(t, 12, 2), digits(t, 15, 2),
                                    digits(t, 18, 2), t.size() == 24 ? digits(t, 21, 3) : 0};
  if (month_index == kMonths.size() || std::ranges::min(parts) < 0) return;
  const year_month_day date{year{parts[1]}, month{month_index + 1},
                            day{static_cast<unsigned>(parts[0])}};
  if (!date.ok()) return;
  const sys_days midnight{date};
  line.month = kMonths[month_index];
  line.second_of_day = 3600 * parts[2] + 60 * parts[3] + parts[4];
  line.day_of_year =
      static_cast<int32_t>((midnight - sys_days{date.year() / January / 1}).count()) + 1;
  line.milliseconds =
      (int64_t{midnight.time_since_epoch().count()} * 86400 + line.second_of_day) * 1000 + parts[5];
}

}  // namespace

Line parse_line(std::string_view text, uint64_t number) {
  const size_t a = text.find('\t');
  const size_t b = a == text.npos ? a : text.find('\t', a + 1);
  if (b == text.npos) {
    throw std::runtime_error("line " + std::to_string(number + 1) +
                             " has fewer than three columns");
  }
  Line line{text.substr(0, a), text.substr(a + 1, b - a - 1), text.substr(b + 1)};
  set_date(line);
  return line;
}

Lines::Lines(std::string path, bool stream) : path_(std::move(path)), stream_(stream) {
  std::ifstream in(path_, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path_);
  if (stream_) return;
  data_.resize(std::filesystem::file_size(path_));
  in.read(data_.data(), static_cast<std::streamsize>(data_.size()));
  std::string_view rest = data_;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines_.push_back(parse_line(rest.substr(0, end), lines_.size()));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

bool Lines::next_line(std::ifstream& file, std::string& line) {
  if (std::getline(file, line)) return true;
  file.clear();
  file.seekg(0);
  return static_cast<bool>(std::getline(file, line));
}

}  // namespace postern::bench
