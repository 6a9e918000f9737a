#include "lucene_layout/field_postings.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace postern::lucene_layout {
namespace {

TermBytes bytes_of(const std::string& s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}

struct Entry {
  uint32_t position = 0, start = 0, end = 0;
  std::vector<uint8_t> payload;
  bool operator==(const Entry&) const = default;
};
struct DocEntry {
  uint32_t doc = 0, frequency = 0;
  std::vector<Entry> occurrences;
  bool operator==(const DocEntry&) const = default;
};
using Postings = std::vector<DocEntry>;

struct Collect {
  Postings out;
  void start_doc(uint32_t doc, uint32_t frequency) { out.push_back({doc, frequency, {}}); }
  void add_occurrence(const FieldPostings::Decoded& d) {
    out.back().occurrences.push_back(
        {d.position, d.start_offset, d.end_offset, {d.payload.begin(), d.payload.end()}});
  }
};

Postings decode(const FieldPostings& field, const std::string& term) {
  Collect collect;
  field.decode(field.find(bytes_of(term)), collect);
  return collect.out;
}

class EveryLayout : public testing::TestWithParam<PoolLayout> {};
INSTANTIATE_TEST_SUITE_P(, EveryLayout, testing::Values(PoolLayout::kShared, PoolLayout::kSeparate),
                         [](const auto& info) {
                           return info.param == PoolLayout::kShared ? "shared" : "separate";
                         });

void add_worked_example(FieldPostings& field) {
  auto add = [&](const char* term, uint32_t doc, uint32_t position) {
    field.add({.term = bytes_of(term), .doc = doc, .position = position, .payload = {}});
  };
  add("ab", 0, 0);
  add("cde", 0, 1);
  add("ab", 0, 2);
  add("ab", 3, 5);
  add("ab", 7, 130);
}

std::vector<uint8_t> image(const BytePool& pool) {
  std::vector<uint8_t> bytes(pool.position());
  pool.read(0, bytes);
  return bytes;
}

struct Heads {
  std::vector<uint32_t> heads, text_start, byte_start;
  explicit Heads(const FieldPostings& f) {
    for (uint32_t id = 0; id < f.term_count(); ++id) {
      text_start.push_back(f.text_start(id));
      byte_start.push_back(f.byte_start(id));
      for (uint32_t s : {0u, 1u}) heads.push_back(f.stream_head(id, s));
    }
  }
};

// The two images of docs/formats/01 §4.1.
TEST(FieldPostings, SharedPoolHasTheVerifiedBytes) {
  Pools pools(PoolLayout::kShared);
  FieldPostings field(pools, IndexOptions::kPositions);
  add_worked_example(field);
  EXPECT_EQ(image(pools.postings),
            (std::vector<uint8_t>{0x02, 0x61, 0x62,              // "ab"
                                  0x00, 0x02, 0x07, 0x00, 0x10,  // its documents
                                  0x00, 0x1b, 0x00, 0x00, 0x00,  // its positions
                                  0x03, 0x63, 0x64, 0x65,        // "cde"
                                  0x00, 0x00, 0x00, 0x00, 0x10,  //
                                  0x02, 0x00, 0x00, 0x00, 0x10,  //
                                  0x04, 0x0a, 0x84, 0x02, 0x00, 0, 0,
                                  0,    0,    0,    0,    0,    0, 0x11}));  // ab, continued
  Heads heads(field);
  EXPECT_EQ(heads.heads, (std::vector<uint32_t>{6, 31, 17, 23}));
  EXPECT_EQ(heads.text_start, (std::vector<uint32_t>{0, 13}));
  EXPECT_EQ(heads.byte_start, (std::vector<uint32_t>{3, 17}));
  EXPECT_EQ(pools.counter.bytes, 32856u);
  EXPECT_EQ(pools.int_counter.bytes, 32768u);
}

TEST(FieldPostings, SeparatePoolsHaveTheVerifiedBytes) {
  Pools pools(PoolLayout::kSeparate);
  FieldPostings field(pools, IndexOptions::kPositions);
  add_worked_example(field);
  EXPECT_EQ(
      image(pools.postings),
      (std::vector<uint8_t>{0x00, 0x02, 0x07, 0x00, 0x10, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00,
                            0x00, 0x00, 0x10, 0x02, 0x00, 0x00, 0x00, 0x10, 0x04, 0x0a, 0x84, 0x02,
                            0x00, 0,    0,    0,    0,    0,    0,    0,    0,    0x11}));
  EXPECT_EQ(image(pools.terms()), (std::vector<uint8_t>{2, 'a', 'b', 3, 'c', 'd', 'e'}));
  Heads heads(field);
  EXPECT_EQ(heads.heads, (std::vector<uint32_t>{3, 24, 10, 16}));
  EXPECT_EQ(heads.text_start, (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(heads.byte_start, (std::vector<uint32_t>{0, 10}));
  EXPECT_EQ(pools.counter.bytes, 65624u);
}

TEST_P(EveryLayout, WorkedExampleReadsBack) {
  Pools pools(GetParam());
  FieldPostings field(pools, IndexOptions::kPositions);
  add_worked_example(field);
  EXPECT_EQ(decode(field, "ab"),
            (Postings{{0, 2, {{.position = 0, .payload = {}}, {.position = 2, .payload = {}}}},
                      {3, 1, {{.position = 5, .payload = {}}}},
                      {7, 1, {{.position = 130, .payload = {}}}}}));
  EXPECT_EQ(decode(field, "cde"), (Postings{{0, 1, {{.position = 1, .payload = {}}}}}));
}

TEST_P(EveryLayout, CountsNewAndSeenTerms) {
  // docs/formats/05 §4.
  Pools pools(GetParam());
  FieldPostings field(pools, IndexOptions::kFreqs);
  std::vector<std::vector<std::string>> docs = {
      {"start", "foo", "bar"},
      {"bar", "foobar", "bar", "bar", "foobar", "verylongfoobarbaz"},
      {"verylongfoobarbaz", "boom"},
      {"verylongfoobarbaz", "end"}};
  int new_terms = 0;
  int seen_terms = 0;
  for (uint32_t doc = 0; doc < docs.size(); ++doc) {
    for (const auto& term : docs[doc]) {
      auto added = field.add({.term = bytes_of(term), .doc = doc, .payload = {}});
      ++(added.is_new ? new_terms : seen_terms);
    }
  }
  EXPECT_EQ(new_terms, 7);
  EXPECT_EQ(seen_terms, 6);
  EXPECT_EQ(decode(field, "bar"), (Postings{{0, 1, {}}, {1, 3, {}}}));
  EXPECT_EQ(decode(field, "foobar"), (Postings{{1, 2, {}}}));
  EXPECT_EQ(decode(field, "verylongfoobarbaz"), (Postings{{1, 1, {}}, {2, 1, {}}, {3, 1, {}}}));
  uint32_t foobar = field.find(bytes_of("foobar"));
  EXPECT_EQ(field.stream_head(foobar, 0), field.byte_start(foobar));  // still in the arrays
}

TEST_P(EveryLayout, RandomPostingsEqualAModel) {
  for (IndexOptions options : {IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions,
                               IndexOptions::kOffsets}) {
    for (uint32_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(testing::Message() << "options " << int(options) << " seed " << seed);
      std::mt19937 engine(seed);
      auto random = [&engine] { return static_cast<uint32_t>(engine()); };
      Pools pools(GetParam());
      FieldPostings field(pools, options);
      std::map<std::string, Postings> model;
      std::vector<std::string> vocabulary(1 + random() % 200);
      for (auto& t : vocabulary) {
        t.resize(random() % 20 == 0 ? random() % 400 : random() % 8);
        for (char& c : t) c = static_cast<char>(random());
      }
      uint32_t doc = 0;
      for (int d = 0; d < 200; ++d) {
        // Late documents up to 2^30 - 1, so that codes keep their top bit.
        doc = d == 199 ? (1u << 30) - 1 : doc + random() % 5 + (d > 0);
        Entry e;
        for (uint32_t tokens = random() % 200; tokens > 0; --tokens) {
          const auto& term = vocabulary[random() % vocabulary.size()];
          e.position += random() % 40 == 0 ? random() % 100000 : random() % 3;
          e.start += random() % 10;
          e.end = e.start + random() % 300;
          e.payload.resize(random() % 4 == 0 ? random() % 301 : 0);
          for (uint8_t& b : e.payload) b = static_cast<uint8_t>(random());
          field.add({.term = bytes_of(term),
                     .doc = doc,
                     .position = e.position,
                     .start_offset = e.start,
                     .end_offset = e.end,
                     .payload = e.payload});
          Postings& list = model[term];
          if (list.empty() || list.back().doc != doc) list.push_back({doc, 0, {}});
          if (options == IndexOptions::kDocs) {
            list.back().frequency = 1;
          } else {
            ++list.back().frequency;
          }
          if (options == IndexOptions::kPositions) {
            list.back().occurrences.push_back({e.position, 0, 0, e.payload});
          }
          if (options == IndexOptions::kOffsets) list.back().occurrences.push_back(e);
        }
      }
      ASSERT_EQ(field.term_count(), model.size());
      for (const auto& [term, postings] : model) ASSERT_EQ(decode(field, term), postings);
      auto expected = model.begin();
      for (uint32_t id : field.sort_terms()) {
        TermBytes text = field.term(id);
        ASSERT_EQ(std::string(text.begin(), text.end()), (expected++)->first);
      }
    }
  }
}

TEST_P(EveryLayout, ArraysGrowByTheRuleAndAreCharged) {
  Pools pools(GetParam());
  {
    FieldPostings field(pools, IndexOptions::kOffsets);
    EXPECT_EQ(field.bytes_per_posting(), 32u);
    std::vector<size_t> sizes = {field.array_size()};
    for (uint32_t i = 0; i < 100; ++i) {
      field.add({.term = bytes_of(std::to_string(i)), .doc = i, .payload = {}});
      if (field.array_size() != sizes.back()) sizes.push_back(field.array_size());
    }
    EXPECT_EQ(sizes, (std::vector<size_t>{2, 6, 10, 14, 18, 22, 26, 30, 34, 39, 45, 51, 58, 66, 75,
                                          85, 96, 109}));
    uint64_t blocks = GetParam() == PoolLayout::kShared ? 1 : 2;
    EXPECT_EQ(pools.counter.bytes, blocks * 32768 + 4 * 256 + 109 * 32);
  }
  pools.reset();
  EXPECT_EQ(pools.counter.bytes, 0u);
  EXPECT_EQ(pools.int_counter.bytes, 0u);
}

TEST(FieldPostings, BytesPerPostingFollowTheOptions) {
  Pools pools(PoolLayout::kShared);
  EXPECT_EQ(FieldPostings(pools, IndexOptions::kDocs).bytes_per_posting(), 20u);
  EXPECT_EQ(FieldPostings(pools, IndexOptions::kFreqs).bytes_per_posting(), 24u);
  EXPECT_EQ(FieldPostings(pools, IndexOptions::kPositions).bytes_per_posting(), 28u);
  EXPECT_EQ(FieldPostings(pools, IndexOptions::kOffsets).bytes_per_posting(), 32u);
}

TEST(FieldPostings, CustomFrequenciesAddUpAndOverflowIsRefused) {
  Pools pools(PoolLayout::kSeparate);
  FieldPostings field(pools, IndexOptions::kFreqs);
  field.add({.term = bytes_of("a"), .doc = 1, .payload = {}, .frequency = 7});
  field.add({.term = bytes_of("a"), .doc = 1, .payload = {}, .frequency = 5});
  field.add({.term = bytes_of("a"), .doc = 4, .payload = {}, .frequency = 2147483647});
  EXPECT_THROW(field.add({.term = bytes_of("a"), .doc = 4, .payload = {}}), LimitExceeded);
  EXPECT_EQ(decode(field, "a"), (Postings{{1, 12, {}}, {4, 2147483647, {}}}));
}

TEST(Pools, InlineIsRefused) { EXPECT_THROW(Pools pools{PoolLayout::kInline}, InvalidArgument); }

}  // namespace
}  // namespace postern::lucene_layout
