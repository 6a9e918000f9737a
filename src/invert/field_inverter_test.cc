// What docs/formats/01 §4-6, 03 §6 and 05 §4-5 say of one field.
#include "invert/field_inverter.h"

#include <gtest/gtest.h>

#include "invert/inverter_test_support.h"
#include "postern/error.h"

namespace postern::invert {
namespace {

using namespace testing_support;

FieldOptions options(IndexOptions o, bool norms = true) {
  FieldOptions f;
  f.type.index_options = o;
  f.type.omit_norms = !norms;
  return f;
}

FieldOptions untokenized(IndexOptions o, bool norms = false) {
  FieldOptions f = options(o, norms);
  f.type.tokenized = false;
  f.analyzer = nullptr;
  return f;
}

Posting offsets(uint32_t doc, std::vector<Position> positions) {
  auto freq = static_cast<uint32_t>(positions.size());
  return {doc, freq, std::move(positions)};
}

// docs/formats/01 §4.1, the worked example.
TEST(FieldInverter, WorkedExampleReadsBack) {
  TestField f;
  std::vector<Token> doc0 = {make_token("ab"), make_token("cde"), make_token("ab")};
  TokenList list0{doc0, 0, 0};
  TokenList list3{{make_token("ab", 6)}, 0, 0};
  TokenList list7{{make_token("ab", 131)}, 0, 0};
  f.add(0, {f.tokens(list0)});
  f.add(3, {f.tokens(list3)});
  f.add(7, {f.tokens(list7)});
  Index want;
  want["ab"] = {
      {0, 2, {{0, 0, 0, ""}, {2, 0, 0, ""}}}, {3, 1, {{5, 0, 0, ""}}}, {7, 1, {{130, 0, 0, ""}}}};
  want["cde"] = {{0, 1, {{1, 0, 0, ""}}}};
  EXPECT_EQ(f.inverter->doc_count(), 3u);
  EXPECT_EQ(collect(*f.inverter), want);
}

// docs/formats/05 §4.
TEST(FieldInverter, SeenTermsCountTheirFrequencies) {
  TestField f(options(IndexOptions::kFreqs));
  f.add_texts(0, {"start foo bar"});
  f.add_texts(1, {"bar foobar bar bar foobar verylongfoobarbaz"});
  f.add_texts(2, {"verylongfoobarbaz boom"});
  f.add_texts(3, {"verylongfoobarbaz end"});
  EXPECT_EQ(f.inverter->term_count(), 7u);
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["bar"], (Postings{{0, 1, {}}, {1, 3, {}}}));
  EXPECT_EQ(index["foobar"], (Postings{{1, 2, {}}}));
  EXPECT_EQ(index["verylongfoobarbaz"], (Postings{{1, 1, {}}, {2, 1, {}}, {3, 1, {}}}));
}

TEST(FieldInverter, FrequencyOf131072) {
  for (IndexOptions o : {IndexOptions::kFreqs, IndexOptions::kPositions, IndexOptions::kOffsets}) {
    TestField f(options(o));
    std::string text;
    for (int i = 0; i < 131072; ++i) text += "a ";
    f.add_texts(5, {text});
    Index index = collect(*f.inverter);
    ASSERT_EQ(index["a"].size(), 1u);
    EXPECT_EQ(index["a"][0].freq, 131072u);
  }
}

// docs/formats/03 §6, the verified example.
TEST(FieldInverter, OffsetsAndPositionsRunOnOverTheValues) {
  FieldOptions o = options(IndexOptions::kOffsets);
  o.analyzer = standard_analyzer();
  TestField f(o);
  f.add_texts(0, {"one two ", "", "three. ", "...", "one"});
  Index want;
  want["one"] = {offsets(0, {{0, 0, 3, ""}, {3, 22, 25, ""}})};
  want["two"] = {offsets(0, {{1, 4, 7, ""}})};
  want["three"] = {offsets(0, {{2, 10, 15, ""}})};
  EXPECT_EQ(collect(*f.inverter), want);
  EXPECT_EQ(f.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{0, 4}}));
}

// docs/formats/05 §5.
TEST(FieldInverter, ValuesOfAnUntokenizedFieldHaveNoGap) {
  TestField f(untokenized(IndexOptions::kOffsets));
  f.add_texts(0, {"abcd", "", "abcd"});
  Index want;
  want["abcd"] = {offsets(0, {{0, 0, 4, ""}, {2, 4, 8, ""}})};
  want[""] = {offsets(0, {{1, 4, 4, ""}})};
  EXPECT_EQ(collect(*f.inverter), want);
}

TEST(FieldInverter, UntokenizedOffsetsCountUtf16Units) {
  TestField f(untokenized(IndexOptions::kOffsets));
  f.add_texts(0, {"a\xf0\x9f\x98\x80z", "b"});
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["b"], (Postings{offsets(0, {{1, 4, 5, ""}})}));
}

TEST(FieldInverter, GapsOfTokenizedValues) {
  FieldOptions o = options(IndexOptions::kOffsets);
  auto stop = stop_analyzer({"the"});
  struct Case {
    std::vector<std::string> values;
    std::vector<std::pair<uint32_t, uint32_t>> want;
  };
  const Case cases[] = {
      {{"abcd", "abcd"}, {{0, 4}, {5, 9}}},
      {{"abcd   ", "abcd   "}, {{0, 4}, {8, 12}}},
      {{"abcd the", "abcd the"}, {{0, 4}, {9, 13}}},
      {{"abcd the  ", "crunch man"}, {{0, 4}, {11, 17}, {18, 21}}},
      {{"", "crunch man"}, {{1, 7}, {8, 11}}},
      {{"abcd", "", "crunch"}, {{0, 4}, {6, 12}}},
  };
  o.analyzer = stop;
  for (const Case& c : cases) {
    TestField f(o);
    f.add_texts(0, c.values);
    std::vector<std::pair<uint32_t, uint32_t>> got;
    for (const auto& [term, postings] : collect(*f.inverter)) {
      for (const Position& p : postings[0].positions) got.emplace_back(p.start, p.end);
    }
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, c.want);
  }
}

TEST(FieldInverter, PositionGapFollowsAlsoAnEmptyValue) {
  FieldOptions o;
  o.position_gap = 100;
  TestField f(o);
  f.add_texts(0, {"", "a b", "c"});
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["a"][0].positions[0].position, 100u);
  EXPECT_EQ(index["c"][0].positions[0].position, 202u);
}

TEST(FieldInverter, PositionsLeftOverAtTheEndOfAValueCount) {
  FieldOptions o;
  o.analyzer = stop_analyzer({"of", "the"});
  TestField f(o);
  f.add_texts(0, {"of the", "x"});
  EXPECT_EQ(collect(*f.inverter)["x"][0].positions[0].position, 2u);
}

TEST(FieldInverter, LoneSurrogatesOfAnUntokenizedTextBecomeReplacementCharacters) {
  TestField f(untokenized(IndexOptions::kDocs));
  f.add_texts(0, {"a\xed\xb7\xbd", "\xed\xa0\x80z"});
  f.add(1, {f.binary("a\xed\xb7\xbd")});
  Index want;
  want["a\xef\xbf\xbd"] = {{0, 1, {}}};
  want["\xef\xbf\xbdz"] = {{0, 1, {}}};
  want["a\xed\xb7\xbd"] = {{1, 1, {}}};
  EXPECT_EQ(collect(*f.inverter), want);
}

TEST(FieldInverter, EmptyTermAndRepeatedValues) {
  TestField f(untokenized(IndexOptions::kFreqs));
  f.add_texts(0, {"", "x", ""});
  f.add_texts(4, {"x"});
  EXPECT_EQ(f.inverter->doc_count(), 2u);
  Index want;
  want[""] = {{0, 2, {}}};
  want["x"] = {{0, 1, {}}, {4, 1, {}}};
  EXPECT_EQ(collect(*f.inverter), want);
}

// docs/formats/01 §5 and 21 §2: norms.
TEST(FieldInverter, NormsFollowTheLength) {
  TestField f;
  TokenList overlap{{make_token("a"), make_token("b", 0), make_token("c")}, 0, 0};
  f.add_texts(0, {"a b a"});
  f.add_texts(1, {""});
  f.add(2, {f.tokens(overlap)});
  std::string long_text;
  for (int i = 0; i < 100; ++i) long_text += "w ";
  f.add_texts(7, {long_text, "x"});
  EXPECT_EQ(f.norms(),
            (std::vector<std::pair<uint32_t, uint8_t>>{{0, 3}, {1, 0}, {2, 2}, {7, 57}}));
  EXPECT_EQ(f.inverter->doc_count(), 3u);
}

TEST(FieldInverter, NormsOfDocsOnlyFieldsCountDistinctTerms) {
  TestField text(options(IndexOptions::kDocs));
  text.add_texts(0, {"a b a", "b c"});
  EXPECT_EQ(text.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{0, 3}}));
  TestField keyword(untokenized(IndexOptions::kDocs, true));
  keyword.add_texts(0, {"a", "b", "a"});
  keyword.add_texts(1, {"a"});
  EXPECT_EQ(keyword.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{0, 2}, {1, 1}}));
}

TEST(FieldInverter, ABinaryValueCountsTwoInTheNorm) {
  TestField f(untokenized(IndexOptions::kFreqs, true));
  f.add_texts(0, {"a"});
  f.add_texts(1, {"a", "b", "c"});
  EXPECT_EQ(f.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{0, 2}, {1, 6}}));
  // With positions it is a token stream of one token.
  TestField p(untokenized(IndexOptions::kPositions, true));
  p.add_texts(0, {"a"});
  EXPECT_EQ(p.norms(), (std::vector<std::pair<uint32_t, uint8_t>>{{0, 1}}));
}

TEST(FieldInverter, FieldsWithoutNormsHaveNone) {
  TestField f(options(IndexOptions::kPositions, false));
  f.add_texts(0, {"a"});
  EXPECT_EQ(f.inverter->norms().size(), 0u);
}

TEST(FieldInverter, CustomFrequenciesAddUp) {
  FieldOptions o = options(IndexOptions::kFreqs);
  o.analyzer = delimited_freq_analyzer();
  TestField f(o);
  f.add_texts(0, {"a|5 b|2147483000 a|7"});
  f.add_texts(1, {"a b"});
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["a"], (Postings{{0, 12, {}}, {1, 1, {}}}));
  EXPECT_EQ(index["b"], (Postings{{0, 2147483000, {}}, {1, 1, {}}}));
}

// docs/formats/01 §4.1: docs-only fields take a frequency with a new term only.
TEST(FieldInverter, DocsOnlyFieldsTakeAFrequencyOfANewTerm) {
  FieldOptions o = options(IndexOptions::kDocs);
  o.analyzer = delimited_freq_analyzer();
  TestField f(o);
  f.add_texts(0, {"a b|3 c|2 d e|9"});
  EXPECT_NE(f.refusal(1, {f.text("a f|2 g b|3 h")}).find("frequency of 3"), std::string::npos);
  EXPECT_NE(f.refusal(2, {f.text("i|2 i|2")}).find("frequency of 2"), std::string::npos);
  Index index = collect(*f.inverter);
  EXPECT_EQ(index["a"], (Postings{{0, 1, {}}, {1, 1, {}}}));
  EXPECT_EQ(index["b"], (Postings{{0, 1, {}}}));
  EXPECT_EQ(index["g"], (Postings{{1, 1, {}}}));
  EXPECT_EQ(index["i"], (Postings{{2, 1, {}}}));
  EXPECT_EQ(index.count("h"), 0u);
}

TEST(FieldInverter, PayloadsInAFieldThatDidNotExpectThem) {
  for (IndexOptions o : {IndexOptions::kPositions, IndexOptions::kOffsets}) {
    FieldOptions f_options = options(o);
    TestField f(f_options);
    f.add_texts(0, {"a b a"});
    std::string payload(300, 'p');
    Token with = make_token("a", 1, 0, 1);
    with.payload = reinterpret_cast<const uint8_t*>(payload.data());
    with.payload_length = 300;
    TokenList list{{make_token("b"), with, make_token("a", 3, 2, 5)}, 5, 0};
    EXPECT_FALSE(f.inverter->has_payloads());
    f.add(9, {f.tokens(list)});
    EXPECT_TRUE(f.inverter->has_payloads());
    bool w = o == IndexOptions::kOffsets;
    Index want;
    want["a"] = {offsets(0, {{0, 0, w ? 1u : 0, ""}, {2, w ? 4u : 0, w ? 5u : 0, ""}}),
                 offsets(9, {{1, 0, w ? 1u : 0, payload}, {4, w ? 2u : 0, w ? 5u : 0, ""}})};
    want["b"] = {offsets(0, {{1, w ? 2u : 0, w ? 3u : 0, ""}}), offsets(9, {{0, 0, 0, ""}})};
    EXPECT_EQ(collect(*f.inverter), want);
  }
}

TEST(FieldInverter, ExpectedPayloadsThatNeverComeLeaveThePlainForm) {
  FieldOptions o;
  o.expects_payloads = true;
  TestField f(o);
  f.add_texts(0, {"a"});
  EXPECT_FALSE(f.inverter->has_payloads());
  std::vector<uint32_t> ids;
  f.inverter->sort_terms(ids);
  CollectingSink sink;
  f.inverter->decode(0, sink);
  EXPECT_EQ(sink.plain, 1u);
}

TEST(FieldInverter, PayloadsDoNotCountInFieldsWithoutPositions) {
  FieldOptions o = options(IndexOptions::kFreqs);
  o.analyzer = delimited_analyzer();
  o.expects_payloads = true;
  TestField f(o);
  f.add_texts(0, {"a|xyz"});
  EXPECT_FALSE(f.inverter->has_payloads());
  EXPECT_EQ(collect(*f.inverter)["a"], (Postings{{0, 1, {}}}));
}

}  // namespace
}  // namespace postern::invert
