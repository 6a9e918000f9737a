// What happens to a group of tokens behind the tokenizer. Filters change the tokens and their terms
// in place:
//   void reset();                               a value begins
//   size_t apply(Tokenizer&, span<Token>);      returns how many tokens are left, in order
//   int32_t final_position_increment() const;   positions of tokens dropped behind the last one
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/stop_words.h"
#include "postern/analyzer.h"

namespace postern::analysis {

// Token::term of a tokenizer here points into its TermBuffer, which is writable until the next
// group.
inline uint8_t* mutable_term(const Token& token) { return const_cast<uint8_t*>(token.term); }

class NoFilter {
 public:
  void reset() {}
  size_t apply(std::span<Token> tokens) { return tokens.size(); }
  int32_t final_position_increment() const { return 0; }
};

// Drops stop words; their positions go to the next token.
class StopFilter {
 public:
  explicit StopFilter(std::shared_ptr<const StopWords> words) : words_(std::move(words)) {}

  void reset() { dropped_ = 0; }
  size_t apply(std::span<Token> tokens);
  int32_t final_position_increment() const { return dropped_; }

 private:
  std::shared_ptr<const StopWords> words_;
  int32_t dropped_ = 0;
};

// Possessive 's, stop words, Porter stemmer; terms are lower-cased already, which changes nothing
// for the possessive.
class EnglishFilter {
 public:
  explicit EnglishFilter(std::shared_ptr<const StopWords> words) : stop_(std::move(words)) {}

  void reset() { stop_.reset(); }
  size_t apply(std::span<Token> tokens);
  int32_t final_position_increment() const { return stop_.final_position_increment(); }

 private:
  void stem(Token& token);

  StopFilter stop_;
  std::vector<char16_t> units_;  // the word being stemmed, unless it is ASCII
};

// `term|payload`, from terms that keep their unpaired surrogates. In the term these become U+FFFD,
// in the payload '?', as in Lucene's DelimitedPayloadTokenFilter with the identity encoder.
class PayloadFilter {
 public:
  void reset() {}
  size_t apply(std::span<Token> tokens);
  int32_t final_position_increment() const { return 0; }
};

// `term|3`, as Lucene's DelimitedTermFrequencyTokenFilter. Throws InvalidDocument for what is no
// number in 1 .. 2^31-1, once the tokens before it have been delivered.
class FrequencyFilter {
 public:
  void reset() { error_.clear(); }
  size_t apply(std::span<Token> tokens);
  int32_t final_position_increment() const { return 0; }
  // Throws the error of the previous group.
  void check() const;

 private:
  std::string error_;
};

}  // namespace postern::analysis
