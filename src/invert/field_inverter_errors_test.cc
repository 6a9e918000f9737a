// What refuses a document, and what stays of it (docs/formats/01 §5-6, docs/bug_reports.md).
#include <gtest/gtest.h>

#include <stdexcept>

#include "invert/field_inverter.h"
#include "invert/inverter_test_support.h"
#include "postern/error.h"

namespace postern::invert {
namespace {

using namespace testing_support;
using testing::Test;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

FieldOptions options(IndexOptions o) {
  FieldOptions f;
  f.type.index_options = o;
  return f;
}

std::string numbered(uint32_t i) {
  std::string term(1, 't');
  term += std::to_string(i);
  return term;
}

std::vector<std::string> terms(TestField& f) {
  std::vector<std::string> all;
  for (const auto& [term, postings] : collect(*f.inverter)) all.push_back(term);
  return all;
}

// docs/bug_reports.md row 1. The limit is bytes of UTF-8, ASCII or not.
TEST(Refusals, ImmenseTermsAreRefusedBeforeAnythingIsTouched) {
  for (PoolLayout layout : {PoolLayout::kShared, PoolLayout::kSeparate, PoolLayout::kInline}) {
    for (bool tokenized : {true, false}) {
      FieldOptions o = options(IndexOptions::kFreqs);
      o.layout = layout;
      o.type.tokenized = tokenized;
      if (tokenized) o.analyzer = keyword_analyzer();
      TestField f(o);
      std::string longest(32766, 'x');
      std::string too_long(32767, 'y');
      std::string wide;
      for (int i = 0; i < 32767; ++i) wide += "\xe2\x82\xac";
      f.add_texts(0, {longest});
      uint64_t bytes = f.memory.counter().bytes();
      std::string message = f.refusal(1, {f.text(too_long)});
      EXPECT_TRUE(contains(message, "field 'body' of document 1")) << message;
      EXPECT_TRUE(contains(message, "32767 bytes")) << message;
      EXPECT_TRUE(contains(message, "32766")) << message;
      EXPECT_TRUE(contains(message, "beginning with 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...'"));
      message = f.refusal(2, {f.text(wide)});
      EXPECT_TRUE(contains(message, "98301 bytes")) << message;
      EXPECT_TRUE(contains(message, "'\\xe2\\x82\\xac")) << message;
      EXPECT_EQ(f.memory.counter().bytes(), bytes);
      f.add_texts(3, {longest});
      EXPECT_EQ(f.inverter->term_count(), 1u);
      EXPECT_EQ(f.inverter->doc_count(), 2u);
    }
  }
}

TEST(Refusals, TheTermLimitCanBeLowered) {
  FieldOptions o;
  o.limits.max_term_bytes = 5;
  TestField f(o);
  EXPECT_EQ(f.refusal(0, {f.text("abcde")}), "");
  EXPECT_TRUE(contains(f.refusal(1, {f.text("good abcdef lost")}), "6 bytes"));
  EXPECT_EQ(terms(f), (std::vector<std::string>{"abcde", "good"}));
}

TEST(Refusals, AnImmenseTokenOfAListIsRefusedToo) {
  TestField f;
  std::string immense(100'000, 'i');
  TokenList list{{make_token("a"), make_token(immense), make_token("b")}, 0, 0};
  EXPECT_TRUE(contains(f.refusal(0, {f.tokens(list)}), "100000 bytes"));
  EXPECT_EQ(terms(f), (std::vector<std::string>{"a"}));
}

// docs/bug_reports.md row 15.
TEST(Refusals, FirstIncrementZeroAndNegativeIncrements) {
  TestField f;
  TokenList zero{{make_token("a", 0)}, 0, 0};
  TokenList negative{{make_token("b"), make_token("c", -1)}, 0, 0};
  TokenList synonym{{make_token("d"), make_token("e", 0)}, 0, 0};
  std::string message = f.refusal(0, {f.tokens(zero)});
  EXPECT_TRUE(contains(message, "first position increment must be > 0 (got 0)")) << message;
  message = f.refusal(1, {f.tokens(negative)});
  EXPECT_TRUE(contains(message, "position increment must be >= 0 (got -1)")) << message;
  EXPECT_EQ(f.refusal(2, {f.tokens(synonym)}), "");
  EXPECT_EQ(terms(f), (std::vector<std::string>{"b", "d", "e"}));
}

TEST(Refusals, OnlyOverlapsLeaveNoLengthForANorm) {
  FieldOptions o;
  o.position_gap = 10;
  TestField f(o);
  TokenList zero{{make_token("a", 0)}, 0, 0};
  std::string message = f.refusal(0, {f.text(""), f.tokens(zero)});
  EXPECT_TRUE(contains(message, "increment of 0")) << message;
  o.type.omit_norms = true;
  TestField without(o);
  EXPECT_EQ(without.refusal(0, {without.text(""), without.tokens(zero)}), "");
}

// docs/bug_reports.md row 14.
TEST(Refusals, PositionsBeyondTheLimit) {
  TestField f;
  TokenList at_limit{{make_token("a", 2147483519), make_token("b")}, 0, 0};
  TokenList last{{make_token("a", 2147483519), make_token("b", 1)}, 0, 0};
  EXPECT_EQ(f.refusal(0, {f.tokens(last)}), "");  // position 2147483519 is allowed
  TokenList beyond{{make_token("a", 2147483519), make_token("c", 2)}, 0, 0};
  std::string message = f.refusal(1, {f.tokens(beyond)});
  EXPECT_TRUE(contains(message, "position 2147483520 is too large")) << message;
  EXPECT_TRUE(contains(message, "2147483519")) << message;
  FieldOptions o;
  o.position_gap = 62297655;
  TestField gaps(o);
  TokenList first{{make_token("a", 2118121203)}, 0, 0};
  TokenList second{{make_token("b")}, 0, 0};
  message = gaps.refusal(0, {gaps.tokens(first), gaps.tokens(second)});
  EXPECT_TRUE(contains(message, "position overflowed")) << message;
  EXPECT_EQ(gaps.refusal(1, {gaps.tokens(second), gaps.tokens(second)}), "");
  Index index = collect(*gaps.inverter);
  EXPECT_EQ(index["a"][0].positions[0].position, 2118121202u);
  EXPECT_EQ(index["b"][0].positions[1].position, 62297656u);
}

TEST(Refusals, ThePositionLimitCanBeLowered) {
  FieldOptions o;
  o.limits.max_position = 2;
  TestField f(o);
  EXPECT_EQ(f.refusal(0, {f.text("a b c")}), "");
  EXPECT_TRUE(contains(f.refusal(1, {f.text("a b c d")}), "position 3 is too large"));
  EXPECT_EQ(terms(f), (std::vector<std::string>{"a", "b", "c"}));
}

// docs/bug_reports.md row 16. Checked whether or not offsets are indexed.
TEST(Refusals, OffsetsThatGoBackwards) {
  for (IndexOptions o : {IndexOptions::kDocs, IndexOptions::kPositions, IndexOptions::kOffsets}) {
    TestField f(options(o));
    TokenList first{{make_token("a", 1, 5, 6)}, 0, 0};
    TokenList second{{make_token("b", 1, 0, 1)}, 1, 0};
    TokenList reversed{{make_token("c", 1, 3, 2)}, 3, 0};
    std::string message = f.refusal(0, {f.tokens(first), f.tokens(second)});
    EXPECT_TRUE(contains(message, "field 'body'")) << message;
    EXPECT_TRUE(contains(message, "start 1, end 2, last start 5")) << message;
    EXPECT_TRUE(contains(f.refusal(1, {f.tokens(reversed)}), "start 3, end 2"));
    EXPECT_EQ(f.refusal(2, {f.tokens(second)}), "");
    EXPECT_EQ(terms(f), (std::vector<std::string>{"a", "b"}));
  }
}

TEST(Refusals, OffsetsBeyondJavasInt) {
  TestField f(options(IndexOptions::kOffsets));
  TokenList value{{make_token("a", 1, 0, 0x7fffffff)}, 0x7fffffff, 0};
  EXPECT_EQ(f.refusal(0, {f.tokens(value)}), "");
  EXPECT_TRUE(contains(f.refusal(1, {f.tokens(value), f.tokens(value)}), "2147483647"));
  EXPECT_EQ(collect(*f.inverter)["a"][0].positions[0].end, 0x7fffffffu);
}

// docs/bug_reports.md row 20.
TEST(Refusals, FrequenciesThatOverflowTheFieldsLength) {
  TestField f(options(IndexOptions::kFreqs));
  Token big = make_token("a");
  big.frequency = 0x7fffffff;
  TokenList once{{big}, 0, 0};
  TokenList twice{{big, big}, 0, 0};
  Token zero = make_token("z");
  zero.frequency = 0;
  TokenList none{{zero}, 0, 0};
  EXPECT_EQ(f.refusal(0, {f.tokens(once)}), "");
  EXPECT_TRUE(contains(f.refusal(1, {f.tokens(twice)}), "too many tokens"));
  EXPECT_TRUE(contains(f.refusal(2, {f.tokens(none)}), "frequency of 0"));
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["a"], (Postings{{0, 0x7fffffff, {}}, {1, 0x7fffffff, {}}}));
  EXPECT_EQ(f.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{0, 255}}));
}

TEST(Refusals, CustomFrequenciesInFieldsWithPositions) {
  TestField f;
  Token t = make_token("b");
  t.frequency = 2;
  TokenList list{{make_token("a"), t}, 0, 0};
  EXPECT_TRUE(contains(f.refusal(0, {f.tokens(list)}), "frequency of 2"));
  EXPECT_EQ(terms(f), (std::vector<std::string>{"a"}));
}

TEST(Refusals, ValuesOfTheWrongKind) {
  FieldOptions o;
  o.type.tokenized = false;
  TestField keyword(o);
  TokenList list{{make_token("a")}, 0, 0};
  EXPECT_NE(keyword.refusal(0, {keyword.tokens(list)}), "");
  TestField text;
  EXPECT_NE(text.refusal(0, {text.binary("x")}), "");
  EXPECT_NE(text.refusal(1, {{.field = &text.definition, .kind = ValueKind::kInt, .bytes = {}}}),
            "");
  EXPECT_EQ(text.inverter->term_count(), 0u);
}

// docs/formats/01 §5.5: the norm is there if the first value was inverted without error.
TEST(Refusals, TheNormDependsOnTheFirstValue) {
  FieldOptions o;
  o.limits.max_term_bytes = 5;
  TestField f(o);
  EXPECT_NE(f.refusal(0, {f.text("a b toolong c")}), "");
  EXPECT_NE(f.refusal(1, {f.text("a b"), f.text("c toolong d")}), "");
  f.add_texts(2, {"a"});
  // What Lucene counted by the time it failed: a, b, c and the bad token.
  EXPECT_EQ(f.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{1, 4}, {2, 1}}));
  EXPECT_EQ(f.inverter->doc_count(), 3u);
}

TEST(Refusals, PayloadsOfADocumentWhoseFirstValueFailedDoNotCount) {
  FieldOptions o;
  o.analyzer = delimited_analyzer();
  o.limits.max_term_bytes = 5;
  TestField f(o);
  EXPECT_NE(f.refusal(0, {f.text("a|p toolong")}), "");
  EXPECT_FALSE(f.inverter->has_payloads());
  f.add_texts(1, {"a"});
  EXPECT_TRUE(f.inverter->has_payloads());
}

class FailingStream : public TokenStream {
 public:
  void reset(std::string_view text) override {
    text_.assign(text);
    text_.resize(text.size() + kTermPadding);
    at_ = 0;
    length_ = text.size();
  }
  size_t next(std::span<Token> tokens) override {
    if (at_ >= length_) return 0;
    if (text_[at_] == '!') throw std::runtime_error("the analyzer's own error");
    tokens[0] = Token{};
    tokens[0].term = reinterpret_cast<const uint8_t*>(text_.data()) + at_;
    tokens[0].term_length = 1;
    ++at_;
    return 1;
  }
  uint32_t final_offset() const override { return 0; }

 private:
  std::string text_;
  size_t at_ = 0;
  size_t length_ = 0;
};
class FailingAnalyzer : public Analyzer {
 public:
  std::unique_ptr<TokenStream> token_stream() const override {
    return std::make_unique<FailingStream>();
  }
};

// docs/formats/05 §6, first condition.
TEST(Refusals, TokensBeforeAnAnalyzersErrorStay) {
  FieldOptions o;
  o.analyzer = std::make_shared<FailingAnalyzer>();
  TestField f(o);
  f.inverter->start_document(0);
  EXPECT_THROW(f.inverter->add(f.text("abcd!fgh")), std::runtime_error);
  f.inverter->finish_document();
  f.add_texts(1, {"a"});
  f.add_texts(2, {"a"});
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["a"].size(), 3u);
  EXPECT_EQ(index["d"].size(), 1u);
  EXPECT_EQ(index.count("g"), 0u);
}

// Lucene's attribute for position increments takes no negative one, at the end of a value either.
TEST(Refusals, NegativeIncrementsAtTheEndOfAValue) {
  TestField f(options(IndexOptions::kPositions));
  TokenList list;
  list.final_position_increment = -1;
  std::string message = f.refusal(0, {f.tokens(list)});
  EXPECT_TRUE(contains(message, "field 'body' of document 0")) << message;
  EXPECT_TRUE(contains(message, "got -1")) << message;
}

// Lucene refuses where a token stands before the last one, not where a gap passes 2^31.
TEST(Refusals, GapsThatComeRoundAreAccepted) {
  FieldOptions o = options(IndexOptions::kPositions);
  o.position_gap = 2147483647;
  TestField f(o);
  TokenList none;
  TokenList late{{make_token("b", 3)}, 0, 0};
  TokenList early{{make_token("b", 2)}, 0, 0};
  EXPECT_EQ(f.refusal(0, {f.tokens(none), f.tokens(none), f.tokens(late)}), "");
  std::string message = f.refusal(1, {f.tokens(none), f.tokens(none), f.tokens(early)});
  EXPECT_TRUE(contains(message, "position overflowed (increment 2, last position 0")) << message;
}

TEST(Refusals, AnAnalyzersRefusalNamesTheField) {
  FieldOptions o = options(IndexOptions::kFreqs);
  o.analyzer = delimited_freq_analyzer();
  TestField f(o);
  std::string message = f.refusal(3, {f.text("a|2 b|none")});
  EXPECT_TRUE(contains(message, "field 'body' of document 3")) << message;
  EXPECT_TRUE(contains(message, "\"b|none\" at offset 4")) << message;
}

// docs/bug_reports.md rows 25 and 26: refused whole, never wrapped, and the buffer says in time
// that it wants to be flushed.
TEST(PoolLimit, ADocumentThatDoesNotFitIsRefusedAndTheBufferGoesOn) {
  for (PoolLayout layout : {PoolLayout::kShared, PoolLayout::kSeparate, PoolLayout::kInline}) {
    FieldOptions o;
    o.layout = layout;
    o.limits.max_pool_bytes = 300'000;
    TestField f(o);
    f.add_texts(0, {"small"});
    EXPECT_FALSE(f.memory.pools_nearly_full());
    std::string endless;
    for (int i = 0; i < 100'000; ++i) endless.append(numbered(i)).append(" ");
    std::string message = f.refusal<LimitExceeded>(1, {f.text(endless)});
    EXPECT_TRUE(contains(message, "field 'body' of document 1")) << message;
    EXPECT_TRUE(contains(message, "300000")) << message;
    EXPECT_TRUE(f.memory.pools_nearly_full());
    EXPECT_LE(f.memory.slices().used(), 300'000u);
    EXPECT_LE(f.memory.text().used(), 300'000u);
    // Whole groups were indexed, nothing of the one that did not fit.
    uint32_t count = f.inverter->term_count() - 1;
    EXPECT_EQ(count % 64, 0u);
    Index index = collect(*f.inverter);
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(index[numbered(i)], (Postings{{1, 1, {{i, 0, 0, ""}}}}));
    }
  }
}

TEST(PoolLimit, WaitingValuesKeepTheirRoom) {
  FieldOptions o;
  o.type.tokenized = false;
  o.type.index_options = IndexOptions::kDocs;
  o.type.omit_norms = true;
  o.limits.max_pool_bytes = 20'000;
  TestField f(o);
  uint32_t added = 0;
  for (uint32_t doc = 0; doc < 1000; ++doc) {
    std::string value = "value " + std::to_string(doc) + std::string(20, 'x');
    if (!f.refusal<LimitExceeded>(doc, {f.text(value)}).empty()) break;
    ++added;
  }
  EXPECT_GT(added, 30u);
  EXPECT_LT(added, 1000u);
  EXPECT_EQ(f.inverter->term_count(), added);  // does not throw
  EXPECT_EQ(f.inverter->doc_count(), added);
  EXPECT_LE(f.memory.slices().used(), 20'000u);
}

}  // namespace
}  // namespace postern::invert
