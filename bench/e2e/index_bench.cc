// The postern side of the end-to-end benchmark: indexes line documents (title TAB date TAB body)
// with a choice of the fields of Lucene's own benchmark (bench_fields.h), as often as commands on
// standard input say. Its Lucene twin is `tests/java/oracle line-bench`; both answer the same
// commands with the same JSON, so that they can take turns.
//
//   index_bench DOCS.txt [--stream] [--pools shared|separate|inline]
//   run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench_fields.h"
#include "line_documents.h"
#include "postern/postern.h"

namespace {

namespace fs = std::filesystem;
using postern::bench::BenchFields;
using postern::bench::FieldChoice;
using postern::bench::Line;
using postern::bench::Lines;

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

long peak_rss_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

uint64_t directory_bytes(const fs::path& path) {
  uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(path)) bytes += entry.file_size();
  return bytes;
}

struct Job {
  uint64_t docs = 0;
  double ram_mb = 0;
  int bodies = 0;
  FieldChoice fields = FieldChoice::kBase;
  unsigned threads = 1;
  fs::path out;
};

// What one thread adds: all lines, or, of several threads, the blocks of lines that it gets hold
// of.
void add_lines(const Lines& lines, const Job& job, const BenchFields& fields,
               std::atomic<uint64_t>& next, postern::IndexWriter& writer) {
  postern::IndexWriter::Appender appender(writer);
  postern::Document document;
  BenchFields::IdText id{};
  auto add = [&](const Line& line, uint64_t number) {
    fields.fill(line, number, job.bodies, id, document);
    appender.add_document(document);
  };
  if (job.threads == 1) return lines.for_each(job.docs, add);
  constexpr uint64_t kBlock = 16;
  for (uint64_t n = next.fetch_add(kBlock); n < job.docs; n = next.fetch_add(kBlock)) {
    const uint64_t end = std::min(n + kBlock, job.docs);
    for (uint64_t i = n; i < end; ++i) add(lines.at(i), i);
  }
}

void add_all(const Lines& lines, const Job& job, const BenchFields& fields,
             postern::IndexWriter& writer) {
  std::atomic<uint64_t> next{0};
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < job.threads; ++i)
    others.emplace_back([&] { add_lines(lines, job, fields, next, writer); });
  add_lines(lines, job, fields, next, writer);
}

void run(const Lines& lines, const Job& job, postern::PoolLayout pools) {
  fs::remove_all(job.out);
  auto directory = postern::open_directory(job.out);
  BenchFields fields(job.fields);
  postern::WriterConfig config;
  config.open_mode = postern::OpenMode::kCreate;
  config.ram_buffer_mb = job.ram_mb;
  config.use_compound_file = false;
  config.pools = pools;

  double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  double start = seconds_of(CLOCK_MONOTONIC);
  postern::IndexWriter writer(*directory, config);
  add_all(lines, job, fields, writer);
  double fed = seconds_of(CLOCK_MONOTONIC);
  writer.flush();
  double flushed = seconds_of(CLOCK_MONOTONIC);
  writer.commit();
  uint64_t segments = writer.segment_count();
  writer.close();
  double seconds = seconds_of(CLOCK_MONOTONIC) - start;
  cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  std::printf(
      "{\"engine\": \"postern\", \"docs\": %llu, \"seconds\": %.4f, \"feed_seconds\": %.4f, "
      "\"flush_seconds\": %.4f, \"cpu_seconds\": %.3f, \"segments\": %llu, \"index_bytes\": %llu, "
      "\"peak_rss_kb\": %ld}\n",
      static_cast<unsigned long long>(job.docs), seconds, fed - start, flushed - fed, cpu,
      static_cast<unsigned long long>(segments),
      static_cast<unsigned long long>(directory_bytes(job.out)), peak_rss_kb());
  std::fflush(stdout);
}

int serve(int argc, char** argv) {
  std::string path;
  bool stream = false;
  auto pools = postern::WriterConfig().pools;
  for (int i = 1; i < argc; ++i) {
    std::string_view arg = argv[i];
    if (arg == "--stream") {
      stream = true;
    } else if (arg == "--pools" && i + 1 < argc) {
      std::string_view name = argv[++i];
      pools = name == "shared"     ? postern::PoolLayout::kShared
              : name == "separate" ? postern::PoolLayout::kSeparate
                                   : postern::PoolLayout::kInline;
    } else {
      path = arg;
    }
  }
  if (path.empty()) {
    std::fprintf(stderr,
                 "usage: index_bench DOCS.txt [--stream] [--pools shared|separate|inline]\n"
                 "commands on standard input: run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR\n");
    return 1;
  }
  Lines lines(path, stream);
  std::printf("{\"ready\": %lld}\n", static_cast<long long>(lines.count()));
  std::fflush(stdout);
  for (std::string command; std::getline(std::cin, command);) {
    std::istringstream words(command);
    std::string verb, fields, out;
    Job job;
    words >> verb >> job.docs >> job.ram_mb >> job.bodies >> fields >> job.threads >> out;
    const auto choice = postern::bench::field_choice(fields);
    if (!words || verb != "run" || !choice)
      throw std::runtime_error("want: run DOCS RAM_MB BODIES FIELDS THREADS OUTDIR, got: " +
                               command);
    if (job.threads == 0 || (stream && job.threads > 1))
      throw std::runtime_error("several threads need the lines in memory");
    job.fields = *choice;
    job.out = out;
    run(lines, job, pools);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "index_bench: %s\n", e.what());
    return 2;
  }
}
