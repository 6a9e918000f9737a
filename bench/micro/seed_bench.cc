// The microbenchmark of the proposal that postern grew out of (docs/formats/04 §1): one field with
// positions, no analyzer, no flush; ns per added token, pools shared and separate in Lucene's
// layout. Run it with --benchmark_enable_random_interleaving=true --benchmark_repetitions=20 and
// compare medians: on one machine the layouts differ by less than runs a minute apart do.
#include <benchmark/benchmark.h>

#include <map>
#include <optional>

#include "lucene_layout/field_postings.h"
#include "lucene_layout/seed_stream.h"

namespace postern::lucene_layout {
namespace {

// skew 0 = the UUID run. Generated once, outside the timing.
const SeedStream& stream_of(int64_t skew) {
  static std::map<int64_t, SeedStream> streams;
  auto found = streams.find(skew);
  if (found == streams.end()) {
    found = streams
                .emplace(skew, skew == 0 ? SeedStream::uuids()
                                         : SeedStream::skewed(static_cast<double>(skew)))
                .first;
  }
  return found->second;
}

// Every iteration starts with new pools and a new field.
void index_stream(benchmark::State& state, bool sort) {
  const SeedStream& stream = stream_of(state.range(1));
  auto layout = state.range(0) == 0 ? PoolLayout::kShared : PoolLayout::kSeparate;
  uint32_t per_document = stream.tokens_per_document();
  uint64_t bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::optional<Pools> pools(std::in_place, layout);
    std::optional<FieldPostings> field(std::in_place, *pools, IndexOptions::kPositions);
    state.ResumeTiming();
    uint32_t doc = 0;
    uint32_t in_doc = 0;
    for (uint32_t i = 0; i < stream.size(); ++i) {
      if (in_doc == per_document) {
        ++doc;
        in_doc = 0;
      }
      field->add({.term = stream[i], .doc = doc, .payload = {}});
      ++in_doc;
    }
    benchmark::DoNotOptimize(field->term_count());
    if (sort) benchmark::DoNotOptimize(field->sort_terms().data());
    state.PauseTiming();
    bytes = pools->counter.bytes;
    field.reset();
    pools.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * stream.size()));
  state.counters["per_add"] =
      benchmark::Counter(static_cast<double>(state.iterations() * stream.size()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}

void indexSegment(benchmark::State& state) { index_stream(state, false); }
void indexSegmentAndSort(benchmark::State& state) { index_stream(state, true); }

// separate = 0 or 1; skew 1, 3, 6, and 0 for UUIDs.
#define ARGUMENTS                           \
  ->ArgNames({"separate", "skew"})          \
      ->ArgsProduct({{0, 1}, {1, 3, 6, 0}}) \
      ->Unit(benchmark::kMillisecond)
BENCHMARK(indexSegment) ARGUMENTS;
BENCHMARK(indexSegmentAndSort) ARGUMENTS;

}  // namespace
}  // namespace postern::lucene_layout
