// For tests: the case files in tests/data/analysis, and what a stream makes of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "postern/analyzer.h"

namespace postern::analysis {

struct ExpectedToken {
  std::string term;
  uint32_t start = 0;
  uint32_t end = 0;
  int32_t increment = 1;
  std::string payload;
  uint32_t frequency = 1;

  bool operator==(const ExpectedToken&) const = default;
};

struct Analyzed {
  std::vector<ExpectedToken> tokens;
  uint32_t final_offset = 0;
  int32_t final_increment = 0;
  bool error = false;  // the token behind the last one is refused; then nothing else holds

  bool operator==(const Analyzed&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Analyzed& analyzed);

struct AnalyzerCase {
  std::string analyzer;
  std::string group;
  uint32_t max_token_length = 255;
  std::vector<std::string> stop_words;
  std::string text;  // WTF-8
  Analyzed expected;
  std::string line;
};

// All lines of a .jsonl file there. Throws std::runtime_error for what it does not understand.
std::vector<AnalyzerCase> read_cases(const std::string& file_name);

// Everything the stream says of `text`, asking for `group` tokens at a time. The text is copied
// into a block of its own size, so that the address sanitizer sees any read outside it, and the
// padding of every term is read.
Analyzed analyze(TokenStream& stream, std::string_view text, size_t group);

// UTF-16, unpaired surrogates allowed, to WTF-8.
std::string to_wtf8(std::u16string_view units);

}  // namespace postern::analysis
