// One pass over tokens for a cache simulation (cache.py): what does an add cost in each layout, in
// a tight loop and with the rest of indexing in between?
//
//   cache_bench LAYOUT tight|fields SOURCE DOCUMENTS
//
// SOURCE is a file of line documents, or seed:SKEW for the first DOCUMENTS x 1000 tokens of the
// proposal's stream. Of a file the bodies are added, cut by the standard analyzer. tight: all of
// them are cut beforehand. fields: for each document a writer first takes the other fields of
// Lucene's benchmark (stored, terms, points, doc values), then the body is cut, then added. Only
// what happens in measured_add and measured_sort is to be counted. Prints the number of adds.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <stdexcept>

#include "e2e/bench_fields.h"
#include "lucene_layout/seed_stream.h"
#include "micro/layouts.h"
#include "postern/postern.h"

namespace postern::bench {
namespace {

template <class Layout>
[[gnu::noinline]] void measured_add(Layout& layout, uint32_t doc,
                                    std::span<const TermBytes> tokens) {
  layout.add_document(doc, tokens);
}

template <class Layout>
[[gnu::noinline]] uint32_t measured_sort(Layout& layout) {
  uint32_t terms = layout.finish();
  return layout.sort()[terms / 2];
}

// The words of one text; they stay where they are until the next call.
class Cutter {
 public:
  std::span<const TermBytes> cut(std::string_view text) {
    bytes_.clear();
    ends_.clear();
    stream_->reset(text);
    std::array<Token, 64> tokens;
    while (size_t n = stream_->next(tokens)) {
      for (size_t i = 0; i < n; ++i) {
        bytes_.insert(bytes_.end(), tokens[i].term, tokens[i].term + tokens[i].term_length);
        ends_.push_back(bytes_.size());
      }
    }
    size_t size = bytes_.size();
    bytes_.resize(size + kTermPadding);
    terms_.clear();
    size_t begin = 0;
    for (size_t end : ends_) {
      terms_.emplace_back(bytes_.data() + begin, end - begin);
      begin = end;
    }
    return terms_;
  }
  // Gives the words away; the spans stay valid.
  std::vector<uint8_t> take_bytes() { return std::move(bytes_); }

 private:
  std::unique_ptr<TokenStream> stream_ = standard_analyzer()->token_stream();
  std::vector<uint8_t> bytes_;
  std::vector<size_t> ends_;
  std::vector<TermBytes> terms_;
};

template <class Layout>
uint64_t add_seed(Layout& layout, double skew, uint32_t documents) {
  auto stream = lucene_layout::SeedStream::skewed(skew);
  std::span<const TermBytes> tokens = stream.tokens();
  uint64_t adds = 0;
  for (uint32_t doc = 0; doc < documents && !tokens.empty(); ++doc) {
    auto of_doc = tokens.first(std::min<size_t>(tokens.size(), stream.tokens_per_document()));
    measured_add(layout, doc, of_doc);
    adds += of_doc.size();
    tokens = tokens.subspan(of_doc.size());
  }
  return adds;
}

template <class Layout>
uint64_t add_tight(Layout& layout, const Lines& lines, uint32_t documents) {
  Cutter cutter;
  std::deque<std::vector<uint8_t>> bytes;
  std::vector<std::vector<TermBytes>> all;
  lines.for_each(documents, [&](const Line& line, uint64_t) {
    auto tokens = cutter.cut(line.body);
    all.emplace_back(tokens.begin(), tokens.end());
    bytes.push_back(cutter.take_bytes());
  });
  uint64_t adds = 0;
  for (uint32_t doc = 0; doc < all.size(); ++doc) {
    measured_add(layout, doc, all[doc]);
    adds += all[doc].size();
  }
  return adds;
}

template <class Layout>
uint64_t add_with_fields(Layout& layout, const Lines& lines, uint32_t documents) {
  auto folder = std::filesystem::temp_directory_path() / "postern-cache-bench-XXXXXX";
  std::string name = folder.string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  uint64_t adds = 0;
  {
    auto directory = open_directory(name);
    IndexWriter writer(*directory, WriterConfig());
    BenchFields fields(FieldChoice::kColumns);
    BenchFields::IdText id{};
    Document document;
    Cutter cutter;
    lines.for_each(documents, [&](const Line& line, uint64_t number) {
      fields.fill(line, number, 0, id, document);
      writer.add_document(document);
      auto tokens = cutter.cut(line.body);
      measured_add(layout, static_cast<uint32_t>(number), tokens);
      adds += tokens.size();
    });
    writer.rollback();
  }
  std::filesystem::remove_all(name);
  return adds;
}

void run(const std::string& name, const std::string& mode, const std::string& source,
         uint32_t documents) {
  const bool seed = source.starts_with("seed:");
  with_layout(name, seed ? Positions::kZero : Positions::kAscending, [&](auto& layout) {
    layout.renew();
    uint64_t adds = 0;
    if (seed) {
      adds = add_seed(layout, std::stod(source.substr(5)), documents);
    } else {
      Lines lines(source, true);
      adds = mode == "fields" ? add_with_fields(layout, lines, documents)
                              : add_tight(layout, lines, documents);
    }
    uint32_t middle = measured_sort(layout);
    std::printf("{\"adds\": %llu, \"terms\": %u, \"bytes\": %llu, \"middle\": %u}\n",
                static_cast<unsigned long long>(adds), layout.finish(),
                static_cast<unsigned long long>(layout.bytes()), middle);
  });
}

}  // namespace
}  // namespace postern::bench

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: cache_bench LAYOUT tight|fields SOURCE DOCUMENTS\n");
    return 1;
  }
  try {
    postern::bench::run(argv[1], argv[2], argv[3], static_cast<uint32_t>(std::stoul(argv[4])));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cache_bench: %s\n", e.what());
    return 2;
  }
}
