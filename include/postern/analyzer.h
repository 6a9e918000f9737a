// From a text to its tokens (docs/formats/03-analysis.md). Tokens come in groups, so that there is
// one virtual call for up to 64 of them and none per token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postern {

// Bytes that must be readable behind the last byte of every Token::term: hashing loads whole words.
inline constexpr size_t kTermPadding = 16;

// One token. `term` and `payload` stay valid until the next call of TokenStream::next or reset.
struct Token {
  const uint8_t* term =
      nullptr;               // UTF-8 (any bytes are allowed), kTermPadding readable bytes behind it
  uint32_t term_length = 0;  // bytes
  int32_t position_increment = 1;
  uint32_t start_offset = 0;  // UTF-16 units from the start of the value
  uint32_t end_offset = 0;
  uint32_t frequency = 1;       // other than 1 only in fields without positions
  uint32_t payload_length = 0;  // bytes; 0 = no payload
  const uint8_t* payload = nullptr;
};

// Tokens made by the caller instead of an analyzer. The views of `tokens` must outlive the
// document. Terms need no padding here: they are copied when indexed.
struct TokenList {
  std::vector<Token> tokens;
  uint32_t final_offset = 0;             // UTF-16 units
  int32_t final_position_increment = 0;  // positions left over behind the last token
};

// Splits one value after another; one object serves one field of one thread and is reused.
class TokenStream {
 public:
  virtual ~TokenStream() = default;

  // Begins a value. `text` is UTF-8, or WTF-8 where the source had unpaired UTF-16 surrogates
  // (ED A0..BF xx), and must stay unchanged until the last call of next.
  virtual void reset(std::string_view text) = 0;

  // Writes up to tokens.size() tokens (at least 1) and returns how many; 0 at the end of the value.
  virtual size_t next(std::span<Token> tokens) = 0;

  // After next returned 0: where the value ends, in UTF-16 units (its whole length for most
  // tokenizers), and the positions of tokens dropped behind the last one.
  virtual uint32_t final_offset() const = 0;
  virtual int32_t final_position_increment() const { return 0; }
};

// Makes token streams; immutable and shared between threads.
class Analyzer {
 public:
  virtual ~Analyzer() = default;
  virtual std::unique_ptr<TokenStream> token_stream() const = 0;
  // Whether streams may deliver payloads. A hint: fields that expect them are laid out for them at
  // once.
  virtual bool produces_payloads() const { return false; }
};

struct StandardOptions {
  uint32_t max_token_length = 255;      // UTF-16 units, 1 .. 1,048,576; longer runs are cut
  std::vector<std::string> stop_words;  // in lower case; none by default
};

std::shared_ptr<const Analyzer> standard_analyzer(StandardOptions options = {});
std::shared_ptr<const Analyzer> whitespace_analyzer(uint32_t max_token_length = 255);
std::shared_ptr<const Analyzer> keyword_analyzer();
std::shared_ptr<const Analyzer> simple_analyzer();
// Simple, without stop words: Lucene's StopAnalyzer.
std::shared_ptr<const Analyzer> stop_analyzer(std::vector<std::string> stop_words);
// Possessive, lower case, stop words, Porter stemmer: Lucene's EnglishAnalyzer.
std::shared_ptr<const Analyzer> english_analyzer();
std::shared_ptr<const Analyzer> english_analyzer(std::vector<std::string> stop_words);
// White-space tokens `term|payload`; the payload is what follows the first '|'.
std::shared_ptr<const Analyzer> delimited_analyzer(uint32_t max_token_length = 255);
// White-space tokens `term|3`: a term frequency, 1 without '|'.
std::shared_ptr<const Analyzer> delimited_freq_analyzer(uint32_t max_token_length = 255);

// The 33 words of Lucene's EnglishAnalyzer.
const std::vector<std::string>& english_stop_words();

}  // namespace postern
