// Whether threads that add to one writer get into each other's way: the same work with one writer
// for all of them, and with a writer for each. `locks` counts how often a mutex was locked per
// document, by anything in the process: it must stay far below one, and must not grow with the
// number of threads.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <random>
#include <string>
#include <vector>

#include "postern/postern.h"

namespace {

thread_local uint64_t locks = 0;

}  // namespace

// In front of the C library's, for this program alone.
extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const Lock real = reinterpret_cast<Lock>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return real(mutex);
}

namespace postern {
namespace {

std::string make_text(uint32_t seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < 150; ++i) {
    uint32_t rank = static_cast<uint32_t>(random()) % (1u << (random() % 17));
    text += "w" + std::to_string(rank) + " ";
  }
  return text;
}

FieldType body_type() {
  FieldType type;
  type.index_options = IndexOptions::kPositions;
  return type;
}

struct Target {
  std::unique_ptr<Directory> directory = memory_directory();
  FieldDefinition body{"body", body_type(), standard_analyzer()};
  IndexWriter writer{*directory, {.ram_buffer_mb = 64}};
};

std::unique_ptr<Target> shared_target;

void add_documents(benchmark::State& state, bool one_writer, bool appender) {
  if (one_writer && state.thread_index() == 0) shared_target = std::make_unique<Target>();
  std::unique_ptr<Target> own = one_writer ? nullptr : std::make_unique<Target>();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < 256; ++i)
    texts.push_back(make_text(i + 1000 * static_cast<uint32_t>(state.thread_index())));
  constexpr int kPiece = 1000;  // documents an appender is kept for
  uint64_t added = 0;
  uint64_t before = 0;
  for (auto _ : state) {  // all threads begin together, behind the lines above
    if (added == 0) before = locks;
    Target& target = one_writer ? *shared_target : *own;
    Document document;
    auto add = [&](auto& to) {
      for (int i = 0; i < kPiece; ++i) {
        document.clear();
        document.add_text(target.body, texts[static_cast<size_t>(i) % texts.size()]);
        to.add_document(document);
      }
    };
    if (appender) {
      IndexWriter::Appender to(target.writer);
      add(to);
    } else {
      add(target.writer);
    }
    added += kPiece;
  }
  state.SetItemsProcessed(static_cast<int64_t>(added));
  state.counters["locks"] =
      benchmark::Counter(static_cast<double>(locks - before) / static_cast<double>(added),
                         benchmark::Counter::kAvgThreads);
  if (one_writer && state.thread_index() == 0) shared_target.reset();
}

void OneWriterAppenders(benchmark::State& state) { add_documents(state, true, true); }
void OneWriter(benchmark::State& state) { add_documents(state, true, false); }
void WriterForEach(benchmark::State& state) { add_documents(state, false, true); }

BENCHMARK(OneWriterAppenders)->ThreadRange(1, 16)->UseRealTime();
BENCHMARK(OneWriter)->ThreadRange(1, 16)->UseRealTime();
BENCHMARK(WriterForEach)->ThreadRange(1, 16)->UseRealTime();

}  // namespace
}  // namespace postern
