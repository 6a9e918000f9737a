#include "table.h"

#include <algorithm>

#include "format.h"

namespace postern::tool {

namespace {

constexpr const char* kGap = "  ";

// Characters, as far as code points tell.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

bool is_number(const std::string& text) {
  return text == "-" || (!text.empty() && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || c == ',';
         }));
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(std::move(cell));
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::string out;
  std::vector<size_t> widths(rows_[0].size());
  std::vector<bool> numbers(rows_[0].size(), true);
  for (size_t c = 0; c < widths.size(); ++c) {
    bool empty = true;
    for (const auto& row : rows_) {
      widths[c] = std::max(widths[c], width_of(row[c]));
      if (&row == &rows_[0]) continue;
      empty = empty && row[c].empty();
      numbers[c] = numbers[c] && is_number(row[c]);
    }
    if (empty) widths[c] = 0;
  }
  for (const auto& row : rows_) {
    std::string line;
    for (size_t c = 0; c < widths.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string fill(widths[c] - width_of(row[c]), ' ');
      if (!line.empty()) line += kGap;
      line += numbers[c] ? fill + row[c] : row[c] + fill;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace postern::tool
