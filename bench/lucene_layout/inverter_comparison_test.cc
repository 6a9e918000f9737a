// The same tokens through Lucene's layout and through postern's inverter, all layouts of both, must
// be the same postings, term ids and term order.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "invert/field_inverter.h"
#include "lucene_layout/field_postings.h"

namespace postern::lucene_layout {
namespace {

// One token of a document; offsets count from the start of its value.
struct TestToken {
  std::string term;
  std::string payload;
  uint32_t increment = 1;
  uint32_t start = 0;
  uint32_t end = 0;
  uint32_t frequency = 1;
};
struct TestDocument {
  uint32_t number = 0;
  std::vector<TestToken> tokens;
};

struct Entry {
  uint32_t doc = 0;
  uint32_t frequency = 0;
  std::vector<uint32_t> positions, starts, ends;
  std::vector<std::string> payloads;
  bool operator==(const Entry&) const = default;
};
// What an engine holds: terms in byte order, each with its id and postings.
struct Content {
  std::vector<std::string> terms;
  std::vector<uint32_t> ids;
  std::vector<std::vector<Entry>> postings;
  bool operator==(const Content&) const = default;
};

std::string string_of(std::span<const uint8_t> b) { return {b.begin(), b.end()}; }
std::span<const uint8_t> bytes_of(const std::string& s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}

std::vector<TestDocument> random_documents(uint32_t seed, IndexOptions options, bool payloads) {
  std::mt19937 engine(seed);
  auto random = [&engine](uint32_t n) { return static_cast<uint32_t>(engine()) % n; };
  std::vector<std::string> vocabulary(1 + random(400));
  for (auto& term : vocabulary) {
    uint32_t kind = random(10);
    std::string stem = kind < 3 ? std::string(random(40), 'p') : "";  // shared prefixes
    term = stem + std::string(kind == 9 ? random(600) : random(20), 0);
    for (size_t i = stem.size(); i < term.size(); ++i) term[i] = static_cast<char>(random(256));
  }
  std::vector<TestDocument> documents(1 + random(150));
  uint32_t number = 0;
  for (auto& document : documents) {
    document.number = number += random(20) == 0 ? random(100000) : 1;
    document.tokens.resize(random(300));
    uint32_t offset = 0;
    for (auto& token : document.tokens) {
      // Skewed, so that some terms have long lists and others one entry.
      uint32_t pick = std::min(random(static_cast<uint32_t>(vocabulary.size())),
                               random(static_cast<uint32_t>(vocabulary.size())));
      token.term = vocabulary[pick];
      token.increment = &token == document.tokens.data() ? 1 + random(3) : random(4);
      if (random(50) == 0) token.increment += random(100000);
      token.start = offset += random(9);
      token.end = offset + random(200);
      if (payloads && random(3) == 0)
        token.payload.assign(random(301), static_cast<char>('a' + pick % 26));
      if (options == IndexOptions::kFreqs && random(9) == 0) token.frequency = 1 + random(1000);
    }
  }
  return documents;
}

Content through_lucene_layout(const std::vector<TestDocument>& documents, IndexOptions options,
                              PoolLayout layout) {
  Pools pools(layout);
  FieldPostings field(pools, options);
  for (const auto& document : documents) {
    uint32_t position = ~0u;
    for (const auto& token : document.tokens) {
      position += token.increment;
      field.add({.term = bytes_of(token.term),
                 .doc = document.number,
                 .position = position,
                 .start_offset = token.start,
                 .end_offset = token.end,
                 .payload = bytes_of(token.payload),
                 .frequency = token.frequency});
    }
  }
  struct Sink {
    std::vector<Entry> out;
    bool offsets;
    void start_doc(uint32_t doc, uint32_t frequency) {
      out.push_back({.doc = doc,
                     .frequency = frequency,
                     .positions = {},
                     .starts = {},
                     .ends = {},
                     .payloads = {}});
    }
    void add_occurrence(const FieldPostings::Decoded& d) {
      out.back().positions.push_back(d.position);
      out.back().payloads.push_back(string_of(d.payload));
      if (offsets) out.back().starts.push_back(d.start_offset);
      if (offsets) out.back().ends.push_back(d.end_offset);
    }
  };
  Content content;
  for (uint32_t id : field.sort_terms()) {
    Sink sink{{}, options == IndexOptions::kOffsets};
    field.decode(id, sink);
    content.ids.push_back(id);
    content.terms.push_back(string_of(field.term(id)));
    content.postings.push_back(std::move(sink.out));
  }
  return content;
}

struct InverterSink {
  std::vector<Entry> out;
  bool offsets;
  void start_doc(uint32_t doc) {
    out.push_back(
        {.doc = doc, .frequency = 0, .positions = {}, .starts = {}, .ends = {}, .payloads = {}});
  }
  void add_position(uint32_t delta) { add_position(delta, {}, 0, 0); }
  void add_position(uint32_t delta, std::span<const uint8_t> payload, uint32_t start_delta,
                    uint32_t length) {
    Entry& e = out.back();
    e.positions.push_back((e.positions.empty() ? 0 : e.positions.back()) + delta);
    e.payloads.push_back(string_of(payload));
    if (offsets) e.starts.push_back((e.starts.empty() ? 0 : e.starts.back()) + start_delta);
    if (offsets) e.ends.push_back(e.starts.back() + length);
  }
  void finish_doc(uint32_t frequency) { out.back().frequency = frequency; }
};

Content through_inverter(const std::vector<TestDocument>& documents, IndexOptions options,
                         PoolLayout layout, bool expects_payloads) {
  Limits limits;
  invert::BufferMemory memory(layout, limits);
  invert::FieldInverter field(memory, limits, "f", options, true, expects_payloads);
  FieldType type;
  type.index_options = options;
  FieldDefinition definition("f", type, whitespace_analyzer());
  for (const auto& document : documents) {
    TokenList list;
    for (const auto& token : document.tokens) {
      list.tokens.push_back({.term = bytes_of(token.term).data(),
                             .term_length = static_cast<uint32_t>(token.term.size()),
                             .position_increment = static_cast<int32_t>(token.increment),
                             .start_offset = token.start,
                             .end_offset = token.end,
                             .frequency = token.frequency,
                             .payload_length = static_cast<uint32_t>(token.payload.size()),
                             .payload = bytes_of(token.payload).data()});
      list.final_offset = token.end;
    }
    field.start_document(document.number);
    field.add({.field = &definition, .kind = ValueKind::kTokens, .tokens = &list});
    field.finish_document();
  }
  Content content;
  field.sort_terms(content.ids);
  for (uint32_t id : content.ids) {
    InverterSink sink{{}, options == IndexOptions::kOffsets};
    field.decode(id, sink);
    content.terms.push_back(string_of(field.term(id)));
    content.postings.push_back(std::move(sink.out));
  }
  return content;
}

TEST(InverterComparison, AllLayoutsOfBothEnginesHoldTheSamePostings) {
  for (IndexOptions options : {IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions,
                               IndexOptions::kOffsets}) {
    for (uint32_t seed = 0; seed < 6; ++seed) {
      bool payloads = options >= IndexOptions::kPositions && seed % 3 == 0;
      SCOPED_TRACE(testing::Message() << "options " << int(options) << " seed " << seed);
      auto documents = random_documents(seed, options, payloads);
      Content expected = through_lucene_layout(documents, options, PoolLayout::kShared);
      ASSERT_EQ(through_lucene_layout(documents, options, PoolLayout::kSeparate), expected);
      for (PoolLayout layout : {PoolLayout::kShared, PoolLayout::kSeparate, PoolLayout::kInline}) {
        SCOPED_TRACE(testing::Message() << "inverter layout " << int(layout));
        Content found = through_inverter(documents, options, layout, payloads && seed % 2 == 0);
        ASSERT_EQ(found.terms, expected.terms);
        ASSERT_EQ(found.ids, expected.ids);
        for (size_t i = 0; i < expected.terms.size(); ++i) {
          ASSERT_EQ(found.postings[i], expected.postings[i]) << "term " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace postern::lucene_layout
