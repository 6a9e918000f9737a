// The microbenchmark of the proposal that postern grew out of (docs/formats/04 §1): one field with
// positions, no analyzer, no flush, in the five layouts of layouts.h. Every thread has its own
// tokens, pools and field. The counter ns_per_add is the wall time of an add, averaged over the
// threads. bench/micro/run.py runs it in turns with the same benchmark on Lucene's own classes.
//
// Lucene's layout starts every operation with new pools, whose blocks are allocated and zeroed
// inside the time, as in Java. postern's pools are recycled from segment to segment; the zeroing
// is inside the time as well.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <chrono>
#include <map>
#include <type_traits>

#include "lucene_layout/seed_stream.h"
#include "micro/layouts.h"

namespace postern::bench {
namespace {

using lucene_layout::SeedStream;

// A thread's own copy; skew 0 = the UUID run.
const SeedStream& stream_of(int64_t skew) {
  thread_local std::map<int64_t, SeedStream> streams;
  auto found = streams.find(skew);
  if (found == streams.end()) {
    streams.clear();
    found = streams
                .emplace(skew, skew == 0 ? SeedStream::uuids()
                                         : SeedStream::skewed(static_cast<double>(skew)))
                .first;
  }
  return found->second;
}

template <class Layout>
void add_all(Layout& layout, const SeedStream& stream) {
  std::span<const TermBytes> tokens = stream.tokens();
  for (uint32_t doc = 0; !tokens.empty(); ++doc) {
    auto of_doc = tokens.first(std::min<size_t>(tokens.size(), stream.tokens_per_document()));
    layout.add_document(doc, of_doc);
    tokens = tokens.subspan(of_doc.size());
  }
  benchmark::DoNotOptimize(layout.finish());
}

template <class Layout>
void index_stream(benchmark::State& state, Layout& layout, bool sort) {
  using Clock = std::chrono::steady_clock;
  constexpr bool kRecycles = std::is_same_v<Layout, OurLayout>;
  // Memory given back would be faulted in again by the next operation, which no JVM has to do.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  const SeedStream& stream = stream_of(state.range(0));
  double seconds = 0;
  layout.renew();
  add_all(layout, stream);  // so that no first use of memory is measured
  for (auto _ : state) {
    state.PauseTiming();
    if (!kRecycles) layout.renew();
    state.ResumeTiming();
    auto start = Clock::now();
    if (kRecycles) layout.renew();
    add_all(layout, stream);
    if (sort) benchmark::DoNotOptimize(layout.sort());
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }
  double adds = static_cast<double>(state.iterations()) * stream.size();
  using Counter = benchmark::Counter;
  state.counters["ns_per_add"] = Counter(seconds / adds * 1e9, Counter::kAvgThreads);
  state.counters["MB"] = Counter(static_cast<double>(layout.bytes()) / 1e6, Counter::kAvgThreads);
}

void register_all() {
  for (const char* name : {"lucene_shared", "lucene_separate", "shared", "separate", "inline"}) {
    for (bool sort : {false, true}) {
      auto run = [=](benchmark::State& state) {
        with_layout(name, Positions::kZero,
                    [&](auto& layout) { index_stream(state, layout, sort); });
      };
      std::string row = (sort ? "indexSegmentAndSort/" : "indexSegment/") + std::string(name);
      benchmark::RegisterBenchmark(row.c_str(), run)
          ->ArgName("skew")
          ->ArgsProduct({{1, 3, 6, 0}})
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime()
          ->Threads(1)
          ->Threads(2)
          ->Threads(4);
    }
  }
}

const bool registered = (register_all(), true);

}  // namespace
}  // namespace postern::bench
