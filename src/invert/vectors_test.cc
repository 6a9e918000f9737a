// Term vectors while documents are inverted: what reaches the writer, against a model made from the
// tokens alone; and that the shared terms and postings stay as they are without vectors.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

#include "invert/inverter_test_support.h"
#include "invert/vectors_consumer.h"

namespace postern::invert {
namespace {

using testing_support::collect;
using testing_support::Index;
using testing_support::make_token;
using testing_support::type_with;

struct VectorOccurrence {
  uint32_t position = 0;
  uint32_t start = 0;
  uint32_t end = 0;
  std::string payload;
  bool operator==(const VectorOccurrence&) const = default;
};
struct VectorOfTerm {
  uint32_t freq = 0;
  std::vector<VectorOccurrence> occurrences;
  bool operator==(const VectorOfTerm&) const = default;
};
struct Vector {
  uint32_t number = 0;
  TermVectors flags;
  std::map<std::string, VectorOfTerm> terms;
  bool operator==(const Vector&) const = default;
};
using Vectors = std::vector<Vector>;

// Stands for a codec::TermVectorsWriter; fails the test if terms do not come in order.
class Recorder {
 public:
  void start_document(uint32_t doc) { current_ = &documents[doc]; }
  void start_field(uint32_t number, const TermVectors& flags) {
    current_->push_back({number, flags, {}});
    last_.reset();
  }
  void start_term(std::span<const uint8_t> text, uint32_t freq) {
    std::string term(text.begin(), text.end());
    if (last_) {
      EXPECT_LT(*last_, term);
    }
    term_ = &current_->back().terms[term];
    term_->freq = freq;
    last_ = std::move(term);
    now_ = {};
  }
  void add_occurrence(uint32_t position, uint32_t start, uint32_t length,
                      std::span<const uint8_t> payload) {
    now_.position += position;
    now_.start += start;
    now_.end = now_.start + length;
    now_.payload.assign(payload.begin(), payload.end());
    term_->occurrences.push_back(now_);
  }
  void finish_document() {}

  std::map<uint32_t, Vectors> documents;

 private:
  Vectors* current_ = nullptr;
  VectorOfTerm* term_ = nullptr;
  std::optional<std::string> last_;
  VectorOccurrence now_;
};

constexpr PoolLayout kLayouts[] = {PoolLayout::kShared, PoolLayout::kSeparate, PoolLayout::kInline};
constexpr TermVectors kNone{};
constexpr TermVectors kPlain{true, false, false, false};
constexpr TermVectors kPositions{true, true, false, false};
constexpr TermVectors kOffsets{true, false, true, false};
constexpr TermVectors kBoth{true, true, true, false};
constexpr TermVectors kAll{true, true, true, true};

FieldType with_vectors(IndexOptions options, const TermVectors& vectors, bool tokenized = true) {
  FieldType type = type_with(options);
  type.term_vectors = vectors;
  type.tokenized = tokenized;
  type.omit_norms = true;
  return type;
}

// A buffer whose fields are made as they are first used; field number = place in `names`.
class VectorsBuffer {
 public:
  explicit VectorsBuffer(PoolLayout layout = PoolLayout::kInline, const Limits& limits = {})
      : limits_(limits), memory(layout, limits), vectors(memory, limits) {}

  struct Field {
    std::unique_ptr<FieldInverter> inverter;
    bool used = false;
  };

  FieldInverter& field(const FieldDefinition& definition, bool chained) {
    Field& f = fields[definition.name()];
    if (f.inverter == nullptr) {
      f.inverter = std::make_unique<FieldInverter>(memory, limits_, definition.name(),
                                                   definition.type().index_options, false, false);
      if (chained) {
        vectors.chain(*f.inverter, static_cast<uint32_t>(numbers.size()));
        numbers[definition.name()] = static_cast<uint32_t>(numbers.size());
      }
    }
    if (!f.used) f.inverter->start_document(doc);
    f.used = true;
    return *f.inverter;
  }
  // Returns the message of the refusal, empty if there was none.
  std::string add(const std::vector<FieldValue>& values, bool chained = true) {
    std::string message;
    vectors.start_document(doc);
    try {
      for (const FieldValue& value : values) field(*value.field, chained).add(value);
    } catch (const InvalidDocument& e) {
      message = e.what();
    } catch (const LimitExceeded& e) {
      message = e.what();
    }
    for (auto& [name, f] : fields) {
      if (f.used) f.inverter->finish_document();
      f.used = false;
    }
    vectors.finish_document(recorder);
    ++doc;
    return message;
  }
  const Vectors& last() { return recorder.documents[doc - 1]; }

  Limits limits_;
  BufferMemory memory;
  VectorsConsumer vectors;
  std::map<std::string, Field> fields;
  std::map<std::string, uint32_t> numbers;
  Recorder recorder;
  uint32_t doc = 0;
};

FieldValue text(const FieldDefinition& field, std::string_view s) {
  return {.field = &field, .kind = ValueKind::kText, .bytes = s};
}
FieldValue ready(const FieldDefinition& field, const TokenList& list) {
  return {.field = &field, .kind = ValueKind::kTokens, .tokens = &list};
}

FieldDefinition body(const TermVectors& vectors, IndexOptions options = IndexOptions::kPositions,
                     uint32_t position_gap = 0) {
  return {"body", with_vectors(options, vectors), whitespace_analyzer(), position_gap};
}

TEST(Vectors, FieldsWithoutThemCostNothing) {
  VectorsBuffer with;
  const FieldDefinition none = body(kNone);
  with.add({text(none, "a b a")}, false);
  EXPECT_FALSE(with.vectors.active());
  EXPECT_TRUE(with.recorder.documents.empty());
  BufferMemory memory(PoolLayout::kInline, {});
  FieldInverter alone(memory, {}, "body", IndexOptions::kPositions, false, false);
  alone.start_document(0);
  alone.add(text(none, "a b a"));
  alone.finish_document();
  EXPECT_EQ(with.memory.counter().bytes(), memory.counter().bytes());
}

// docs/formats/13 §1: values run on with both gaps; docs/formats/05 §5 has such offsets.
TEST(Vectors, ValuesOfOneFieldMakeOneVector) {
  VectorsBuffer buffer;
  const FieldDefinition field = body(kBoth, IndexOptions::kPositions, 10);
  EXPECT_EQ(buffer.add({text(field, "abcd x"), text(field, ""), text(field, "abcd")}), "");
  EXPECT_EQ(
      buffer.last(),
      (Vectors{{0,
                kBoth,
                {{"abcd", {2, {{0, 0, 4, ""}, {22, 8, 12, ""}}}}, {"x", {1, {{1, 5, 6, ""}}}}}}}));
}

// The flags are the vectors' own: a field that indexes nothing but documents may have them all.
TEST(Vectors, FlagsDoNotFollowThePostings) {
  Token again = make_token("b", 0, 3, 5);
  again.payload = reinterpret_cast<const uint8_t*>("pay");
  again.payload_length = 3;
  const TokenList list{{make_token("b", 2, 1, 2), again}, 0, 0};
  for (IndexOptions options : {IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions,
                               IndexOptions::kOffsets}) {
    VectorsBuffer buffer;
    const FieldDefinition all = body(kAll, options);
    const FieldDefinition offsets = body(kOffsets, options);
    const FieldDefinition plain = body(kPlain, options);
    const FieldDefinition positions = body(kPositions, options);
    EXPECT_EQ(buffer.add({ready(all, list)}), "");
    EXPECT_EQ(buffer.last(), (Vectors{{0, kAll, {{"b", {2, {{1, 1, 2, ""}, {1, 3, 5, "pay"}}}}}}}));
    EXPECT_EQ(buffer.add({ready(offsets, list)}), "");
    EXPECT_EQ(buffer.last(),
              (Vectors{{0, kOffsets, {{"b", {2, {{0, 1, 2, ""}, {0, 3, 5, ""}}}}}}}));
    EXPECT_EQ(buffer.add({ready(plain, list)}), "");
    EXPECT_EQ(buffer.last(), (Vectors{{0, kPlain, {{"b", {2, {}}}}}}));
    EXPECT_EQ(buffer.add({ready(positions, list)}), "");
    EXPECT_EQ(buffer.last(),
              (Vectors{{0, kPositions, {{"b", {2, {{1, 0, 0, ""}, {1, 0, 0, ""}}}}}}}));
    // No token has a payload: the document's vector does not have the flag.
    EXPECT_EQ(buffer.add({text(all, "x")}), "");
    EXPECT_EQ(buffer.last(), (Vectors{{0, kBoth, {{"x", {1, {{0, 0, 1, ""}}}}}}}));
  }
}

TEST(Vectors, FieldsComeInTheOrderOfTheirNamesAsUtf16) {
  VectorsBuffer buffer;
  // U+FF5E sorts behind a supplementary character in UTF-16, before it in UTF-8.
  std::vector<std::unique_ptr<FieldDefinition>> fields;
  for (const char* name : {"\uff5e", "b", "\U00010000", "", "a"})
    fields.push_back(std::make_unique<FieldDefinition>(
        name, with_vectors(IndexOptions::kDocs, kPlain), whitespace_analyzer()));
  std::vector<FieldValue> values;
  for (const auto& f : fields) values.push_back(text(*f, "x"));
  buffer.add(values);
  std::vector<uint32_t> numbers;
  for (const Vector& v : buffer.last()) numbers.push_back(v.number);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{3, 4, 1, 2, 0}));
}

TEST(Vectors, UntokenizedValuesAreThereAtOnce) {
  VectorsBuffer buffer;
  const FieldDefinition plain("k", with_vectors(IndexOptions::kDocs, kPlain, false));
  const FieldDefinition full("f", with_vectors(IndexOptions::kDocs, kBoth, false));
  for (int i = 0; i < 100; ++i) {
    const std::string s = "key" + std::to_string(i);
    buffer.add(
        {text(plain, s), text(plain, s), text(full, "abcd"), text(full, ""), text(full, "abcd")});
    EXPECT_EQ(
        buffer.last(),
        (Vectors{
            {1, kBoth, {{"", {1, {{1, 4, 4, ""}}}}, {"abcd", {2, {{0, 0, 4, ""}, {2, 4, 8, ""}}}}}},
            {0, kPlain, {{s, {2, {}}}}}}));
  }
}

TEST(Vectors, CustomFrequenciesAddUpWithoutPositions) {
  Token token = make_token("a");
  token.frequency = 70000;
  const TokenList list{{token, make_token("b"), token}, 0, 0};
  VectorsBuffer buffer;
  const FieldDefinition plain = body(kPlain, IndexOptions::kFreqs);
  EXPECT_EQ(buffer.add({ready(plain, list)}), "");
  EXPECT_EQ(buffer.last(), (Vectors{{0, kPlain, {{"a", {140000, {}}}, {"b", {1, {}}}}}}));
  // With positions or offsets they have no place; what comes before stays, as in the postings.
  const TokenList later{{make_token("b"), token, make_token("c")}, 0, 0};
  for (IndexOptions options : {IndexOptions::kDocs, IndexOptions::kFreqs}) {
    for (const TermVectors& flags : {kPositions, kOffsets}) {
      VectorsBuffer refusing;
      const FieldDefinition field = body(flags, options);
      EXPECT_NE(
          refusing.add({text(field, "good"), ready(field, later)}).find("term frequency of 70000"),
          std::string::npos);
      EXPECT_EQ(refusing.last().at(0).terms.size(), 2u);  // "good", "b"
      EXPECT_EQ(refusing.fields["body"].inverter->term_count(), 2u);
    }
  }
}

// docs/formats/01 §4.2.
TEST(Vectors, SettingsMustAgreeWithinADocument) {
  VectorsBuffer buffer;
  const FieldDefinition both = body(kBoth);
  const FieldDefinition positions = body(kPositions);
  EXPECT_EQ(buffer.add({text(both, "a")}), "");
  EXPECT_EQ(buffer.add({text(positions, "a"), text(both, "b")}),
            "field 'body' of document 1: its values in one document must have the same term vector "
            "settings");
  EXPECT_EQ(buffer.last(), (Vectors{{0, kPositions, {{"a", {1, {{0, 0, 0, ""}}}}}}}));
  EXPECT_EQ(buffer.add({text(positions, "a")}), "");
  const FieldDefinition payloads = body({true, false, true, true});
  EXPECT_NE(buffer.add({text(payloads, "a")}).find("payloads without positions"),
            std::string::npos);
  EXPECT_TRUE(buffer.last().empty());
  const FieldDefinition disabled = body({false, true, false, false});
  EXPECT_NE(buffer.add({text(disabled, "a")}).find("without term vectors"), std::string::npos);
  EXPECT_TRUE(buffer.last().empty());
}

// A document whose first value fails has no vector of the field; the table with its terms is left
// over, and must be gone when the next document comes.
TEST(Vectors, WhatAFailedDocumentLeavesIsForgotten) {
  for (PoolLayout layout : kLayouts) {
    VectorsBuffer buffer(layout);
    const FieldDefinition field = body(kBoth);
    TokenList bad;
    for (int i = 0; i < 300; ++i) bad.tokens.push_back(make_token(i % 2 == 0 ? "x" : "left over"));
    bad.tokens.push_back(make_token("y", -1));
    EXPECT_NE(buffer.add({ready(field, bad)}), "");
    EXPECT_TRUE(buffer.last().empty());
    EXPECT_EQ(buffer.add({text(field, "y x")}), "");
    EXPECT_EQ(buffer.last(),
              (Vectors{{0, kBoth, {{"x", {1, {{1, 2, 3, ""}}}}, {"y", {1, {{0, 0, 1, ""}}}}}}}));
    // A later value fails: the vector has what the postings have.
    EXPECT_NE(buffer.add({text(field, "y"), ready(field, bad)}), "");
    EXPECT_EQ(buffer.last().at(0).terms.at("x").freq, 150u);
    EXPECT_EQ(buffer.last().at(0).terms.at("y").freq, 1u);
    EXPECT_EQ(buffer.add({}), "");
    EXPECT_TRUE(buffer.last().empty());
    const Index index = collect(*buffer.fields["body"].inverter);
    EXPECT_EQ(index.at("y").size(), 2u);
    EXPECT_EQ(index.at("x").size(), 3u);
  }
}

TEST(Vectors, HugeDocumentsGiveTheirMemoryBack) {
  VectorsBuffer buffer;
  const FieldDefinition field = body(kBoth);
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "t" + std::to_string(i) + " same ";
  buffer.add({text(field, "small one")});
  EXPECT_EQ(buffer.add({text(field, many)}), "");
  const uint64_t used = buffer.memory.counter().bytes();
  const Vectors& huge = buffer.last();
  ASSERT_EQ(huge.at(0).terms.size(), 100'001u);
  EXPECT_EQ(huge[0].terms.at("same").occurrences.size(), 100'000u);
  EXPECT_EQ(huge[0].terms.at("same").occurrences.back().position, 199'999u);
  EXPECT_EQ(huge[0].terms.at("t99999").occurrences,
            (std::vector<VectorOccurrence>{{199'998, 1'188'878, 1'188'884, ""}}));
  EXPECT_EQ(buffer.add({text(field, "small two")}), "");
  EXPECT_EQ(buffer.last().at(0).terms.size(), 2u);
  EXPECT_LE(buffer.memory.counter().bytes(), used + 4096);
  // What is charged for good is the postings' own: 100,001 terms at 36 bytes, slots, streams.
  EXPECT_LT(used, 100'000u * 90);
}

TEST(Vectors, ADocumentThatDoesNotFitIsRefused) {
  Limits limits;
  limits.max_pool_bytes = 2 << 20;
  for (PoolLayout layout : kLayouts) {
    VectorsBuffer buffer(layout, limits);
    const FieldDefinition field = body(kBoth, IndexOptions::kDocs);
    std::string many;
    for (int i = 0; i < 1'000'000; ++i) many += "a ";
    EXPECT_NE(buffer.add({text(field, many)}).find("the term vectors pool holds"),
              std::string::npos);
    EXPECT_TRUE(buffer.last().empty());
    EXPECT_EQ(buffer.add({text(field, "a")}), "");
    EXPECT_EQ(buffer.last().at(0).terms.at("a").freq, 1u);
  }
}

TEST(Vectors, AWarmBufferAllocatesNothing) {
  VectorsBuffer buffer;
  const FieldDefinition field = body(kAll);
  const FieldDefinition key("k", with_vectors(IndexOptions::kDocs, kPlain, false));
  auto add = [&] { buffer.add({text(field, "a b c d a b e f g h i j k"), text(key, "x")}); };
  for (int i = 0; i < 3; ++i) add();
  buffer.memory.counter().reset_peak();
  const uint64_t warm = buffer.memory.counter().bytes();
  add();
  // One step of the vectors' pool comes and goes with the document; postings may start a slice.
  EXPECT_EQ(buffer.memory.counter().bytes(), warm);
  EXPECT_LE(buffer.memory.counter().peak(), warm + (32 << 10));
}

// ---- Against a model ----

struct ModelToken {
  std::string term;
  int32_t increment = 1;
  uint32_t start = 0;
  uint32_t length = 0;
  std::string payload;
};
struct ModelValue {
  size_t field = 0;
  std::vector<ModelToken> tokens;
};
using ModelDocument = std::vector<ModelValue>;

constexpr size_t kFields = 4;
constexpr uint32_t kGap = 5;

rc::Gen<ModelDocument> any_document() {
  return rc::gen::exec([] {
    ModelDocument document;
    const auto values = *rc::gen::element(0, 1, 2, 5);
    for (int v = 0; v < values; ++v) {
      ModelValue value;
      value.field = *rc::gen::inRange<size_t>(0, kFields);
      const auto tokens = *rc::gen::element(0, 1, 3, 40, 200);
      // Cheap numbers for many tokens: drawn from one seed.
      auto seed = *rc::gen::arbitrary<uint32_t>();
      auto draw = [&seed](uint32_t n) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8) % n;
      };
      uint32_t start = 0;
      for (int i = 0; i < tokens; ++i) {
        ModelToken token;
        const uint32_t kind = draw(10);
        token.term = "t" + std::to_string(draw(kind < 5 ? 8 : 3000));
        if (kind == 9) token.term.append(draw(400), 'x');
        if (kind == 8) token.term.assign(draw(12), '\0');
        token.increment = i == 0 ? 1 : static_cast<int32_t>(draw(3));
        start += draw(9);
        token.start = start;
        token.length = draw(7);
        if (draw(4) == 0) token.payload.assign(draw(kind == 7 ? 300 : 4), 'p');
        // A bad one now and then: the document is refused from here on.
        if (draw(300) == 0) token.increment = -1;
        value.tokens.push_back(std::move(token));
      }
      document.push_back(std::move(value));
    }
    return document;
  });
}

// What the document's vectors must be: docs/formats/13 §1, 01 §4.2 and §5, 03 §6.
Vectors expected_vectors(const ModelDocument& document,
                         const std::vector<std::unique_ptr<FieldDefinition>>& fields) {
  struct State {
    Vector vector;
    int64_t position = -1;
    uint32_t base = 0;
    bool first_good = false;
    bool seen = false;
    bool payload = false;
  };
  std::vector<State> states(kFields);
  bool refused = false;
  for (const ModelValue& value : document) {
    if (refused) break;
    State& s = states[value.field];
    const TermVectors& flags = fields[value.field]->type().term_vectors;
    const bool first = !s.seen;
    s.seen = true;
    uint32_t end = 0;
    for (const ModelToken& t : value.tokens) {
      if (t.increment < 0) refused = true;
      if (refused) break;
      s.position += t.increment;
      VectorOfTerm& term = s.vector.terms[t.term];
      ++term.freq;
      end = t.start + t.length;
      if (!flags.positions && !flags.offsets) continue;
      VectorOccurrence o;
      if (flags.positions) o.position = static_cast<uint32_t>(s.position);
      if (flags.offsets) o.start = s.base + t.start;
      if (flags.offsets) o.end = s.base + end;
      if (flags.payloads) o.payload = t.payload;
      if (flags.payloads) s.payload |= !t.payload.empty();
      term.occurrences.push_back(o);
    }
    if (refused) break;
    s.position += kGap;
    s.base += 3000 + 1;
    if (first) s.first_good = true;
  }
  Vectors vectors;
  for (size_t f = 0; f < kFields; ++f) {
    State& s = states[f];
    s.vector.number = static_cast<uint32_t>(f);
    s.vector.flags = fields[f]->type().term_vectors;
    s.vector.flags.payloads = s.payload;
    if (s.vector.flags.enabled && s.first_good && !s.vector.terms.empty())
      vectors.push_back(std::move(s.vector));
  }
  return vectors;
}

RC_GTEST_PROP(Vectors, AreWhatTheTokensSayAndLeaveThePostingsAlone, ()) {
  const auto layout = *rc::gen::element(kLayouts[0], kLayouts[1], kLayouts[2]);
  std::vector<std::unique_ptr<FieldDefinition>> fields;
  for (size_t f = 0; f < kFields; ++f) {
    const auto options = *rc::gen::element(IndexOptions::kDocs, IndexOptions::kFreqs,
                                           IndexOptions::kPositions, IndexOptions::kOffsets);
    auto vectors = *rc::gen::element(kPlain, kPositions, kOffsets, kBoth, kAll, kAll,
                                     TermVectors{true, true, false, true}, kNone);
    fields.push_back(std::make_unique<FieldDefinition>(std::string(1, static_cast<char>('a' + f)),
                                                       with_vectors(options, vectors),
                                                       whitespace_analyzer(), kGap));
  }
  auto documents = *rc::gen::container<std::vector<ModelDocument>>(any_document());
  VectorsBuffer with(layout);
  VectorsBuffer without(layout);
  // Numbers in the order of the names, whatever comes first.
  for (VectorsBuffer* buffer : {&with, &without}) {
    for (const auto& f : fields) {
      bool chained = buffer == &with && f->type().term_vectors.enabled;
      buffer->numbers[f->name()] = static_cast<uint32_t>(buffer->numbers.size());
      auto inverter = std::make_unique<FieldInverter>(buffer->memory, Limits{}, f->name(),
                                                      f->type().index_options, false, false);
      if (chained) buffer->vectors.chain(*inverter, buffer->numbers[f->name()]);
      buffer->fields[f->name()].inverter = std::move(inverter);
    }
  }
  std::vector<std::unique_ptr<FieldDefinition>> bare;
  for (const auto& f : fields)
    bare.push_back(std::make_unique<FieldDefinition>(
        f->name(), with_vectors(f->type().index_options, kNone), whitespace_analyzer(), kGap));
  for (const ModelDocument& document : documents) {
    std::vector<TokenList> lists;
    for (const ModelValue& value : document) {
      TokenList list;
      list.final_offset = 3000;
      for (const ModelToken& t : value.tokens) {
        Token token = make_token(t.term, t.increment, t.start, t.start + t.length);
        token.payload = reinterpret_cast<const uint8_t*>(t.payload.data());
        token.payload_length = static_cast<uint32_t>(t.payload.size());
        list.tokens.push_back(token);
      }
      lists.push_back(std::move(list));
    }
    std::vector<FieldValue> values;
    std::vector<FieldValue> bare_values;
    for (size_t v = 0; v < document.size(); ++v) {
      values.push_back(ready(*fields[document[v].field], lists[v]));
      bare_values.push_back(ready(*bare[document[v].field], lists[v]));
    }
    const std::string refusal = with.add(values);
    RC_ASSERT(refusal == without.add(bare_values, false));
    RC_ASSERT(with.last() == expected_vectors(document, fields));
  }
  for (auto& [name, field] : with.fields)
    RC_ASSERT(collect(*field.inverter) == collect(*without.fields[name].inverter));
}

}  // namespace
}  // namespace postern::invert
