#include "analysis/filters.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "analysis/porter_stemmer.h"
#include "analysis/unicode_tables.h"
#include "analysis/windowed_scanner.h"
#include "analysis/wtf8.h"
#include "postern/error.h"

namespace postern::analysis {
namespace {

std::string_view term_of(const Token& token) {
  return {reinterpret_cast<const char*>(token.term), token.term_length};
}

// The bytes before the first '|', and from behind it to the end of the term.
struct Halves {
  uint32_t term_length;
  bool has_delimiter;
  std::string_view rest;
};
Halves split(const Token& token) {
  const std::string_view term = term_of(token);
  const size_t at = term.find('|');
  if (at == std::string_view::npos) return {token.term_length, false, {}};
  return {static_cast<uint32_t>(at), true, term.substr(at + 1)};
}

// Overwrites unpaired surrogates by U+FFFD, which has as many bytes.
void replace_surrogates(uint8_t* term, size_t length) {
  for (size_t i = 0; i + 2 < length; ++i) {
    if (term[i] == 0xED && term[i + 1] >= 0xA0) encode(kReplacement, term + i);
  }
}

// Overwrites unpaired surrogates by '?' and returns the new length.
size_t question_surrogates(uint8_t* bytes, size_t length) {
  size_t kept = 0;
  for (size_t i = 0; i < length; ++i) {
    if (bytes[i] == 0xED && i + 2 < length && bytes[i + 1] >= 0xA0) {
      bytes[kept++] = '?';
      i += 2;
    } else {
      bytes[kept++] = bytes[i];
    }
  }
  return kept;
}

// 1 .. 2^31-1 in digits of any script of the basic plane; 0 for anything else.
uint32_t parse_frequency(std::string_view digits) {
  uint64_t value = 0;
  const auto* p = reinterpret_cast<const uint8_t*>(digits.data());
  const uint8_t* const end = p + digits.size();
  while (p < end) {
    const CodePoint c = decode(p, end);
    const int digit = c.value < 0x10000 ? digit_value(c.value) : -1;
    if (digit < 0) return 0;
    value = value * 10 + static_cast<uint32_t>(digit);
    if (value > 0x7FFFFFFF) return 0;
    p += c.bytes;
  }
  return static_cast<uint32_t>(value);
}

}  // namespace

size_t StopFilter::apply(std::span<Token> tokens) {
  size_t kept = 0;
  for (const Token& token : tokens) {
    if (words_->contains(token.term, token.term_length)) {
      dropped_ += token.position_increment;
    } else {
      tokens[kept] = token;
      tokens[kept++].position_increment += dropped_;
      dropped_ = 0;
    }
  }
  return kept;
}

size_t EnglishFilter::apply(std::span<Token> tokens) {
  for (Token& token : tokens) {
    const std::string_view term = term_of(token);
    if (!term.ends_with('s')) continue;
    for (const std::string_view possessive : {"'s", "\u2019s", "\uFF07s"}) {
      if (term.ends_with(possessive)) {
        token.term_length -= static_cast<uint32_t>(possessive.size());
        break;
      }
    }
  }
  const size_t kept = stop_.apply(tokens);
  for (Token& token : tokens.first(kept)) stem(token);
  return kept;
}

void EnglishFilter::stem(Token& token) {
  uint8_t* term = mutable_term(token);
  const std::string_view text = term_of(token);
  if (std::all_of(term, term + text.size(), [](uint8_t c) { return c < 0x80; })) {
    token.term_length = static_cast<uint32_t>(porter_stem(term, text.size()));
    return;
  }
  units_.clear();
  append_utf16(text, &units_);
  const size_t length = porter_stem(units_.data(), units_.size());
  uint8_t* to = term;
  for (size_t i = 0; i < length;) {
    const Utf16CodePoint c = decode_utf16(units_.data(), i, length);
    to = encode(c.value, to);
    i += c.units;
  }
  token.term_length = static_cast<uint32_t>(to - term);
}

size_t PayloadFilter::apply(std::span<Token> tokens) {
  for (Token& token : tokens) {
    uint8_t* term = mutable_term(token);
    const Halves halves = split(token);
    if (halves.has_delimiter) {
      uint8_t* payload = term + halves.term_length + 1;
      token.payload = payload;
      token.payload_length =
          static_cast<uint32_t>(question_surrogates(payload, halves.rest.size()));
      token.term_length = halves.term_length;
    }
    replace_surrogates(term, token.term_length);
  }
  return tokens.size();
}

size_t FrequencyFilter::apply(std::span<Token> tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    Token& token = tokens[i];
    const Halves halves = split(token);
    if (!halves.has_delimiter) continue;
    token.frequency = parse_frequency(halves.rest);
    if (token.frequency == 0) {
      error_ = "the term frequency in \"" + std::string(term_of(token)) + "\" at offset " +
               std::to_string(token.start_offset) + " is not a number in 1 .. 2147483647";
      if (i == 0) check();
      return i;
    }
    token.term_length = halves.term_length;
  }
  return tokens.size();
}

void FrequencyFilter::check() const {
  if (!error_.empty()) throw InvalidDocument(error_);
}

}  // namespace postern::analysis
