// For the tests of this room: postings as plain values, a sink that collects them, and a field with
// its buffer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "invert/field_inverter.h"
#include "postern/error.h"

namespace postern::invert::testing_support {

struct Position {
  uint32_t position = 0;
  uint32_t start = 0;
  uint32_t end = 0;
  std::string payload;
  bool operator==(const Position&) const = default;
};
struct Posting {
  uint32_t doc = 0;
  uint32_t freq = 1;
  std::vector<Position> positions;
  bool operator==(const Posting&) const = default;
};
using Postings = std::vector<Posting>;
// By term. std::string compares as unsigned bytes, which is the order of terms.
using Index = std::map<std::string, Postings>;

class CollectingSink {
 public:
  void start_doc(uint32_t doc) {
    postings.push_back({doc, 0, {}});
    position_ = start_ = 0;
  }
  void add_position(uint32_t delta) {
    ++plain;
    position_ += delta;
    postings.back().positions.push_back({position_, 0, 0, {}});
  }
  void add_position(uint32_t delta, std::span<const uint8_t> payload, uint32_t start,
                    uint32_t length) {
    position_ += delta;
    start_ += start;
    postings.back().positions.push_back(
        {position_, start_, start_ + length, {payload.begin(), payload.end()}});
  }
  void finish_doc(uint32_t freq) { postings.back().freq = freq; }

  Postings postings;
  size_t plain = 0;  // calls without payload and offsets

 private:
  uint32_t position_ = 0;
  uint32_t start_ = 0;
};

inline std::string to_string(std::span<const uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

// Everything in the inverter; fails the test if the terms do not come in order.
inline Index collect(FieldInverter& inverter) {
  Index index;
  uint32_t count = inverter.term_count();
  std::vector<uint32_t> ids;
  inverter.sort_terms(ids);
  EXPECT_EQ(ids.size(), count);
  std::string last;
  for (size_t i = 0; i < ids.size(); ++i) {
    inverter.prefetch(ids, i);
    CollectingSink sink;
    inverter.decode(ids[i], sink);
    std::string term = to_string(inverter.term(ids[i]));
    if (i > 0) {
      EXPECT_LT(last, term);
    }
    last = term;
    index[term] = std::move(sink.postings);
  }
  return index;
}

inline FieldType type_with(IndexOptions options) {
  FieldType type;
  type.index_options = options;
  return type;
}

struct FieldOptions {
  PoolLayout layout = PoolLayout::kInline;
  FieldType type = type_with(IndexOptions::kPositions);
  std::shared_ptr<const Analyzer> analyzer = whitespace_analyzer();
  bool expects_payloads = false;
  uint32_t position_gap = 0;
  Limits limits = {};
};

// One field of one buffer.
class TestField {
 public:
  explicit TestField(const FieldOptions& o = {})
      : memory(o.layout, o.limits),
        definition("body", o.type, o.analyzer, o.position_gap),
        inverter(std::make_unique<FieldInverter>(memory, o.limits, "body", o.type.index_options,
                                                 o.type.has_norms(), o.expects_payloads)) {}

  FieldValue text(std::string_view s) const {
    return {.field = &definition, .kind = ValueKind::kText, .bytes = s};
  }
  FieldValue binary(std::string_view s) const {
    return {.field = &definition, .kind = ValueKind::kBytes, .bytes = s};
  }
  FieldValue tokens(const TokenList& list) const {
    return {.field = &definition, .kind = ValueKind::kTokens, .tokens = &list};
  }
  void add(uint32_t doc, const std::vector<FieldValue>& values) {
    inverter->start_document(doc);
    for (const FieldValue& v : values) inverter->add(v);
    inverter->finish_document();
  }
  void add_texts(uint32_t doc, const std::vector<std::string>& texts) {
    std::vector<FieldValue> values;
    for (const std::string& s : texts) values.push_back(text(s));
    add(doc, values);
  }
  // The message of the error; empty if the document was taken.
  template <class Error = InvalidDocument>
  std::string refusal(uint32_t doc, const std::vector<FieldValue>& values) {
    inverter->start_document(doc);
    std::string message;
    try {
      for (const FieldValue& v : values) inverter->add(v);
    } catch (const Error& e) {
      message = e.what();
    }
    inverter->finish_document();
    return message;
  }
  std::vector<std::pair<uint32_t, uint8_t>> norms() const {
    std::vector<std::pair<uint32_t, uint8_t>> all;
    const NormsBuffer& n = inverter->norms();
    for (uint32_t i = 0; i < n.size(); ++i) {
      all.emplace_back(n.dense() ? i : n.docs()[i], n.values()[i]);
    }
    return all;
  }

  BufferMemory memory;
  FieldDefinition definition;
  std::unique_ptr<FieldInverter> inverter;
};

inline Token make_token(std::string_view term, int32_t increment = 1, uint32_t start = 0,
                        uint32_t end = 0) {
  Token t;
  t.term = reinterpret_cast<const uint8_t*>(term.data());
  t.term_length = static_cast<uint32_t>(term.size());
  t.position_increment = increment;
  t.start_offset = start;
  t.end_offset = end;
  return t;
}

}  // namespace postern::invert::testing_support
