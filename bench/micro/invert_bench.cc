// Inversion in memory, sorting and reading back, per token, term and posting (docs/hot_path.md).
// Tokens come from POSTERN_BENCH_TEXT (a file whose lines become documents, cut at white space) or,
// without it, from a seeded Zipf-like vocabulary. They are cut beforehand, so that analysis is not
// in the figures; every round inverts the whole input into recycled pools.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "invert/field_inverter.h"

namespace {

using postern::FieldDefinition;
using postern::FieldType;
using postern::FieldValue;
using postern::IndexOptions;
using postern::Limits;
using postern::PoolLayout;
using postern::Token;
using postern::ValueKind;
using postern::invert::BufferMemory;
using postern::invert::FieldInverter;

constexpr size_t kInputBytes = size_t{32} << 20;

struct Input {
  // Words of all documents one after another: length, then bytes; a length of 0 ends a document.
  std::string words;
  std::vector<std::string_view> documents;
  uint64_t tokens = 0;
};

void append_word(Input& input, std::string_view word) {
  input.words += static_cast<char>(word.size());
  input.words += word;
  ++input.tokens;
}

Input cut_lines(const char* name) {
  Input input;
  std::ifstream file(name);
  for (std::string line; input.words.size() < kInputBytes && std::getline(file, line);) {
    for (size_t at = 0; at < line.size();) {
      size_t end = std::min(line.find_first_of(" \t", at), line.size());
      for (; at < end; at += 255) {
        append_word(input, std::string_view(line).substr(at, std::min<size_t>(end - at, 255)));
      }
      at = end + 1;
    }
    input.words += '\0';
  }
  return input;
}

Input make_words() {
  Input input;
  std::mt19937 random(42);
  std::vector<std::string> vocabulary(1 << 19);
  for (std::string& word : vocabulary) {
    word.resize(1 + random() % (random() % 4 == 0 ? 24 : 8));
    for (char& c : word) c = static_cast<char>('a' + random() % 26);
  }
  std::uniform_real_distribution<> unit;
  while (input.words.size() < kInputBytes) {
    for (int i = 0; i < 150; ++i) {
      double rank = std::pow(static_cast<double>(vocabulary.size()), unit(random));
      append_word(input, vocabulary[static_cast<size_t>(rank) % vocabulary.size()]);
    }
    input.words += '\0';
  }
  return input;
}

const Input& input() {
  static const Input instance = [] {
    const char* file = std::getenv("POSTERN_BENCH_TEXT");
    Input made = file != nullptr ? cut_lines(file) : make_words();
    made.words.resize(made.words.size() + postern::kTermPadding);
    size_t end = made.words.size() - postern::kTermPadding;
    size_t begin = 0;
    for (size_t at = 0; at < end; at += 1 + static_cast<uint8_t>(made.words[at])) {
      if (made.words[at] != '\0') continue;
      made.documents.push_back(std::string_view(made.words).substr(begin, at + 1 - begin));
      begin = at + 1;
    }
    return made;
  }();
  return instance;
}

// Hands out the words of one document of Input.
class WordStream : public postern::TokenStream {
 public:
  void reset(std::string_view text) override {
    p_ = reinterpret_cast<const uint8_t*>(text.data());
    offset_ = 0;
  }
  size_t next(std::span<Token> tokens) override {
    size_t n = 0;
    for (; n < tokens.size() && *p_ != 0; ++n) {
      Token& t = tokens[n];
      t = Token{};
      t.term = p_ + 1;
      t.term_length = *p_;
      t.start_offset = offset_;
      t.end_offset = offset_ + *p_;
      offset_ += *p_ + uint32_t{1};
      p_ += size_t{1} + *p_;
    }
    return n;
  }
  uint32_t final_offset() const override { return offset_; }

 private:
  const uint8_t* p_ = nullptr;
  uint32_t offset_ = 0;
};

class WordAnalyzer : public postern::Analyzer {
 public:
  std::unique_ptr<postern::TokenStream> token_stream() const override {
    return std::make_unique<WordStream>();
  }
};

FieldType type_with(IndexOptions options, bool tokenized) {
  FieldType type;
  type.index_options = options;
  type.tokenized = tokenized;
  type.omit_norms = !tokenized;
  return type;
}

std::unique_ptr<FieldInverter> inverter_for(BufferMemory& memory, const FieldType& type) {
  return std::make_unique<FieldInverter>(memory, Limits{}, "body", type.index_options,
                                         type.has_norms(), false);
}

void add_all(FieldInverter& inverter, const FieldDefinition& field) {
  uint32_t doc = 0;
  for (std::string_view document : input().documents) {
    inverter.start_document(doc++);
    inverter.add({.field = &field, .kind = ValueKind::kText, .bytes = document});
    inverter.finish_document();
  }
}

void report(benchmark::State& state, uint64_t items, const BufferMemory& memory) {
  state.SetItemsProcessed(static_cast<int64_t>(items) * static_cast<int64_t>(state.iterations()));
  state.counters["MB"] = static_cast<double>(memory.counter().peak()) / 1e6;
}

void invert(benchmark::State& state, PoolLayout layout, IndexOptions options) {
  FieldType type = type_with(options, true);
  FieldDefinition field("body", type, std::make_shared<WordAnalyzer>());
  BufferMemory memory(layout, Limits{});
  input();
  for (auto _ : state) {
    std::unique_ptr<FieldInverter> inverter = inverter_for(memory, type);
    add_all(*inverter, field);
    state.PauseTiming();
    inverter.reset();
    memory.reset();
    state.ResumeTiming();
  }
  report(state, input().tokens, memory);
}

// One distinct term a document: 16 hexadecimal digits.
void invert_ids(benchmark::State& state, PoolLayout layout) {
  FieldType type = type_with(IndexOptions::kDocs, false);
  FieldDefinition field("id", type);
  constexpr uint32_t kDocuments = 500'000;
  std::mt19937_64 random(1);
  std::string ids;
  for (uint32_t i = 0; i < kDocuments; ++i) {
    for (uint64_t v = random(), k = 0; k < 16; ++k, v >>= 4) ids += "0123456789abcdef"[v & 15];
  }
  BufferMemory memory(layout, Limits{});
  for (auto _ : state) {
    std::unique_ptr<FieldInverter> inverter = inverter_for(memory, type);
    for (uint32_t doc = 0; doc < kDocuments; ++doc) {
      std::string_view id = std::string_view(ids).substr(size_t{doc} * 16, 16);
      inverter->start_document(doc);
      inverter->add({.field = &field, .kind = ValueKind::kText, .bytes = id});
      inverter->finish_document();
    }
    state.PauseTiming();
    inverter.reset();
    memory.reset();
    state.ResumeTiming();
  }
  report(state, kDocuments, memory);
}

void sort(benchmark::State& state, PoolLayout layout) {
  FieldType type = type_with(IndexOptions::kPositions, true);
  FieldDefinition field("body", type, std::make_shared<WordAnalyzer>());
  BufferMemory memory(layout, Limits{});
  std::unique_ptr<FieldInverter> inverter = inverter_for(memory, type);
  add_all(*inverter, field);
  std::vector<uint32_t> ids;
  for (auto _ : state) inverter->sort_terms(ids);
  report(state, ids.size(), memory);
}

struct Sum {
  uint64_t sum = 0;
  void start_doc(uint32_t doc) { sum += doc; }
  void add_position(uint32_t delta) { sum += delta; }
  void add_position(uint32_t delta, std::span<const uint8_t>, uint32_t start, uint32_t length) {
    sum += delta + start + length;
  }
  void finish_doc(uint32_t freq) { sum += freq; }
};

void read(benchmark::State& state, IndexOptions options) {
  FieldType type = type_with(options, true);
  FieldDefinition field("body", type, std::make_shared<WordAnalyzer>());
  BufferMemory memory(PoolLayout::kInline, Limits{});
  std::unique_ptr<FieldInverter> inverter = inverter_for(memory, type);
  add_all(*inverter, field);
  std::vector<uint32_t> ids;
  inverter->sort_terms(ids);
  for (auto _ : state) {
    Sum sum;
    for (size_t i = 0; i < ids.size(); ++i) {
      inverter->prefetch(ids, i);
      inverter->decode(ids[i], sum);
    }
    benchmark::DoNotOptimize(sum.sum);
  }
  report(state, input().tokens, memory);
}

BENCHMARK_CAPTURE(invert, positions / shared, PoolLayout::kShared, IndexOptions::kPositions);
BENCHMARK_CAPTURE(invert, positions / separate, PoolLayout::kSeparate, IndexOptions::kPositions);
BENCHMARK_CAPTURE(invert, positions / inline, PoolLayout::kInline, IndexOptions::kPositions);
BENCHMARK_CAPTURE(invert, docs / inline, PoolLayout::kInline, IndexOptions::kDocs);
BENCHMARK_CAPTURE(invert, freqs / inline, PoolLayout::kInline, IndexOptions::kFreqs);
BENCHMARK_CAPTURE(invert, offsets / inline, PoolLayout::kInline, IndexOptions::kOffsets);
BENCHMARK_CAPTURE(invert_ids, shared, PoolLayout::kShared);
BENCHMARK_CAPTURE(invert_ids, separate, PoolLayout::kSeparate);
BENCHMARK_CAPTURE(invert_ids, inline, PoolLayout::kInline);
BENCHMARK_CAPTURE(sort, shared, PoolLayout::kShared);
BENCHMARK_CAPTURE(sort, separate, PoolLayout::kSeparate);
BENCHMARK_CAPTURE(sort, inline, PoolLayout::kInline);
BENCHMARK_CAPTURE(read, positions, IndexOptions::kPositions);
BENCHMARK_CAPTURE(read, offsets, IndexOptions::kOffsets);
BENCHMARK_CAPTURE(read, docs, IndexOptions::kDocs);

}  // namespace
