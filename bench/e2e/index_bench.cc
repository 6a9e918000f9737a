// The postern side of the end-to-end benchmark: indexes line documents (title TAB date TAB body)
// with a choice of the fields of Lucene's own benchmark (bench_fields.h), as often as commands on
// standard input say. Its Lucene twin is `tests/java/oracle line-bench`; both answer the same
// commands with the same JSON, so that they can take turns.
//
//   index_bench DOCS.txt [--stream] [--pools shared|separate|inline]
//   run DOCS RAM_MB BODIES FIELDS OUTDIR
#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

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
  fs::path out;
};

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
  postern::Document document;
  uint64_t added = 0;
  lines.for_each(job.docs, [&](const Line& line, uint64_t number) {
    fields.fill(line, number, job.bodies, document);
    writer.add_document(document);
    ++added;
  });
  double fed = seconds_of(CLOCK_MONOTONIC);
  writer.commit();
  uint64_t segments = writer.segment_count();
  writer.close();
  double seconds = seconds_of(CLOCK_MONOTONIC) - start;
  cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  std::printf(
      "{\"engine\": \"postern\", \"docs\": %llu, \"seconds\": %.4f, \"feed_seconds\": %.4f, "
      "\"cpu_seconds\": %.3f, \"segments\": %llu, \"index_bytes\": %llu, \"peak_rss_kb\": %ld}\n",
      static_cast<unsigned long long>(added), seconds, fed - start, cpu,
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
                 "commands on standard input: run DOCS RAM_MB BODIES FIELDS OUTDIR\n");
    return 1;
  }
  Lines lines(path, stream);
  std::printf("{\"ready\": %lld}\n", static_cast<long long>(lines.count()));
  std::fflush(stdout);
  for (std::string command; std::getline(std::cin, command);) {
    std::istringstream words(command);
    std::string verb, fields, out;
    Job job;
    words >> verb >> job.docs >> job.ram_mb >> job.bodies >> fields >> out;
    const auto choice = postern::bench::field_choice(fields);
    if (!words || verb != "run" || !choice)
      throw std::runtime_error("want: run DOCS RAM_MB BODIES FIELDS OUTDIR, got: " + command);
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
