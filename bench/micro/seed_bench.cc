// The microbenchmark of the proposal that postern grew out of (docs/formats/04 §1): one field with
// positions, no analyzer, no flush, in five layouts: Lucene's with shared and separate pools, and
// postern's with shared and separate pools and with text in the term's state. Every thread has its
// own tokens, pools and field. The counter ns_per_add is the wall time of an add, averaged over
// the threads. bench/micro/run.py runs it in turns with the same benchmark on Lucene's own classes.
//
// Lucene's layout starts every operation with new pools, whose blocks are allocated and zeroed
// inside the time, as in Java. postern's pools are recycled from segment to segment; the zeroing
// is inside the time as well.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "invert/field_inverter.h"
#include "lucene_layout/field_postings.h"
#include "lucene_layout/seed_stream.h"

namespace postern::lucene_layout {
namespace {

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

class LuceneLayout {
 public:
  explicit LuceneLayout(PoolLayout layout) : layout_(layout) {}
  // Outside the time.
  void renew() {
    field_.reset();
    pools_.emplace(layout_);
    field_.emplace(*pools_, IndexOptions::kPositions);
  }
  void add_all(const SeedStream& stream) {
    uint32_t doc = 0;
    uint32_t in_doc = 0;
    for (TermBytes term : stream.tokens()) {
      if (in_doc == stream.tokens_per_document()) {
        ++doc;
        in_doc = 0;
      }
      field_->add({.term = term, .doc = doc, .payload = {}});
      ++in_doc;
    }
    benchmark::DoNotOptimize(field_->term_count());
  }
  void sort() { benchmark::DoNotOptimize(field_->sort_terms().data()); }
  uint64_t bytes() const { return pools_->counter.bytes; }

 private:
  PoolLayout layout_;
  std::optional<Pools> pools_;
  std::optional<FieldPostings> field_;
};

// Hands out tokens that are there already: the text of a value is the memory of their TermBytes.
class ReadyTokens : public TokenStream {
 public:
  void reset(std::string_view text) override {
    next_ = reinterpret_cast<const TermBytes*>(text.data());
    end_ = next_ + text.size() / sizeof(TermBytes);
    increment_ = 1;
  }
  size_t next(std::span<Token> tokens) override {
    size_t n = 0;
    for (; n < tokens.size() && next_ != end_; ++n, ++next_) {
      tokens[n] = Token{.term = next_->data(),
                        .term_length = static_cast<uint32_t>(next_->size()),
                        .position_increment = increment_};
      increment_ = 0;  // the benchmark never advances the position
    }
    return n;
  }
  uint32_t final_offset() const override { return 0; }

 private:
  const TermBytes* next_ = nullptr;
  const TermBytes* end_ = nullptr;
  int32_t increment_ = 1;
};

class ReadyAnalyzer : public Analyzer {
 public:
  std::unique_ptr<TokenStream> token_stream() const override {
    return std::make_unique<ReadyTokens>();
  }
};

FieldType body_type(bool tokenized) {
  FieldType type;
  type.index_options = IndexOptions::kPositions;
  type.omit_norms = true;
  type.tokenized = tokenized;
  return type;
}

class OurLayout {
 public:
  explicit OurLayout(PoolLayout layout) : memory_(layout, Limits{}) {}
  void renew() { inverter_.reset(); }
  void add_all(const SeedStream& stream) {
    memory_.reset();
    inverter_.emplace(memory_, Limits{}, "body", IndexOptions::kPositions, false, false);
    std::span<const TermBytes> tokens = stream.tokens();
    const bool one_term = stream.tokens_per_document() == 1;
    for (uint32_t doc = 0; !tokens.empty(); ++doc) {
      auto of_doc = tokens.first(std::min<size_t>(tokens.size(), stream.tokens_per_document()));
      inverter_->start_document(doc);
      if (one_term) {
        inverter_->add(
            {.field = &term_field_, .kind = ValueKind::kBytes, .bytes = text(of_doc[0])});
      } else {
        inverter_->add(
            {.field = &field_,
             .kind = ValueKind::kText,
             .bytes = {reinterpret_cast<const char*>(of_doc.data()), of_doc.size_bytes()}});
      }
      inverter_->finish_document();
      tokens = tokens.subspan(of_doc.size());
    }
    benchmark::DoNotOptimize(inverter_->term_count());
  }
  void sort() {
    inverter_->sort_terms(ids_);
    benchmark::DoNotOptimize(ids_.data());
  }
  uint64_t bytes() const { return memory_.counter().bytes(); }

 private:
  static std::string_view text(TermBytes term) {
    return {reinterpret_cast<const char*>(term.data()), term.size()};
  }

  FieldDefinition field_{"body", body_type(true), std::make_shared<ReadyAnalyzer>()};
  FieldDefinition term_field_{"body", body_type(false)};
  invert::BufferMemory memory_;
  std::optional<invert::FieldInverter> inverter_;
  std::vector<uint32_t> ids_;
};

template <class Layout>
void index_stream(benchmark::State& state, PoolLayout pools, bool sort) {
  using Clock = std::chrono::steady_clock;
  // Memory given back would be faulted in again by the next operation, which no JVM has to do.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  const SeedStream& stream = stream_of(state.range(0));
  Layout layout(pools);
  double seconds = 0;
  layout.renew();
  layout.add_all(stream);  // so that no first use of memory is measured
  for (auto _ : state) {
    state.PauseTiming();
    layout.renew();
    state.ResumeTiming();
    auto start = Clock::now();
    layout.add_all(stream);
    if (sort) layout.sort();
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }
  double adds = static_cast<double>(state.iterations()) * stream.size();
  state.counters["ns_per_add"] =
      benchmark::Counter(seconds / adds * 1e9, benchmark::Counter::kAvgThreads);
  state.counters["MB"] = benchmark::Counter(static_cast<double>(layout.bytes()) / 1e6,
                                            benchmark::Counter::kAvgThreads);
}

template <class Layout>
void indexSegment(benchmark::State& state, PoolLayout pools) {
  index_stream<Layout>(state, pools, false);
}
template <class Layout>
void indexSegmentAndSort(benchmark::State& state, PoolLayout pools) {
  index_stream<Layout>(state, pools, true);
}

void register_all() {
  using Function = void (*)(benchmark::State&, PoolLayout);
  struct Row {
    const char* name;
    Function function;
    PoolLayout pools;
  };
  const Row rows[] = {
      {"indexSegment/lucene_shared", indexSegment<LuceneLayout>, PoolLayout::kShared},
      {"indexSegment/lucene_separate", indexSegment<LuceneLayout>, PoolLayout::kSeparate},
      {"indexSegment/shared", indexSegment<OurLayout>, PoolLayout::kShared},
      {"indexSegment/separate", indexSegment<OurLayout>, PoolLayout::kSeparate},
      {"indexSegment/inline", indexSegment<OurLayout>, PoolLayout::kInline},
      {"indexSegmentAndSort/lucene_shared", indexSegmentAndSort<LuceneLayout>, PoolLayout::kShared},
      {"indexSegmentAndSort/lucene_separate", indexSegmentAndSort<LuceneLayout>,
       PoolLayout::kSeparate},
      {"indexSegmentAndSort/shared", indexSegmentAndSort<OurLayout>, PoolLayout::kShared},
      {"indexSegmentAndSort/separate", indexSegmentAndSort<OurLayout>, PoolLayout::kSeparate},
      {"indexSegmentAndSort/inline", indexSegmentAndSort<OurLayout>, PoolLayout::kInline}};
  for (const Row& row : rows) {
    auto run = [row](benchmark::State& state) { row.function(state, row.pools); };
    benchmark::RegisterBenchmark(row.name, run)
        ->ArgName("skew")
        ->ArgsProduct({{1, 3, 6, 0}})
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Threads(1)
        ->Threads(2)
        ->Threads(4);
  }
}

const bool registered = (register_all(), true);

}  // namespace
}  // namespace postern::lucene_layout
