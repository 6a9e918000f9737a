// Short values wait across documents. Whatever is added, refused and asked for in between, the same
// must come out as from a field whose every value is added before the next one comes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <random>

#include "invert/field_inverter.h"
#include "invert/inverter_test_support.h"

namespace postern::invert {
namespace {

using namespace testing_support;

constexpr IndexOptions kOptions[] = {IndexOptions::kDocs, IndexOptions::kFreqs,
                                     IndexOptions::kPositions, IndexOptions::kOffsets};
constexpr PoolLayout kLayouts[] = {PoolLayout::kShared, PoolLayout::kSeparate, PoolLayout::kInline};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 random_;
};

struct Value {
  bool one_term = false;
  TokenList list;
};

// Fields of one buffer. `at_once`: nothing is left waiting behind a value.
class Fields {
 public:
  Fields(const std::vector<FieldOptions>& options, bool at_once)
      : memory_(options[0].layout, options[0].limits), at_once_(at_once) {
    for (const FieldOptions& o : options) {
      inverters_.push_back(std::make_unique<FieldInverter>(
          memory_, o.limits, "body", o.type.index_options, o.type.has_norms(), o.expects_payloads));
      tokenized_.emplace_back("body", o.type, o.analyzer, o.position_gap);
      FieldType plain = o.type;
      plain.tokenized = false;
      plain_.emplace_back("body", plain, o.analyzer);
    }
  }

  // The message of the refusal, if any.
  std::string add(size_t field, uint32_t doc, const std::vector<Value>& values) {
    FieldInverter& f = *inverters_[field];
    std::string message;
    f.start_document(doc);
    try {
      for (const Value& v : values) {
        if (v.one_term) {
          const Token& t = v.list.tokens[0];
          f.add({.field = &plain_[field],
                 .kind = ValueKind::kText,
                 .bytes = {reinterpret_cast<const char*>(t.term), t.term_length}});
        } else {
          f.add({.field = &tokenized_[field], .kind = ValueKind::kTokens, .tokens = &v.list});
        }
        if (at_once_) f.term_count();
      }
    } catch (const InvalidDocument& e) {
      message = e.what();
    }
    f.finish_document();
    if (at_once_) f.term_count();
    return message;
  }

  FieldInverter& operator[](size_t field) { return *inverters_[field]; }

 private:
  BufferMemory memory_;
  bool at_once_;
  std::vector<std::unique_ptr<FieldInverter>> inverters_;
  std::deque<FieldDefinition> tokenized_;
  std::deque<FieldDefinition> plain_;
};

std::vector<std::pair<uint32_t, uint8_t>> norms_of(const FieldInverter& f) {
  std::vector<std::pair<uint32_t, uint8_t>> all;
  const NormsBuffer& n = f.norms();
  for (uint32_t i = 0; i < n.size(); ++i) {
    all.emplace_back(n.dense() ? i : n.docs()[i], n.values()[i]);
  }
  return all;
}

class Documents {
 public:
  explicit Documents(Generator& g) : g_(g) {
    for (uint32_t i = 0; i < 1 + g.below(300); ++i) {
      const uint32_t length = g.one_in(20) ? 250 + g.below(400) : g.below(24);
      std::string word = std::to_string(i);
      while (word.size() < length) word += static_cast<char>(g.below(128));
      words_.push_back(word);
    }
    words_.push_back(std::string(1001, 'l'));  // longer than the limit below
  }

  Value value(IndexOptions options) {
    Value v;
    v.one_term = g_.one_in(4);
    uint32_t count = v.one_term ? 1 : g_.below(12);
    if (!v.one_term && g_.one_in(10)) count = 25 + g_.below(200);
    uint32_t start = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const auto last = static_cast<uint32_t>(words_.size()) - 1;
      const std::string& word = words_[g_.one_in(400) ? last : g_.below(last)];
      start += g_.below(10);
      Token t = make_token(word, 1, start, start + g_.below(20));
      if (g_.one_in(10)) t.position_increment = static_cast<int32_t>(g_.below(4));
      if (g_.one_in(400)) t.position_increment = -1;
      if (g_.one_in(400)) t.start_offset = t.end_offset + 1;
      if (g_.one_in(options == IndexOptions::kFreqs ? 4 : 200)) t.frequency = 1 + g_.below(3);
      if (g_.one_in(300)) {
        t.payload = reinterpret_cast<const uint8_t*>(words_[0].data());
        t.payload_length = static_cast<uint32_t>(words_[0].size());
      }
      v.list.tokens.push_back(t);
    }
    v.list.final_offset = start + g_.below(30);
    v.list.final_position_increment = g_.one_in(200) ? -1 : static_cast<int32_t>(g_.below(2));
    return v;
  }

 private:
  Generator& g_;
  std::vector<std::string> words_;
};

void compare(uint64_t seed, PoolLayout layout, int& refused) {
  Generator g(seed);
  std::vector<FieldOptions> options(3);
  for (FieldOptions& o : options) {
    o.layout = layout;
    o.type.index_options = kOptions[g.below(4)];
    o.type.omit_norms = g.one_in(2);
    o.expects_payloads = g.one_in(6);
    o.position_gap = g.one_in(2) ? g.below(100) : 0;
    o.limits.max_term_bytes = 1000;
  }
  Fields waiting(options, false);
  Fields at_once(options, true);
  Documents documents(g);
  uint32_t doc = 0;
  for (uint32_t n = g.below(120); n > 0; --n, doc += 1 + (g.one_in(4) ? g.below(300) : 0)) {
    for (size_t field = 0; field < options.size(); ++field) {
      if (g.one_in(4)) continue;
      std::vector<Value> values;
      for (uint32_t k = 1 + (g.one_in(3) ? g.below(4) : 0); k > 0; --k) {
        values.push_back(documents.value(options[field].type.index_options));
      }
      const std::string message = waiting.add(field, doc, values);
      ASSERT_EQ(message, at_once.add(field, doc, values));
      ASSERT_EQ(waiting[field].doc_count(), at_once[field].doc_count());
      if (!message.empty()) {
        ++refused;
        break;  // as the writer does
      }
    }
  }
  for (size_t field = 0; field < options.size(); ++field) {
    FieldInverter& a = waiting[field];
    FieldInverter& b = at_once[field];
    ASSERT_EQ(a.term_count(), b.term_count());
    for (uint32_t id = 0; id < a.term_count(); ++id) {
      ASSERT_EQ(to_string(a.term(id)), to_string(b.term(id)));
    }
    ASSERT_EQ(norms_of(a), norms_of(b));
    ASSERT_EQ(a.has_payloads(), b.has_payloads());
    ASSERT_TRUE(collect(a) == collect(b));
  }
}

RC_GTEST_PROP(WaitingValues, EqualValuesAddedAtOnce, (uint64_t seed)) {
  int refused = 0;
  for (PoolLayout layout : kLayouts) compare(seed, layout, refused);
  RC_CLASSIFY(refused > 0);
}

TEST(WaitingValues, OfDocsOnlyFieldsTellWhetherATermIsThere) {
  FieldOptions o;
  o.type.index_options = IndexOptions::kDocs;
  o.type.omit_norms = true;
  TestField f(o);
  Token twice = make_token("a");
  twice.frequency = 2;
  TokenList first{{make_token("a")}, 0, 0};
  TokenList again{{twice}, 0, 0};
  EXPECT_EQ(f.refusal(0, {f.tokens(first)}), "");
  EXPECT_NE(f.refusal(1, {f.tokens(again)}), "");
  Token fresh = make_token("b");
  fresh.frequency = 2;
  TokenList other{{fresh}, 0, 0};
  EXPECT_EQ(f.refusal(2, {f.tokens(other)}), "");
  EXPECT_EQ(f.inverter->term_count(), 2u);
}

// Waiting tokens have more room promised than they take: as many documents must fit as if none
// waited, and those that were taken can be added.
TEST(WaitingValues, DoNotFillAPoolEarlier) {
  for (PoolLayout layout : kLayouts) {
    FieldOptions o;
    o.layout = layout;
    o.limits.max_pool_bytes = 30'000;
    const auto fill = [&](bool at_once) {
      TestField f(o);
      uint32_t doc = 0;
      for (;; ++doc) {
        const std::string n = std::to_string(doc);
        const std::string text = "a" + n + " b" + n + " some longer words" + n + " of all";
        if (!f.refusal<LimitExceeded>(doc, {f.text(text)}).empty()) break;
        if (at_once) f.inverter->term_count();
      }
      EXPECT_EQ(f.inverter->term_count(), 4u + 3u * doc);
      EXPECT_EQ(f.inverter->doc_count(), doc);
      EXPECT_LE(f.memory.slices().used(), 30'000u);
      return doc;
    };
    const uint32_t expected = fill(true);
    EXPECT_GT(expected, 100u);
    EXPECT_EQ(fill(false), expected);
  }
}

}  // namespace
}  // namespace postern::invert
