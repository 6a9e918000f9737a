// Bytes and tokens (items) per second of the analyzers: one value of about 1 KB after another,
// tokens in groups of 64. POSTERN_BENCH_TEXT names a file to take the values from (its lines);
// without it they are sentences drawn from a fixed list of words.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "postern/analyzer.h"

namespace {

using postern::Analyzer;
using postern::Token;

constexpr size_t kTextBytes = size_t{8} << 20;

// English with the marks that word breaking treats specially. One word in `foreign_every` is not
// ASCII; 0 for none.
std::vector<std::string> sentences(unsigned foreign_every) {
  static constexpr std::array kWords = {
      "the",   "of",      "and",     "report",  "commission", "parliament", "Mr",     "President",
      "don't", "e.g.",    "1,234.5", "foo_bar", "agreement",  "economic",   "which",  "we",
      "in",    "that",    "is",      "a",       "European",   "proposals",  "1999",   "must",
      "will",  "citizen", "has",     "been",    "not",        "directive",  "policy", "for"};
  static constexpr std::array kForeign = {"Père", "naïve", "don’t", "–", "Straße", "Ελλάδα"};
  std::mt19937 random(7);
  std::vector<std::string> values;
  for (size_t total = 0; total < kTextBytes;) {
    std::string value;
    while (value.size() < 1000) {
      const bool foreign = foreign_every != 0 && random() % foreign_every == 0;
      value += foreign ? kForeign[random() % kForeign.size()] : kWords[random() % kWords.size()];
      value += random() % 12 == 0 ? ", " : random() % 20 == 0 ? ". " : " ";
    }
    total += value.size();
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> values_of_file(const char* name) {
  std::ifstream file(name);
  std::vector<std::string> values;
  size_t total = 0;
  for (std::string line; total < kTextBytes && std::getline(file, line);) {
    total += line.size();
    values.push_back(line);
  }
  return values;
}

void tokenize(benchmark::State& state, const std::shared_ptr<const Analyzer>& analyzer,
              unsigned foreign_every) {
  const char* file = std::getenv("POSTERN_BENCH_TEXT");
  const std::vector<std::string> values =
      file != nullptr ? values_of_file(file) : sentences(foreign_every);
  size_t bytes = 0;
  for (const std::string& value : values) bytes += value.size();
  const auto stream = analyzer->token_stream();
  std::array<Token, 64> tokens;
  size_t count = 0;
  for (auto _ : state) {
    count = 0;
    for (const std::string& value : values) {
      stream->reset(value);
      while (const size_t n = stream->next(tokens)) {
        benchmark::DoNotOptimize(tokens.data());
        count += n;
      }
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * static_cast<int64_t>(state.iterations()));
  state.SetItemsProcessed(static_cast<int64_t>(count) * static_cast<int64_t>(state.iterations()));
}

BENCHMARK_CAPTURE(tokenize, standard_ascii, postern::standard_analyzer(), 0);
BENCHMARK_CAPTURE(tokenize, standard_one_foreign_in_50, postern::standard_analyzer(), 50);
BENCHMARK_CAPTURE(tokenize, standard_one_foreign_in_5, postern::standard_analyzer(), 5);
BENCHMARK_CAPTURE(tokenize, standard_all_foreign, postern::standard_analyzer(), 1);
BENCHMARK_CAPTURE(tokenize, standard_stop_words,
                  postern::standard_analyzer({255, postern::english_stop_words()}), 0);
BENCHMARK_CAPTURE(tokenize, whitespace_ascii, postern::whitespace_analyzer(), 0);
BENCHMARK_CAPTURE(tokenize, simple_ascii, postern::simple_analyzer(), 0);
BENCHMARK_CAPTURE(tokenize, english_ascii, postern::english_analyzer(), 0);

}  // namespace
