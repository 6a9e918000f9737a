// Random documents into every kind of field and every pool layout; what comes out must equal a
// model built beside it from std::map, and term ids must follow the first occurrence.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "invert/field_inverter.h"
#include "invert/inverter_test_support.h"

namespace postern::invert {
namespace {

using namespace testing_support;

struct Shape {
  IndexOptions options;
  bool tokenized;
  bool payloads;
  bool expects_payloads;
  bool custom_frequencies;
};

// Hands out a prepared token list through the analyzer's interface, in groups of random size.
class ListStream : public TokenStream {
 public:
  explicit ListStream(uint32_t seed) : random_(seed) {}
  static inline const TokenList* source = nullptr;

  void reset(std::string_view) override {
    at_ = 0;
    buffer_.clear();
    for (const Token& t : source->tokens) {
      buffer_.emplace_back(t.term, t.term + t.term_length);
      buffer_.back().resize(t.term_length + kTermPadding,
                            static_cast<uint8_t>(random_()));  // must not matter
    }
  }
  size_t next(std::span<Token> tokens) override {
    size_t n = std::min<size_t>(1 + random_() % tokens.size(), source->tokens.size() - at_);
    for (size_t i = 0; i < n; ++i) {
      tokens[i] = source->tokens[at_ + i];
      tokens[i].term = buffer_[at_ + i].data();
    }
    at_ += n;
    return n;
  }
  uint32_t final_offset() const override { return source->final_offset; }
  int32_t final_position_increment() const override { return source->final_position_increment; }

 private:
  std::mt19937 random_;
  std::vector<std::vector<uint8_t>> buffer_;
  size_t at_ = 0;
};
class ListAnalyzer : public Analyzer {
 public:
  std::unique_ptr<TokenStream> token_stream() const override {
    return std::make_unique<ListStream>(7);
  }
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  std::vector<std::string> vocabulary() {
    std::vector<std::string> words = {"", std::string(1, '\0'), std::string(2, '\0')};
    uint32_t n = 1 + below(one_in(10) ? 3000 : 200);
    std::string prefix(below(40), 'p');
    while (words.size() < n) {
      uint32_t length = below(20);
      if (one_in(20)) length = 14 + below(5);
      if (one_in(40)) length = 250 + below(10);
      if (one_in(400)) length = 32766 - below(3);
      std::string word = one_in(3) ? prefix : "";
      while (word.size() < length)
        word += static_cast<char>(one_in(2) ? 'a' + below(3) : below(256));
      words.push_back(word);
    }
    return words;
  }

 private:
  std::mt19937_64 random_;
};

struct Model {
  Index index;
  std::vector<std::string> by_id;

  void add(const std::string& term, uint32_t doc, uint32_t freq, const Shape& shape, Position p) {
    Postings& list = index[term];
    if (list.empty()) by_id.push_back(term);
    bool new_doc = list.empty() || list.back().doc != doc;
    if (new_doc) list.push_back({doc, 0, {}});
    Posting& posting = list.back();
    posting.freq = shape.options == IndexOptions::kDocs ? 1 : posting.freq + freq;
    if (shape.options < IndexOptions::kPositions) return;
    if (shape.options != IndexOptions::kOffsets) p.start = p.end = 0;
    posting.positions.push_back(std::move(p));
  }
};

void run(uint64_t seed, const Shape& shape, PoolLayout layout) {
  Generator g(seed);
  std::vector<std::string> words = g.vocabulary();
  std::vector<std::string> payloads;
  for (uint32_t i = 0; i < 20; ++i) payloads.emplace_back(g.below(i < 15 ? 12 : 301), 'q');
  FieldOptions o;
  o.layout = layout;
  o.type.index_options = shape.options;
  o.type.tokenized = shape.tokenized;
  o.type.omit_norms = g.one_in(2);
  o.analyzer = std::make_shared<ListAnalyzer>();
  o.expects_payloads = shape.expects_payloads;
  o.position_gap = g.one_in(3) ? g.below(1000) : 0;
  TestField f(o);
  o.type.tokenized = false;
  const FieldDefinition one_term("body", o.type, o.analyzer);
  Model model;
  uint32_t doc = g.one_in(2) ? 0 : g.below(1000);
  uint32_t documents = 0;
  uint32_t max_docs = 1 + g.below(50);
  for (uint32_t d = 0; d < max_docs; ++d) {
    f.inverter->start_document(doc);
    int64_t position = -1;
    uint32_t base = 0;
    uint32_t last_start = 0;
    uint32_t tokens_of_doc = 0;
    for (uint32_t values = 1 + (g.one_in(3) ? g.below(4) : 0); values > 0; --values) {
      // A value of one term, in a field that may have analyzed values as well.
      if (!shape.tokenized || g.one_in(4)) {
        const std::string& word = words[g.below(static_cast<uint32_t>(words.size()))];
        uint32_t end = static_cast<uint32_t>(word.size());
        model.add(word, doc, 1, shape, {static_cast<uint32_t>(++position), base, base + end, ""});
        f.inverter->add({.field = &one_term, .kind = ValueKind::kBytes, .bytes = word});
        if (shape.options >= IndexOptions::kPositions) {
          last_start = base;
          base += end;
        }
        ++tokens_of_doc;
        continue;
      }
      TokenList list;
      uint32_t count = g.one_in(8) ? g.below(400) : g.below(30);
      uint32_t start = last_start > base ? last_start - base : 0;
      for (uint32_t i = 0; i < count; ++i) {
        const std::string& word = words[g.below(static_cast<uint32_t>(words.size()))];
        int32_t increment = g.one_in(10) ? static_cast<int32_t>(g.below(200)) : 1;
        if (tokens_of_doc == 0) increment = std::max(increment, 1);
        start += g.below(g.one_in(50) ? 100000 : 10);
        uint32_t end = start + g.below(300);
        Token t = make_token(word, increment, start, end);
        if (shape.custom_frequencies && g.one_in(3)) t.frequency = 1 + g.below(1000);
        position += increment;
        Position p{static_cast<uint32_t>(position), base + start, base + end, ""};
        if (shape.payloads && g.one_in(4)) {
          const std::string& payload = payloads[g.below(20)];
          t.payload = reinterpret_cast<const uint8_t*>(payload.data());
          t.payload_length = static_cast<uint32_t>(payload.size());
          p.payload = payload;
        }
        model.add(word, doc, t.frequency, shape, p);
        list.tokens.push_back(t);
        ++tokens_of_doc;
        last_start = base + start;
      }
      list.final_offset = start + g.below(500);
      list.final_position_increment = static_cast<int32_t>(g.below(3));
      if (g.one_in(2)) {
        f.inverter->add(f.tokens(list));
      } else {
        ListStream::source = &list;
        f.inverter->add(f.text(""));
      }
      position += list.final_position_increment + o.position_gap;
      base += list.final_offset + 1;
    }
    f.inverter->finish_document();
    documents += tokens_of_doc != 0;
    doc += 1 + (g.one_in(4) ? g.below(300) : 0);
    if (g.one_in(60)) doc += g.below(1u << 24);
    if (doc > (1u << 30)) break;
    // Close to 2^31, where doc << 1 needs all 32 bits.
    if (d + 2 == max_docs && g.one_in(2)) doc = 2147483518;
  }
  ASSERT_EQ(f.inverter->doc_count(), documents);
  ASSERT_EQ(f.inverter->term_count(), model.by_id.size());
  for (uint32_t id = 0; id < model.by_id.size(); ++id) {
    ASSERT_EQ(to_string(f.inverter->term(id)), model.by_id[id]);
  }
  Index got = collect(*f.inverter);
  ASSERT_TRUE(got == model.index);
  f.inverter.reset();
  f.memory.reset();
  ASSERT_EQ(f.memory.counter().bytes(), 0u);
}

void run_all_layouts(uint64_t seed, const Shape& shape) {
  for (PoolLayout layout : {PoolLayout::kShared, PoolLayout::kSeparate, PoolLayout::kInline}) {
    run(seed, shape, layout);
  }
}

RC_GTEST_PROP(InversionEqualsTheModel, DocsOnly, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kDocs, true, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, Freqs, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kFreqs, true, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, CustomFrequencies, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kFreqs, true, false, false, true});
}
RC_GTEST_PROP(InversionEqualsTheModel, Positions, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kPositions, true, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, Offsets, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kOffsets, true, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, Payloads, (uint64_t seed, bool expected)) {
  run_all_layouts(seed, {IndexOptions::kPositions, true, true, expected, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, PayloadsAndOffsets, (uint64_t seed, bool expected)) {
  run_all_layouts(seed, {IndexOptions::kOffsets, true, true, expected, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, UntokenizedDocs, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kDocs, false, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, UntokenizedFreqs, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kFreqs, false, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, UntokenizedPositions, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kPositions, false, false, false, false});
}
RC_GTEST_PROP(InversionEqualsTheModel, UntokenizedOffsets, (uint64_t seed)) {
  run_all_layouts(seed, {IndexOptions::kOffsets, false, false, false, false});
}

}  // namespace
}  // namespace postern::invert
