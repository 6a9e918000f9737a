// What the flush of a segment pays for postings and terms: per posting for lists of several
// lengths, per term for dictionaries of several kinds, per value for the packed blocks.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "codec/for_util.h"
#include "codec/pfor.h"
#include "codec/postings_format_writer.h"

namespace {

using namespace postern;
using namespace postern::codec;

// Takes the bytes and forgets them.
class NullDirectory : public Directory {
 public:
  std::string describe() const override { return "nowhere"; }
  std::vector<std::string> list() const override { return {}; }
  std::unique_ptr<OutputFile> create(const std::string&) override {
    return std::make_unique<NullFile>();
  }
  std::unique_ptr<InputFile> open(const std::string& name) const override {
    throw IoError(name + ": nothing is kept", 0);
  }
  uint64_t file_length(const std::string&) const override { return 0; }
  void remove(const std::string&) override {}
  void rename(const std::string&, const std::string&) override {}
  void sync(std::span<const std::string>) override {}
  void sync_metadata() override {}
  std::unique_ptr<DirectoryLock> lock(const std::string&) override { return nullptr; }

 private:
  struct NullFile : OutputFile {
    void append(std::span<const uint8_t>) override {}
    void close() override {}
  };
};

FieldInfos one_field(IndexOptions options) {
  FieldInfos infos;
  infos.fields.emplace_back();
  infos.fields[0].name.push_back('f');
  infos.fields[0].index_options = options;
  return infos;
}

std::string_view eight_digits(std::array<char, 8>& digits, uint64_t number) {
  for (size_t i = 8; i-- > 0; number /= 10) digits[i] = static_cast<char>('0' + number % 10);
  return {digits.data(), digits.size()};
}

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Lists of range(0) documents with 1.25 positions each.
void lists(benchmark::State& state) {
  const uint32_t docs = static_cast<uint32_t>(state.range(0));
  const uint32_t max_doc = 1 << 20;
  NullDirectory directory;
  FieldInfos infos = one_field(IndexOptions::kPositions);
  PostingsFormatWriter writer({directory, "_0", {}, max_doc}, infos);
  std::vector<uint8_t> norms(max_doc, 1);
  std::mt19937 random(1);
  for (uint8_t& norm : norms) norm = static_cast<uint8_t>(20 + random() % 60);
  std::vector<uint32_t> gaps(4096);
  for (uint32_t& gap : gaps)
    gap = 1 + static_cast<uint32_t>(random()) % (2 * max_doc / (docs + 1) + 1) / 3;
  writer.start_field(infos.fields[0], norms);
  uint64_t term = 0;
  uint32_t at = 0;
  std::array<char, 8> digits;
  for (auto _ : state) {
    uint32_t doc = 0;
    for (uint32_t i = 0; i < docs; ++i) {
      uint32_t gap = gaps[at++ & 4095];
      doc += gap;
      if (doc >= max_doc) break;
      writer.start_doc(doc);
      writer.add_position(gap & 63);
      if (gap % 4 == 0) writer.add_position(5);
      writer.finish_doc(gap % 4 == 0 ? 2 : 1);
    }
    writer.finish_term(as_bytes(eight_digits(digits, term++)));
  }
  state.SetItemsProcessed(state.iterations() * docs);
}
BENCHMARK(lists)->Arg(1)->Arg(2)->Arg(5)->Arg(20)->Arg(200)->Arg(5000)->Arg(100000);

// A dictionary of range(1) such terms, each in one document.
void terms(benchmark::State& state) {
  std::mt19937_64 random(2);
  std::vector<std::string> keys;
  const size_t count = 200000;
  for (size_t i = 0; i < count; ++i) {
    std::string key;
    switch (state.range(0)) {
      case 0:  // sequential ids
        key = std::to_string(10000000 + i);
        break;
      case 1:  // random bytes
        key.resize(16);
        for (char& c : key) c = static_cast<char>(random());
        break;
      case 2:  // words
        key.resize(2 + random() % 9);
        for (char& c : key) c = static_cast<char>('a' + random() % 26);
        break;
      default:
        key = "http://www.example.org/section/" + std::to_string(random() % 1000) + "/Document-" +
              std::to_string(i);
    }
    keys.push_back(std::move(key));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  FieldInfos infos = one_field(IndexOptions::kDocs);
  for (auto _ : state) {
    NullDirectory directory;
    PostingsFormatWriter writer({directory, "_0", {}, 1 << 20}, infos);
    writer.start_field(infos.fields[0], {});
    uint32_t doc = 0;
    for (const std::string& key : keys) {
      writer.start_doc(doc++);
      writer.finish_doc(1);
      writer.finish_term(as_bytes(key));
    }
    writer.finish_field(doc);
    writer.close();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(keys.size()));
  state.SetLabel(
      std::array{"ids", "random bytes", "words", "URLs"}[static_cast<size_t>(state.range(0))]);
}
BENCHMARK(terms)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

void for_blocks(benchmark::State& state) {
  const uint32_t bits = static_cast<uint32_t>(state.range(0));
  std::array<uint32_t, kForValues> values;
  std::mt19937 random(3);
  for (uint32_t& v : values) v = static_cast<uint32_t>(random()) & ((1u << bits) - 1);
  std::array<uint8_t, kMaxForBytes> out;
  for (auto _ : state) {
    encode_for(values.data(), bits, out.data());
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * kForValues);
}
BENCHMARK(for_blocks)->Arg(1)->Arg(4)->Arg(5)->Arg(8)->Arg(11)->Arg(16)->Arg(20);

// Small values with a few exceptions, as frequencies and positions are.
void pfor_blocks(benchmark::State& state) {
  std::array<uint32_t, kForValues> values;
  std::mt19937 random(4);
  for (uint32_t& v : values) v = static_cast<uint32_t>(random()) % 3 + 1;
  for (int i = 0; i < state.range(0); ++i) values[random() % kForValues] = 70;
  std::array<uint8_t, kMaxPforBytes> out;
  for (auto _ : state) {
    benchmark::DoNotOptimize(encode_pfor(values.data(), out.data()));
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * kForValues);
}
BENCHMARK(pfor_blocks)->Arg(0)->Arg(5)->Arg(20);

}  // namespace
