// Lucene's StandardTokenizer followed by lower-casing: AsciiFirstTokenizer with StandardRules, and
// WindowedScanner for the values whose result depends on the tokenizer's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/ascii_first_tokenizer.h"
#include "analysis/standard_rules.h"
#include "analysis/term_buffer.h"
#include "analysis/value_size.h"
#include "analysis/windowed_scanner.h"
#include "postern/analyzer.h"

namespace postern::analysis {

class StandardTokenizer {
 public:
  explicit StandardTokenizer(uint32_t max_token_length)
      : tokenizer_(StandardRules(max_token_length)),
        scanner_(max_token_length),
        tiny_window_(max_token_length <= 2) {}

  void reset(std::string_view text) {
    check_value_size(text.size());
    windowed_ = tiny_window_ || ends_in_high_surrogate(text);
    if (windowed_) {
      scanner_.reset(text);
      pending_ = scanner_.next();
    } else {
      tokenizer_.reset(text);
    }
  }

  size_t next(std::span<Token> tokens) {
    return windowed_ ? next_windowed(tokens) : tokenizer_.next(tokens);
  }

  uint32_t final_offset() const {
    return windowed_ ? static_cast<uint32_t>(scanner_.final_offset()) : tokenizer_.final_offset();
  }

  // U+D800 .. U+DBFF is ED A0 80 .. ED AF BF.
  static bool ends_in_high_surrogate(std::string_view text) {
    if (text.size() < 3) return false;
    const auto* tail = reinterpret_cast<const uint8_t*>(text.data()) + text.size() - 3;
    return tail[0] == 0xED && (tail[1] & 0xF0) == 0xA0 && (tail[2] & 0xC0) == 0x80;
  }

 private:
  size_t next_windowed(std::span<Token> tokens);

  AsciiFirstTokenizer<StandardRules> tokenizer_;
  WindowedScanner scanner_;
  const bool tiny_window_;
  bool windowed_ = false;
  bool pending_ = false;  // scanner_ holds a token that has not been delivered
  TermBuffer buffer_;
};

}  // namespace postern::analysis
