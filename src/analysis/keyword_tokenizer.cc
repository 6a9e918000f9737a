#include "analysis/keyword_tokenizer.h"

#include <cstring>

#include "analysis/wtf8.h"
#include "base/bytes.h"

namespace postern::analysis {
namespace {

// Bytes before the first >= 0x80, rounded down to a multiple of eight unless that is all.
size_t ascii_prefix(const uint8_t* p, size_t size) {
  size_t i = 0;
  while (size - i >= 8 && (load_le<uint64_t>(p + i) & 0x8080808080808080u) == 0) i += 8;
  return i;
}

}  // namespace

size_t KeywordTokenizer::next(std::span<Token> tokens) {
  if (done_) return 0;
  done_ = true;
  const auto* const text = reinterpret_cast<const uint8_t*>(text_.data());
  const uint8_t* const end = text + text_.size();
  const size_t ascii = ascii_prefix(text, text_.size());

  size_t room = text_.size();
  for (const uint8_t* p = text + ascii; p < end;) {
    const CodePoint c = decode(p, end);
    if (c.bytes == 1 && c.value == kReplacement) room += 2;  // no UTF-8: one byte becomes three
    p += c.bytes;
  }
  buffer_.clear();
  buffer_.grow(room);
  uint8_t* const term = buffer_.next();
  if (ascii != 0) std::memcpy(term, text, ascii);
  uint8_t* to = term + ascii;
  size_t units = ascii;
  for (const uint8_t* p = text + ascii; p < end;) {
    const CodePoint c = decode(p, end);
    to = encode(c.value, to);
    units += utf16_units(c.value);
    p += c.bytes;
  }
  units_ = static_cast<uint32_t>(units);
  tokens[0] = Token{};
  tokens[0].term = term;
  tokens[0].term_length = static_cast<uint32_t>(to - term);
  tokens[0].end_offset = units_;
  return 1;
}

}  // namespace postern::analysis
