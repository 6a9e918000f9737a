// The whole value as one token, the empty value too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/term_buffer.h"
#include "analysis/value_size.h"
#include "postern/analyzer.h"

namespace postern::analysis {

class KeywordTokenizer {
 public:
  void reset(std::string_view text) {
    check_value_size(text.size());
    text_ = text;
    done_ = false;
  }
  size_t next(std::span<Token> tokens);
  uint32_t final_offset() const { return units_; }

 private:
  std::string_view text_;
  TermBuffer buffer_;
  uint32_t units_ = 0;
  bool done_ = true;
};

}  // namespace postern::analysis
