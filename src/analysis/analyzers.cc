// The analyzers of postern/analyzer.h: a tokenizer and a filter each, joined without virtual calls.
#include <string>
#include <utility>

#include "analysis/ascii_first_tokenizer.h"
#include "analysis/char_rules.h"
#include "analysis/filters.h"
#include "analysis/keyword_tokenizer.h"
#include "analysis/standard_tokenizer.h"
#include "postern/analyzer.h"
#include "postern/error.h"

namespace postern {
namespace {

using analysis::AsciiFirstTokenizer;
using analysis::EnglishFilter;
using analysis::FrequencyFilter;
using analysis::KeywordTokenizer;
using analysis::LetterRules;
using analysis::NoFilter;
using analysis::PayloadFilter;
using analysis::StandardTokenizer;
using analysis::StopFilter;
using analysis::StopWords;
using analysis::Surrogates;
using analysis::WhitespaceRules;

constexpr uint32_t kDefaultTokenLength = 255;
constexpr uint32_t kMaxTokenLength = 1048576;

template <class Tokenizer, class Filter>
class FilteredStream final : public TokenStream {
 public:
  FilteredStream(Tokenizer tokenizer, Filter filter)
      : tokenizer_(std::move(tokenizer)), filter_(std::move(filter)) {}

  void reset(std::string_view text) override {
    filter_.reset();
    tokenizer_.reset(text);
  }

  size_t next(std::span<Token> tokens) override {
    if constexpr (requires { filter_.check(); }) filter_.check();
    for (;;) {
      const size_t count = tokenizer_.next(tokens);
      if (count == 0) return 0;
      const size_t kept = filter_.apply(tokens.first(count));
      if (kept != 0) return kept;
    }
  }

  uint32_t final_offset() const override { return tokenizer_.final_offset(); }
  int32_t final_position_increment() const override { return filter_.final_position_increment(); }

 private:
  Tokenizer tokenizer_;
  Filter filter_;
};

// `Make` returns a new tokenizer, `filter` is copied for every stream.
template <class Make, class Filter>
class FilteredAnalyzer final : public Analyzer {
 public:
  FilteredAnalyzer(Make make, Filter filter) : make_(std::move(make)), filter_(std::move(filter)) {}

  std::unique_ptr<TokenStream> token_stream() const override {
    return std::make_unique<FilteredStream<decltype(make_()), Filter>>(make_(), filter_);
  }
  bool produces_payloads() const override { return std::is_same_v<Filter, PayloadFilter>; }

 private:
  Make make_;
  Filter filter_;
};

template <class Make, class Filter>
std::shared_ptr<const Analyzer> make_analyzer(Make make, Filter filter) {
  return std::make_shared<FilteredAnalyzer<Make, Filter>>(std::move(make), std::move(filter));
}

void check_token_length(uint32_t length) {
  if (length == 0 || length > kMaxTokenLength) {
    throw InvalidArgument("max_token_length " + std::to_string(length) + " is not in 1 .. " +
                          std::to_string(kMaxTokenLength));
  }
}

StopFilter stop_filter(std::vector<std::string> words) {
  return StopFilter(std::make_shared<const StopWords>(std::move(words)));
}

auto whitespace_tokenizer(uint32_t max_token_length, Surrogates surrogates) {
  check_token_length(max_token_length);
  return [=] {
    return AsciiFirstTokenizer<WhitespaceRules>(WhitespaceRules(max_token_length, surrogates));
  };
}

AsciiFirstTokenizer<LetterRules> letter_tokenizer() {
  return AsciiFirstTokenizer<LetterRules>(LetterRules(kDefaultTokenLength));
}

}  // namespace

std::shared_ptr<const Analyzer> standard_analyzer(StandardOptions options) {
  check_token_length(options.max_token_length);
  const auto make = [length = options.max_token_length] { return StandardTokenizer(length); };
  if (options.stop_words.empty()) return make_analyzer(make, NoFilter());
  return make_analyzer(make, stop_filter(std::move(options.stop_words)));
}

std::shared_ptr<const Analyzer> whitespace_analyzer(uint32_t max_token_length) {
  return make_analyzer(whitespace_tokenizer(max_token_length, Surrogates::kReplace), NoFilter());
}

std::shared_ptr<const Analyzer> keyword_analyzer() {
  return make_analyzer([] { return KeywordTokenizer(); }, NoFilter());
}

std::shared_ptr<const Analyzer> simple_analyzer() {
  return make_analyzer(letter_tokenizer, NoFilter());
}

std::shared_ptr<const Analyzer> stop_analyzer(std::vector<std::string> stop_words) {
  return make_analyzer(letter_tokenizer, stop_filter(std::move(stop_words)));
}

std::shared_ptr<const Analyzer> english_analyzer() {
  return english_analyzer(english_stop_words());
}

std::shared_ptr<const Analyzer> english_analyzer(std::vector<std::string> stop_words) {
  return make_analyzer([] { return StandardTokenizer(kDefaultTokenLength); },
                       EnglishFilter(std::make_shared<const StopWords>(std::move(stop_words))));
}

std::shared_ptr<const Analyzer> delimited_analyzer(uint32_t max_token_length) {
  return make_analyzer(whitespace_tokenizer(max_token_length, Surrogates::kKeep), PayloadFilter());
}

std::shared_ptr<const Analyzer> delimited_freq_analyzer(uint32_t max_token_length) {
  return make_analyzer(whitespace_tokenizer(max_token_length, Surrogates::kReplace),
                       FrequencyFilter());
}

const std::vector<std::string>& english_stop_words() {
  static const std::vector<std::string> words = {
      "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
      "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
      "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with"};
  return words;
}

}  // namespace postern
