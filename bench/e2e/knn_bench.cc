// The postern side of bench/e2e/knn.py: indexes vectors from memory as often as commands on
// standard input say. Its Lucene twin is `tests/java/oracle knn-bench`; both answer the same
// commands with the same JSON, so that they can take turns.
//
//   knn_bench VECTORS DIMENSION float32|byte l2|cosine|dot_product|max_inner_product
//   run VECTORS RAM_MB OUTDIR
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "codec/vector_kernels.h"
#include "postern/postern.h"

namespace {

namespace fs = std::filesystem;
using postern::VectorEncoding;
using postern::VectorSimilarity;

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

VectorSimilarity similarity_of(const std::string& name) {
  if (name == "l2") return VectorSimilarity::kEuclidean;
  if (name == "cosine") return VectorSimilarity::kCosine;
  if (name == "dot_product") return VectorSimilarity::kDotProduct;
  if (name == "max_inner_product") return VectorSimilarity::kMaxInnerProduct;
  throw std::runtime_error("unknown similarity " + name);
}

struct Vectors {
  std::vector<float> floats;
  std::vector<int8_t> bytes;
  postern::FieldType type;

  size_t size() const { return (floats.size() + bytes.size()) / type.vector_dimension; }
};

template <class T>
void read_all(const std::string& path, std::vector<T>& out) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot open " + path);
  out.resize(fs::file_size(path) / sizeof(T));
  in.read(reinterpret_cast<char*>(out.data()),
          static_cast<std::streamsize>(out.size() * sizeof(T)));
}

void run(const Vectors& vectors, size_t docs, double ram_mb, const std::string& out) {
  fs::remove_all(out);
  const auto directory = postern::open_directory(out);
  const postern::FieldDefinition field("v", vectors.type);
  const size_t dimension = vectors.type.vector_dimension;
  const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const double start = seconds_of(CLOCK_MONOTONIC);
  postern::WriterConfig config;
  config.ram_buffer_mb = ram_mb;
  config.use_compound_file = false;
  postern::IndexWriter writer(*directory, config);
  postern::Document document;
  const size_t n = std::min(docs, vectors.size());
  for (size_t i = 0; i < n; ++i) {
    document.clear();
    if (vectors.floats.empty()) {
      document.add_vector(field, std::span(vectors.bytes).subspan(i * dimension, dimension));
    } else {
      document.add_vector(field, std::span(vectors.floats).subspan(i * dimension, dimension));
    }
    writer.add_document(document);
  }
  writer.commit();
  const auto segments = static_cast<unsigned long long>(writer.segment_count());
  writer.close();
  std::printf(
      "{\"engine\": \"postern\", \"docs\": %zu, \"seconds\": %.4f, \"cpu_seconds\": %.3f, "
      "\"segments\": %llu}\n",
      n, seconds_of(CLOCK_MONOTONIC) - start, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu, segments);
  std::fflush(stdout);
}

int serve(const std::vector<std::string>& words) {
  Vectors vectors;
  vectors.type.vector_dimension = static_cast<uint32_t>(std::stoul(words[1]));
  vectors.type.vector_similarity = similarity_of(words[3]);
  if (words[2] == "byte") {
    vectors.type.vector_encoding = VectorEncoding::kByte;
    read_all(words[0], vectors.bytes);
  } else {
    read_all(words[0], vectors.floats);
  }
  std::printf("{\"ready\": %zu, \"kernels\": \"%s\"}\n", vectors.size(),
              postern::codec::vector_kernels().name);
  std::fflush(stdout);
  for (std::string command; std::getline(std::cin, command);) {
    std::istringstream parts(command);
    std::string verb, out;
    size_t docs = 0;
    double ram_mb = 0;
    parts >> verb >> docs >> ram_mb >> out;
    if (!parts || verb != "run")
      throw std::runtime_error("want: run VECTORS RAM_MB OUTDIR, got: " + command);
    run(vectors, docs, ram_mb, out);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr,
                 "usage: knn_bench VECTORS DIMENSION float32|byte "
                 "l2|cosine|dot_product|max_inner_product\n"
                 "commands on standard input: run VECTORS RAM_MB OUTDIR\n");
    return 1;
  }
  try {
    return serve({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "knn_bench: %s\n", e.what());
    return 2;
  }
}
