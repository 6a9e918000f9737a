// What the analyzers promise beyond Lucene's cases.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "analysis/analysis_test_cases.h"
#include "analysis/value_size.h"
#include "postern/analyzer.h"
#include "postern/error.h"

namespace postern::analysis {
namespace {

std::vector<std::string> terms(const Analyzer& analyzer, std::string_view text) {
  std::vector<std::string> result;
  for (const ExpectedToken& t : analyze(*analyzer.token_stream(), text, 64).tokens) {
    result.push_back(t.term);
  }
  return result;
}

TEST(Analyzers, TokenLengthsOutsideLucenesRangeAreRefused) {
  for (const uint32_t length : {0u, 1048577u, 0xFFFFFFFFu}) {
    EXPECT_THROW(standard_analyzer({length, {}}), InvalidArgument);
    EXPECT_THROW(whitespace_analyzer(length), InvalidArgument);
    EXPECT_THROW(delimited_analyzer(length), InvalidArgument);
    EXPECT_THROW(delimited_freq_analyzer(length), InvalidArgument);
  }
  EXPECT_NO_THROW(standard_analyzer({1048576, {}}));
}

TEST(Analyzers, ValuesTooLongForOffsetsAreRefused) {
  const std::string text = "a";
  const std::string_view too_long(text.data(), kMaxValueBytes + 1);
  for (const auto& analyzer : {standard_analyzer(), whitespace_analyzer(), keyword_analyzer()}) {
    EXPECT_THROW(analyzer->token_stream()->reset(too_long), InvalidDocument);
  }
}

TEST(Analyzers, OnlyDelimitedProducesPayloads) {
  EXPECT_TRUE(delimited_analyzer()->produces_payloads());
  EXPECT_FALSE(delimited_freq_analyzer()->produces_payloads());
  EXPECT_FALSE(standard_analyzer()->produces_payloads());
}

TEST(Analyzers, BytesThatAreNoUtf8CountAsReplacementCharacters) {
  EXPECT_EQ(terms(*standard_analyzer(), "a\x80 b\xFF"), (std::vector<std::string>{"a", "b"}));
  const Analyzed spaces = analyze(*whitespace_analyzer()->token_stream(), "x\xC3 \xE4\xB8", 64);
  ASSERT_EQ(spaces.tokens.size(), 2u);
  EXPECT_EQ(spaces.tokens[0].term, "x\xEF\xBF\xBD");
  EXPECT_EQ(spaces.tokens[1].term, "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(spaces.final_offset, 5u);
  EXPECT_EQ(terms(*keyword_analyzer(), "\xF0\x9F\x98"),
            (std::vector<std::string>{"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}));
}

TEST(Analyzers, ARefusedFrequencyNamesItself) {
  const auto stream = delimited_freq_analyzer()->token_stream();
  std::array<Token, 64> tokens;
  stream->reset("a|2 b c|none d");
  ASSERT_EQ(stream->next(tokens), 2u) << "the tokens before it come first";
  try {
    stream->next(tokens);
    FAIL() << "no error";
  } catch (const InvalidDocument& error) {
    EXPECT_NE(std::string(error.what()).find("\"c|none\" at offset 6"), std::string::npos)
        << error.what();
  }
  stream->reset("a|3");
  ASSERT_EQ(stream->next(tokens), 1u) << "a stream is good again after reset";
  EXPECT_EQ(tokens[0].frequency, 3u);
}

TEST(Analyzers, TermsLongerThanTheBufferComeWhole) {
  const std::string ascii(3'000'000, 'A');
  std::string letters;
  for (int i = 0; i < 400'000; ++i) letters += "\u00c9";
  EXPECT_EQ(terms(*keyword_analyzer(), ascii), (std::vector<std::string>{ascii}));
  const auto parts = terms(*standard_analyzer({1048576, {}}), ascii + " " + letters + " b");
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[0], std::string(1048576, 'a'));
  EXPECT_EQ(parts[2], std::string(3'000'000 - 2 * 1048576, 'a'));
  EXPECT_EQ(parts[3].substr(0, 2), "\u00e9");
  EXPECT_EQ(parts[3].size(), letters.size());
  EXPECT_EQ(parts[4], "b");
}

TEST(Analyzers, EnglishStopWordsAreLucenes33) {
  EXPECT_EQ(english_stop_words().size(), 33u);
  std::string all;
  for (const std::string& word : english_stop_words()) all += word + " ";
  EXPECT_EQ(terms(*english_analyzer(), all), std::vector<std::string>{});
}

}  // namespace
}  // namespace postern::analysis
