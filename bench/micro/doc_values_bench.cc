// What doc values cost per value: taking them into the buffer, and writing a segment's columns.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/doc_values_flush.h"

namespace {

using namespace postern;

constexpr uint32_t kDocs = 500'000;

uint64_t random_bits(uint64_t n) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  return z ^ z >> 27;
}

enum Kind : int { kRandomNumbers, kTimestamps, kFewNumbers, kCategories, kUniqueIds, kBinary };

DocValuesType type_of(int kind) {
  switch (kind) {
    case kCategories:
    case kUniqueIds:
      return DocValuesType::kSortedSet;
    case kBinary:
      return DocValuesType::kBinary;
    default:
      return DocValuesType::kSortedNumeric;
  }
}

struct Values {
  explicit Values(int kind) {
    strings.resize(kDocs);
    for (uint32_t d = 0; d < kDocs; ++d) {
      const uint64_t r = random_bits(d);
      switch (kind) {
        case kRandomNumbers:
          add(static_cast<int64_t>(r >> 20));
          break;
        case kTimestamps:
          add(1'700'000'000'000 + static_cast<int64_t>(d) * 60'000 +
              static_cast<int64_t>(r % 60) * 1000);
          break;
        case kFewNumbers:
          add(static_cast<int64_t>(r % 20) * 1'234'567);
          break;
        case kCategories:
          add(d, "category " + std::to_string(r % 500));
          break;
        default:
          add(d, std::to_string(r));
      }
    }
  }
  void add(int64_t v) { values.push_back({.kind = ValueKind::kLong, .integer = v}); }
  void add(uint32_t d, std::string v) {
    strings[d] = std::move(v);
    values.push_back({.kind = ValueKind::kText, .bytes = strings[d]});
  }
  std::vector<std::string> strings;
  std::vector<FieldValue> values;
};

void fill(invert::DocValuesBuffer& buffer, const Values& values) {
  for (uint32_t d = 0; d < kDocs; ++d) buffer.add(d, values.values[d]);
}

void buffer_values(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(0));
  const Values values(kind);
  invert::BufferMemory memory(PoolLayout::kInline, Limits());
  for (auto _ : state) {
    {
      invert::DocValuesBuffer buffer(memory, Limits(), "f", type_of(kind));
      fill(buffer, values);
      benchmark::DoNotOptimize(buffer.doc_count());
    }
    memory.reset();
  }
  state.SetItemsProcessed(state.iterations() * kDocs);
}
BENCHMARK(buffer_values)->DenseRange(kRandomNumbers, kBinary)->Unit(benchmark::kMillisecond);

// With a skip index where there can be one; the sort of the terms is part of it.
void flush_values(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(0));
  const Values values(kind);
  invert::BufferMemory memory(PoolLayout::kInline, Limits());
  for (auto _ : state) {
    state.PauseTiming();
    auto buffer = std::make_unique<invert::DocValuesBuffer>(memory, Limits(), "f", type_of(kind));
    fill(*buffer, values);
    codec::FieldInfo info;
    info.name.push_back('f');
    info.doc_values = type_of(kind);
    info.doc_values_skip_index = kind != kBinary;
    const auto directory = memory_directory();
    state.ResumeTiming();
    const index::BufferedDocValues fields[] = {{&info, buffer.get()}};
    std::vector<std::string> files;
    index::write_doc_values({*directory, "_0", {}, kDocs}, fields, files);
    state.PauseTiming();
    buffer.reset();
    memory.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kDocs);
}
BENCHMARK(flush_values)->DenseRange(kRandomNumbers, kBinary)->Unit(benchmark::kMillisecond);

}  // namespace
