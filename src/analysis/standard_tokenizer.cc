#include "analysis/standard_tokenizer.h"

#include "analysis/unicode_tables.h"
#include "analysis/wtf8.h"

namespace postern::analysis {

size_t StandardTokenizer::next_windowed(std::span<Token> tokens) {
  buffer_.clear();
  size_t count = 0;
  while (pending_ && count < tokens.size()) {
    const size_t begin = scanner_.begin();
    const size_t end = scanner_.end();
    const size_t room = (end - begin) * 3;
    if (!buffer_.fits(room)) {
      if (!buffer_.empty()) break;
      buffer_.grow(room);
    }
    uint8_t* const term = buffer_.next();
    uint8_t* to = term;
    for (size_t i = begin; i < end;) {
      const Utf16CodePoint c = decode_utf16(scanner_.data(), i, end);
      to = encode(Character(c.value).lower(), to);
      i += c.units;
    }
    buffer_.advance(to);
    Token& token = tokens[count++];
    token = Token{};
    token.term = term;
    token.term_length = static_cast<uint32_t>(to - term);
    token.start_offset = static_cast<uint32_t>(begin);
    token.end_offset = static_cast<uint32_t>(end);
    pending_ = scanner_.next();
  }
  return count;
}

}  // namespace postern::analysis
