// The postern side of the end-to-end benchmark: indexes line documents (title TAB date TAB body)
// with the fields of Lucene's own benchmark (docs/formats/04 §2.2, without the points), as often as
// commands on standard input say. Its Lucene twin is `tests/java/oracle line-bench`; both answer
// the same commands with the same JSON, so that they can take turns.
//
//   index_bench DOCS.txt [--stream] [--pools shared|separate|inline]
//   run DOCS RAM_MB BODIES OUTDIR
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "postern/postern.h"

namespace {

namespace fs = std::filesystem;

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

struct Line {
  std::string_view title, date, body;
};

Line split(std::string_view line, uint64_t number) {
  size_t a = line.find('\t');
  size_t b = a == line.npos ? a : line.find('\t', a + 1);
  if (b == line.npos) {
    throw std::runtime_error("line " + std::to_string(number + 1) +
                             " has fewer than three columns");
  }
  return {line.substr(0, a), line.substr(a + 1, b - a - 1), line.substr(b + 1)};
}

// The number in base 36, six digits.
std::array<char, 6> id_of(uint64_t number) {
  std::array<char, 6> id;
  for (size_t i = id.size(); i > 0; --i, number /= 36) {
    id[i - 1] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
  }
  return id;
}

// All lines in memory, or one after the other from the file, which is then read as often as it
// takes to have as many documents as asked for.
class Lines {
 public:
  Lines(std::string path, bool stream) : path_(std::move(path)), stream_(stream) {
    if (stream_) return;
    std::ifstream in(path_, std::ios::binary);
    if (!in) throw std::runtime_error("cannot open " + path_);
    data_.resize(fs::file_size(path_));
    in.read(data_.data(), static_cast<std::streamsize>(data_.size()));
    std::string_view rest = data_;
    while (!rest.empty()) {
      size_t end = std::min(rest.find('\n'), rest.size());
      lines_.push_back(split(rest.substr(0, end), lines_.size()));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  int64_t count() const { return stream_ ? -1 : static_cast<int64_t>(lines_.size()); }

  // Calls f(line, number) for the first `limit` lines; returns how many there were.
  template <class F>
  uint64_t for_each(uint64_t limit, F&& f) const {
    if (stream_) return for_each_streamed(limit, f);
    uint64_t n = std::min<uint64_t>(limit, lines_.size());
    for (uint64_t i = 0; i < n; ++i) f(lines_[i], i);
    return n;
  }

 private:
  // Starts the file again when it ends before the limit.
  template <class F>
  uint64_t for_each_streamed(uint64_t limit, F& f) const {
    std::FILE* file = std::fopen(path_.c_str(), "rb");
    if (file == nullptr) throw std::runtime_error("cannot open " + path_);
    char* buffer = nullptr;
    size_t capacity = 0;
    uint64_t n = 0;
    while (n < limit) {
      ssize_t length = getline(&buffer, &capacity, file);
      if (length < 0) {
        if (n == 0) break;
        std::rewind(file);
        continue;
      }
      std::string_view line(buffer, static_cast<size_t>(length));
      if (line.ends_with('\n')) line.remove_suffix(1);
      f(split(line, n), n);
      ++n;
    }
    std::free(buffer);
    std::fclose(file);
    return n;
  }

  std::string path_;
  bool stream_;
  std::string data_;
  std::vector<Line> lines_;
};

struct Fields {
  static postern::FieldType term(bool stored) {
    postern::FieldType type;
    type.index_options = postern::IndexOptions::kDocs;
    type.tokenized = false;
    type.omit_norms = true;
    type.stored = stored;
    return type;
  }
  static postern::FieldType text(bool stored) {
    postern::FieldType type;
    type.index_options = postern::IndexOptions::kPositions;
    type.stored = stored;
    return type;
  }

  std::shared_ptr<const postern::Analyzer> analyzer = postern::standard_analyzer();
  postern::FieldDefinition title{"title", term(false)};
  postern::FieldDefinition title_tokenized{"titleTokenized", text(true), analyzer};
  postern::FieldDefinition body{"body", text(false), analyzer};
  postern::FieldDefinition id{"id", term(true)};
  postern::FieldDefinition date{"date", term(true)};
};

uint64_t directory_bytes(const fs::path& path) {
  uint64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(path)) bytes += entry.file_size();
  return bytes;
}

void run(const Lines& lines, uint64_t docs, double ram_mb, int bodies, const fs::path& out,
         postern::PoolLayout pools) {
  fs::remove_all(out);
  auto directory = postern::open_directory(out);
  Fields fields;
  postern::WriterConfig config;
  config.open_mode = postern::OpenMode::kCreate;
  config.ram_buffer_mb = ram_mb;
  config.use_compound_file = false;
  config.pools = pools;

  double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  double start = seconds_of(CLOCK_MONOTONIC);
  postern::IndexWriter writer(*directory, config);
  postern::Document document;
  uint64_t added = lines.for_each(docs, [&](const Line& line, uint64_t number) {
    auto id = id_of(number);
    document.clear();
    document.add_text(fields.title, line.title);
    document.add_text(fields.title_tokenized, line.title);
    for (int i = 0; i < bodies; ++i) document.add_text(fields.body, line.body);
    document.add_text(fields.id, {id.data(), id.size()});
    document.add_text(fields.date, line.date);
    writer.add_document(document);
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
      static_cast<unsigned long long>(directory_bytes(out)), peak_rss_kb());
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
                 "commands on standard input: run DOCS RAM_MB BODIES OUTDIR\n");
    return 1;
  }
  Lines lines(path, stream);
  std::printf("{\"ready\": %lld}\n", static_cast<long long>(lines.count()));
  std::fflush(stdout);
  for (std::string command; std::getline(std::cin, command);) {
    std::istringstream words(command);
    std::string verb, out;
    uint64_t docs = 0;
    double ram_mb = 0;
    int bodies = 0;
    if (!(words >> verb >> docs >> ram_mb >> bodies >> out) || verb != "run") {
      throw std::runtime_error("want: run DOCS RAM_MB BODIES OUTDIR, got: " + command);
    }
    run(lines, docs, ram_mb, bodies, out, pools);
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
