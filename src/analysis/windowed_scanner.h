// The standard tokenizer's buffer to the letter (docs/formats/03-analysis.md §3), on UTF-16.
//
// StandardRules::scan gives the same tokens except where the buffer itself shows: in a value that
// ends in an unpaired high surrogate, and with surrogates in windows of one or two units, where a
// refill may be left with nothing but a high surrogate. Those values come here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace postern::analysis {

class WindowedScanner {
 public:
  explicit WindowedScanner(size_t window) : window_(window) {}

  void reset(std::string_view wtf8);

  // Finds the next token; false at the end. Then begin() .. end() are its units.
  bool next();
  const char16_t* data() const { return units_.data(); }
  size_t begin() const { return start_; }
  size_t end() const { return mark_; }
  // Once next has returned false.
  size_t final_offset() const { return mark_; }

 private:
  bool refill();

  size_t window_;
  std::vector<char16_t> units_;  // the whole value
  // Positions in units_: the buffer holds base_ .. buffered_, and one more unit if held_ is 1.
  size_t base_ = 0;
  size_t buffered_ = 0;
  size_t read_ = 0;
  size_t held_ = 0;
  size_t start_ = 0;  // of the current match
  size_t mark_ = 0;   // behind the current match
};

// The code point at units[i], of which `end` units may be looked at.
struct Utf16CodePoint {
  uint32_t value;
  size_t units;
};
Utf16CodePoint decode_utf16(const char16_t* units, size_t i, size_t end);

// Appends to `out` what `wtf8` is in UTF-16.
void append_utf16(std::string_view wtf8, std::vector<char16_t>* out);

}  // namespace postern::analysis
