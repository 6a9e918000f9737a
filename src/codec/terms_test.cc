// The terms dictionary: the specification's example, and terms of every shape.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "codec/postings_test_util.h"

namespace postern::codec {
namespace {

using testing::as_bytes;
using testing::as_string;
using testing::field_info;
using testing::TestSegment;

class Random {
 public:
  explicit Random(uint64_t seed) : x_(seed) {}
  uint32_t below(uint64_t n) {
    x_ = x_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((x_ >> 33) % n);
  }

 private:
  uint64_t x_;
};

std::vector<uint8_t> after(const std::vector<uint8_t>& bytes, size_t header) {
  return {bytes.begin() + static_cast<ptrdiff_t>(header),
          bytes.end() - static_cast<ptrdiff_t>(store::kFooterLength)};
}

TEST(Terms, TheWorkedExampleOfTheSpecificationIsWrittenByteForByte) {
  TestSegment segment({{field_info(1, IndexOptions::kDocs)}}, 1);
  PostingsFormatWriter writer(segment.context(), segment.infos);
  testing::write_field(writer, segment.infos.fields[0], {{"x", {{0, 1, {}}}}});
  writer.close();
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(segment.bytes("doc").size(), 63u + store::kFooterLength);
  EXPECT_EQ(after(segment.bytes("tim"), 55),
            (Bytes{0x03, 0x0c, 0x78, 0x03, 0x01, 0x01, 0x01, 0x02, 0x7e, 0x00}));
  EXPECT_EQ(after(segment.bytes("tip"), 56), (Bytes{0x20, 0x37, 0, 0, 0, 0, 0, 0, 0, 0}));
  Bytes meta = segment.bytes("tmd");
  const size_t headers = (9 + 18 + 16 + 1 + 11) + (9 + 28 + 16 + 1 + 11);
  EXPECT_EQ(after(meta, headers), (Bytes{0x80, 0x02, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x78, 0x01,
                                         0x78, 0x38, 0x00, 0x42, 82,   0,    0,    0,    0,    0,
                                         0,    0,    81,   0,    0,    0,    0,    0,    0,    0}));
}

// Doc frequency and singleton document of term number i.
std::vector<uint32_t> docs_of(uint32_t i) {
  if (i % 5 != 0) return {i * 7 % 1000000};
  return {i, i + 1 + i % 50};
}

void write_terms(PostingsFormatWriter& writer, const FieldInfo& info,
                 const std::set<std::string>& terms) {
  writer.start_field(info, {});
  uint32_t i = 0;
  for (const std::string& term : terms) {
    for (uint32_t doc : docs_of(i)) {
      writer.start_doc(doc);
      writer.finish_doc(1 + i % 3);
    }
    writer.finish_term(as_bytes(term));
    ++i;
  }
  writer.finish_field(1);
}

void expect_terms(const TestSegment& segment, const FieldTerms& field,
                  const std::set<std::string>& terms) {
  ASSERT_EQ(field.term_count(), terms.size());
  ASSERT_EQ(as_string(field.min_term()), *terms.begin());
  ASSERT_EQ(as_string(field.max_term()), *terms.rbegin());
  TermsCursor cursor = field.terms();
  uint32_t i = 0;
  for (const std::string& term : terms) {
    ASSERT_TRUE(cursor.next());
    ASSERT_EQ(as_string(cursor.term()), term);
    auto docs = docs_of(i);
    ASSERT_EQ(cursor.state().doc_freq, docs.size());
    ASSERT_EQ(cursor.state().total_term_freq, docs.size() * (1 + i % 3));
    if (i % 7 == 0 || term.size() > 1000) {
      auto found = field.find(term);
      ASSERT_TRUE(found);
      auto postings = testing::read_postings(*segment.postings, field.parts(), *found);
      ASSERT_EQ(postings.size(), docs.size());
      ASSERT_EQ(postings.back().doc, docs.back());
    }
    ++i;
  }
  ASSERT_FALSE(cursor.next());
  ASSERT_FALSE(cursor.next());
}

void expect_round_trip(const std::set<std::string>& terms) {
  TestSegment segment({{field_info(0, IndexOptions::kFreqs)}});
  PostingsFormatWriter writer(segment.context(), segment.infos);
  write_terms(writer, segment.infos.fields[0], terms);
  writer.close();
  segment.open();
  ASSERT_EQ(segment.terms->fields().size(), 1u);
  expect_terms(segment, segment.terms->fields()[0], terms);
}

std::string random_bytes(Random& random, uint32_t length, uint32_t first, uint32_t alphabet) {
  std::string out(length, 0);
  for (char& c : out) c = static_cast<char>(first + random.below(alphabet));
  return out;
}

// A term of one of many shapes.
std::string random_term(Random& random) {
  switch (random.below(8)) {
    case 0:
      return std::to_string(random.below(1000000));
    case 1:
      return random_bytes(random, random.below(20), 0, 256);
    case 2:
      return random_bytes(random, 3, 0, 256);
    case 3:
      return "http://www.example.org/" + std::to_string(random.below(99)) + "/Document-" +
             std::to_string(random.below(100000));
    case 4:
      return random_bytes(random, 1 + random.below(12), 'a', 26);
    case 5:
      return random_bytes(random, random.below(200), 'q', 2);
    case 6:
      return std::string(random.below(300), 'z') + std::to_string(random.below(100));
    default:
      return testing::numbered("id", 10000000 + random.below(1000000));
  }
}

TEST(Terms, AHundredThousandOfEveryShapeReadBack) {
  Random random(11);
  std::set<std::string> terms{""};
  while (terms.size() < 100000) terms.insert(random_term(random));
  expect_round_trip(terms);
}

TEST(Terms, TheLongestTermsReadBack) {
  Random random(12);
  std::set<std::string> terms;
  const uint32_t longest = 32766;
  terms.insert(std::string(longest, 'a'));
  for (uint32_t i = 0; i < 40; ++i) {
    std::string term(longest, 'a');
    term[longest - 1 - i * 800] = static_cast<char>('b' + i % 3);
    terms.insert(term);
    terms.insert(random_bytes(random, longest - i, 0, 256));
    terms.insert(std::string(longest - i, '\xff'));
  }
  // A block at the end of a prefix as long as a term can be.
  for (uint32_t i = 0; i < 60; ++i)
    terms.insert(std::string(longest - 1, 'b') + static_cast<char>(i * 4));
  expect_round_trip(terms);
}

TEST(Terms, EveryNumberOfTermsAroundTheBlockSizesReadsBack) {
  for (uint32_t count = 1; count <= 120; ++count) {
    std::set<std::string> spread;
    std::set<std::string> nested;
    std::set<std::string> shared{"", "pre"};
    for (uint32_t i = 0; i < count; ++i) {
      spread.insert(std::string(1, static_cast<char>(i * 2)));
      nested.insert(std::string(i, 'n'));
      shared.insert(std::string("pre").append(1, static_cast<char>(i)).append("fix"));
    }
    SCOPED_TRACE(count);
    expect_round_trip(spread);
    expect_round_trip(nested);
    expect_round_trip(shared);
  }
}

TEST(Terms, WhatIsNotThereIsNotFound) {
  Random random(13);
  std::set<std::string> terms;
  while (terms.size() < 20000) {
    std::string term = random_term(random);
    if (random.below(2) == 0) terms.insert(term);
  }
  TestSegment segment({{field_info(0, IndexOptions::kFreqs)}});
  PostingsFormatWriter writer(segment.context(), segment.infos);
  write_terms(writer, segment.infos.fields[0], terms);
  writer.close();
  segment.open();
  const FieldTerms& field = segment.terms->fields()[0];
  for (uint32_t i = 0; i < 30000; ++i) {
    std::string term = random_term(random);
    ASSERT_EQ(field.find(term).has_value(), terms.contains(term)) << term;
  }
  for (const std::string& term : terms) {
    for (const std::string& near : {term + '\0', term.substr(0, term.size() / 2), term + "zz"})
      ASSERT_EQ(field.find(near).has_value(), terms.contains(near));
  }
}

TEST(Terms, ManyFieldsKeepTheirStatisticsApart) {
  FieldInfos infos;
  for (uint32_t i = 0; i < 300; ++i)
    infos.fields.push_back(field_info(3 * i, i % 2 ? IndexOptions::kFreqs : IndexOptions::kDocs));
  TestSegment segment(infos);
  PostingsFormatWriter writer(segment.context(), segment.infos);
  for (uint32_t i = 0; i < 300; ++i) {
    writer.start_field(infos.fields[i], {});
    for (uint32_t t = 0; t < i % 4; ++t) {
      writer.start_doc(t);
      writer.finish_doc(5);
      writer.start_doc(t + 10);
      writer.finish_doc(6);
      writer.finish_term(as_bytes(testing::numbered("term", t)));
    }
    EXPECT_EQ(writer.finish_field(2 * (i % 4)), i % 4 != 0);
  }
  writer.close();
  segment.open();
  EXPECT_EQ(segment.terms->fields().size(), 225u);
  for (uint32_t i = 0; i < 300; ++i) {
    const FieldTerms* field = segment.terms->field(infos.fields[i].name);
    ASSERT_EQ(field != nullptr, i % 4 != 0);
    if (field == nullptr) continue;
    EXPECT_EQ(field->number(), 3 * i);
    EXPECT_EQ(field->term_count(), i % 4);
    EXPECT_EQ(field->sum_doc_freq(), 2 * (i % 4));
    EXPECT_EQ(field->sum_total_term_freq(), (i % 2 ? 11 : 2) * (i % 4));
    EXPECT_EQ(field->doc_count(), 2 * (i % 4));
  }
}

RC_GTEST_PROP(Terms, AnySetReadsBack, ()) {
  Random random(*rc::gen::arbitrary<uint64_t>());
  uint32_t count = *rc::gen::inRange(1u, 400u);
  uint32_t alphabet = *rc::gen::element(1u, 2u, 5u, 200u, 256u);
  uint32_t length = *rc::gen::inRange(1u, 40u);
  std::set<std::string> terms;
  std::string last;
  for (uint32_t i = 0; i < count; ++i) {
    std::string term = last.substr(0, random.below(last.size() + 1)) +
                       random_bytes(random, random.below(length), 256 - alphabet, alphabet);
    terms.insert(term);
    last = term;
  }
  expect_round_trip(terms);
}

}  // namespace
}  // namespace postern::codec
