// Every case that Lucene 10.4 itself wrote, through the public analyzers.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "analysis/analysis_test_cases.h"
#include "analysis/wtf8.h"
#include "postern/analyzer.h"
#include "postern/error.h"

namespace postern::analysis {
namespace {

// A reader of just the JSON in the case files, strings with unpaired surrogates included.
class CaseReader {
 public:
  explicit CaseReader(std::string_view line) : line_(line) {}

  AnalyzerCase read() {
    AnalyzerCase result;
    result.line = line_;
    take('{');
    do {
      const std::string key = to_wtf8(string());
      take(':');
      if (key == "analyzer") {
        result.analyzer = to_wtf8(string());
      } else if (key == "group") {
        result.group = to_wtf8(string());
      } else if (key == "max") {
        result.max_token_length = static_cast<uint32_t>(number());
      } else if (key == "stop") {
        array([&] { result.stop_words.push_back(to_wtf8(string())); });
      } else if (key == "text") {
        result.text = to_wtf8(string());
      } else if (key == "tokens") {
        array([&] { result.expected.tokens.push_back(token()); });
      } else if (key == "end") {
        take('[');
        result.expected.final_offset = static_cast<uint32_t>(number());
        take(',');
        result.expected.final_increment = static_cast<int32_t>(number());
        take(']');
      } else if (key == "error") {
        word("true");
        result.expected.error = true;
      } else {
        fail("unknown key");
      }
    } while (next_is(','));
    take('}');
    if (at_ != line_.size()) fail("text behind the object");
    return result;
  }

 private:
  // [term, start, end, type, increment] or [term hex, start, end, increment, payload hex, freq].
  ExpectedToken token() {
    ExpectedToken token;
    take('[');
    std::string term = to_wtf8(string());
    take(',');
    token.start = static_cast<uint32_t>(number());
    take(',');
    token.end = static_cast<uint32_t>(number());
    take(',');
    if (peek() == '"') {
      string();
      take(',');
      token.increment = static_cast<int32_t>(number());
      token.term = term_bytes(term);
    } else {
      token.increment = static_cast<int32_t>(number());
      take(',');
      token.payload = unhex(to_wtf8(string()));
      take(',');
      token.frequency = static_cast<uint32_t>(number());
      token.term = unhex(term);
    }
    take(']');
    return token;
  }

  // Unpaired surrogates become U+FFFD in the bytes of a term.
  static std::string term_bytes(const std::string& term) {
    std::string bytes = term;
    for (size_t i = 0; i + 2 < bytes.size(); ++i) {
      if (bytes[i] == '\xED' && static_cast<uint8_t>(bytes[i + 1]) >= 0xA0) {
        bytes.replace(i, 3, "\xEF\xBF\xBD");
      }
    }
    return bytes;
  }

  static std::string unhex(const std::string& digits) {
    std::string bytes;
    for (size_t i = 0; i < digits.size(); i += 2) {
      bytes.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    }
    return bytes;
  }

  template <class Element>
  void array(Element element) {
    take('[');
    if (next_is(']')) return;
    do element();
    while (next_is(','));
    take(']');
  }

  std::u16string string() {
    std::u16string units;
    take('"');
    while (peek() != '"') {
      char c = line_[at_++];
      if (static_cast<uint8_t>(c) >= 0x80) fail("a byte that is not ASCII");
      if (c != '\\') {
        units.push_back(static_cast<char16_t>(c));
        continue;
      }
      c = peek();
      ++at_;
      if (c == 'u') {
        units.push_back(static_cast<char16_t>(std::stoi(line_.substr(at_, 4), nullptr, 16)));
        at_ += 4;
      } else if (c == '"' || c == '\\') {
        units.push_back(static_cast<char16_t>(c));
      } else {
        fail("unknown escape");
      }
    }
    take('"');
    return units;
  }

  int64_t number() {
    size_t length = 0;
    const int64_t value = std::stoll(line_.substr(at_, 20), &length);
    at_ += length;
    return value;
  }

  void word(std::string_view text) {
    for (const char c : text) take(c);
  }
  char peek() {
    if (at_ >= line_.size()) fail("unexpected end");
    return line_[at_];
  }
  bool next_is(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void take(char c) {
    if (!next_is(c)) fail("unexpected character");
  }
  [[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + " at " + std::to_string(at_) + " of " + line_.substr(0, 200));
  }

  std::string line_;
  size_t at_ = 0;
};

std::shared_ptr<const Analyzer> analyzer_of(const AnalyzerCase& c) {
  if (c.analyzer == "standard") return standard_analyzer({c.max_token_length, c.stop_words});
  if (c.analyzer == "whitespace") return whitespace_analyzer(c.max_token_length);
  if (c.analyzer == "keyword") return keyword_analyzer();
  if (c.analyzer == "simple") return simple_analyzer();
  if (c.analyzer == "stop") return stop_analyzer(c.stop_words);
  if (c.analyzer == "delimited") return delimited_analyzer(c.max_token_length);
  if (c.analyzer == "delimited_freq") return delimited_freq_analyzer(c.max_token_length);
  if (c.analyzer == "english") {
    return c.stop_words.empty() ? english_analyzer() : english_analyzer(c.stop_words);
  }
  throw std::runtime_error("no analyzer " + c.analyzer);
}

// Runs cases; one stream serves all texts of equal options, as it does in a writer.
class CaseRunner {
 public:
  void run(const AnalyzerCase& c) {
    ++counts_[c.analyzer];
    std::ostringstream key;
    key << c.analyzer << ' ' << c.max_token_length;
    for (const std::string& word : c.stop_words) key << ' ' << word;
    std::unique_ptr<TokenStream>& stream = streams_[key.str()];
    if (stream == nullptr) stream = analyzer_of(c)->token_stream();
    for (const size_t group : {size_t{64}, size_t{1}, size_t{3}}) {
      ASSERT_EQ(analyze(*stream, c.text, group), c.expected)
          << c.line.substr(0, 2000) << "\n in groups of " << group;
    }
  }
  // By analyzer, so that no case is dropped unseen.
  const std::map<std::string, size_t>& counts() const { return counts_; }

 private:
  std::map<std::string, std::unique_ptr<TokenStream>> streams_;
  std::map<std::string, size_t> counts_;
};

void run_cases(const std::string& file, const std::map<std::string, size_t>& expected_counts) {
  CaseRunner runner;
  for (const AnalyzerCase& c : read_cases(file)) ASSERT_NO_FATAL_FAILURE(runner.run(c));
  EXPECT_EQ(runner.counts(), expected_counts);
}

// The cases of one row of docs/bug_reports.md.
void run_report(const std::string& row, const std::map<std::string, size_t>& expected_counts) {
  CaseRunner runner;
  for (const AnalyzerCase& c : read_cases("bug_report_cases.jsonl")) {
    if (c.group != row) continue;
    ASSERT_NO_FATAL_FAILURE(runner.run(c));
  }
  EXPECT_EQ(runner.counts(), expected_counts);
}

TEST(AnalyzerCases, StandardAnalyzerEqualsLucene) {
  run_cases("standard_analyzer_cases.jsonl", {{"standard", 1672}});
}

TEST(AnalyzerCases, OtherAnalyzersEqualLucene) {
  run_cases("other_analyzer_cases.jsonl",
            {{"whitespace", 115}, {"keyword", 111}, {"simple", 115}, {"english", 115}});
}

TEST(AnalyzerCases, ShortTokenLengthsEqualLucene) {
  run_cases("token_length_cases.jsonl", {{"standard", 980}, {"whitespace", 700}});
}

TEST(AnalyzerCases, OptionsEqualLucene) {
  run_cases("option_cases.jsonl", {{"standard", 116},
                                   {"whitespace", 60},
                                   {"stop", 56},
                                   {"english", 56},
                                   {"delimited", 105},
                                   {"delimited_freq", 66}});
}

std::map<std::string, size_t> each_of_five(size_t count) {
  return {{"standard", count},
          {"whitespace", count},
          {"simple", count},
          {"keyword", count},
          {"english", count}};
}

TEST(AnalysisReports, Row6TextsOfFourByteCharactersOfAnyLength) {
  run_report("6", each_of_five(36));
}

TEST(AnalysisReports, Row8IdeographsOutsideTheBasicPlaneStayWhole) {
  run_report("8", each_of_five(7));
}

TEST(AnalysisReports, Row9WordsAreCutAt255UnitsAsInLucene) { run_report("9", each_of_five(24)); }

TEST(AnalysisReports, Row13RightToLeftAndComplexScripts) { run_report("13", each_of_five(7)); }

TEST(AnalysisReports, Row18FilteredValuesKeepTheirEnd) {
  run_report("18", {{"standard", 5}, {"stop", 5}, {"english", 5}});
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Analyzed& analyzed) {
  for (const ExpectedToken& t : analyzed.tokens) {
    out << "\n  [" << t.term << "] " << t.start << '-' << t.end << " +" << t.increment;
    if (!t.payload.empty()) out << " payload " << t.payload;
    if (t.frequency != 1) out << " frequency " << t.frequency;
  }
  if (analyzed.error) return out << "\n  error";
  return out << "\n  end " << analyzed.final_offset << " +" << analyzed.final_increment;
}

std::vector<AnalyzerCase> read_cases(const std::string& file_name) {
  std::ifstream file(std::string(POSTERN_TEST_DATA "/analysis/") + file_name);
  if (!file) throw std::runtime_error("cannot read " + file_name);
  std::vector<AnalyzerCase> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(CaseReader(line).read());
  return cases;
}

Analyzed analyze(TokenStream& stream, std::string_view text, size_t group) {
  const auto copy = std::make_unique<char[]>(text.size());
  std::copy(text.begin(), text.end(), copy.get());
  Analyzed result;
  std::vector<Token> tokens(group);
  volatile uint8_t sink = 0;
  stream.reset({copy.get(), text.size()});
  try {
    while (const size_t count = stream.next(tokens)) {
      if (count > group) throw std::runtime_error("more tokens than asked for");
      for (size_t i = 0; i < count; ++i) {
        const Token& t = tokens[i];
        for (size_t j = 0; j < kTermPadding; ++j)
          sink = static_cast<uint8_t>(sink + t.term[t.term_length + j]);
        result.tokens.push_back(
            {std::string(reinterpret_cast<const char*>(t.term), t.term_length), t.start_offset,
             t.end_offset, t.position_increment,
             std::string(reinterpret_cast<const char*>(t.payload), t.payload_length), t.frequency});
      }
    }
  } catch (const InvalidDocument&) {
    result.error = true;
    return result;
  }
  result.final_offset = stream.final_offset();
  result.final_increment = stream.final_position_increment();
  return result;
}

std::string to_wtf8(std::u16string_view units) {
  std::string out;
  for (size_t i = 0; i < units.size(); ++i) {
    const uint32_t unit = units[i];
    uint8_t bytes[4];
    uint8_t* end = bytes;
    if (is_high_surrogate(unit) && i + 1 < units.size() && is_low_surrogate(units[i + 1])) {
      end = encode(0x10000 + ((unit & 0x3FF) << 10 | (units[++i] & 0x3FFu)), bytes);
    } else if (is_surrogate(unit)) {
      *end++ = 0xED;
      *end++ = static_cast<uint8_t>(0x80 | (unit >> 6 & 63));
      *end++ = static_cast<uint8_t>(0x80 | (unit & 63));
    } else {
      end = encode(unit, bytes);
    }
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(end - bytes));
  }
  return out;
}

}  // namespace postern::analysis
