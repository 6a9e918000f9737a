// Any bytes as term vectors: the reader ends in vectors or in one of its errors. What it accepts,
// the writer writes, and the reader reads that as the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "codec/term_vectors_format.h"
#include "codec/term_vectors_reader.h"
#include "codec/term_vectors_writer.h"
#include "postern/error.h"
#include "sealed_file.h"
#include "store/index_output.h"

using namespace postern;

namespace {

constexpr uint32_t kMaxDoc = 5000;
// A few bytes can stand for many long terms; beyond this an input teaches nothing more.
constexpr uint64_t kMaxTextBytes = 1 << 22;

struct TooMuchText {};

// Header and footer are made right, so that the fuzzer spends its time behind them.
void write_file(Directory& directory, const char* name, const char* codec,
                std::span<const uint8_t> body) {
  store::IndexOutput out(directory, name);
  store::write_index_header(out, codec, codec::kTermVectorsVersion, fuzz::kId, "");
  out.write_bytes(body);
  store::write_footer(out);
  out.close();
}

// Mixes everything a reader says into one number, and hands it on if wanted.
class Digest {
 public:
  explicit Digest(codec::TermVectorsWriter* writer) : writer_(writer) {}

  void start_field(uint32_t number, const TermVectors& flags) {
    mix(number);
    mix(flags.positions | flags.offsets << 1 | flags.payloads << 2);
    if (writer_ != nullptr) writer_->start_field(number, flags);
  }
  void start_term(std::span<const uint8_t> text, uint32_t freq) {
    text_bytes_ += text.size();
    if (text_bytes_ > kMaxTextBytes) throw TooMuchText();
    mix(text);
    mix(freq);
    if (writer_ != nullptr) writer_->start_term(text, freq);
  }
  void add_occurrence(uint32_t position, uint32_t start, uint32_t length,
                      std::span<const uint8_t> payload) {
    mix(position);
    mix(start);
    mix(length);
    mix(payload);
    if (writer_ != nullptr) writer_->add_occurrence(position, start, length, payload);
  }
  uint64_t value = 0;

 private:
  void mix(uint64_t v) { value = (value ^ v) * 0x9e3779b97f4a7c15u + (value >> 29); }
  void mix(std::span<const uint8_t> bytes) {
    mix(bytes.size());
    for (const uint8_t b : bytes) mix(b);
  }

  codec::TermVectorsWriter* writer_;
  uint64_t text_bytes_ = 0;
};

// The digests of all documents; empty if one is corrupt.
std::vector<uint64_t> read_all(const Directory& directory, uint32_t max_doc,
                               codec::TermVectorsWriter* writer) {
  codec::TermVectorsReader reader(directory, "_0", fuzz::kId, max_doc);
  std::vector<uint64_t> digests;
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    try {
      Digest digest(writer);
      if (writer != nullptr) writer->start_document(doc);
      reader.visit(doc, digest);
      if (writer != nullptr) writer->finish_document();
      digests.push_back(digest.value);
    } catch (const CorruptIndex&) {
      return {};
    }
  }
  return digests;
}

}  // namespace

// Input: two lengths of 16 bits, then the bodies of .tvm, .tvx and .tvd. The documents' number
// stands behind two vInts of the first.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  std::span<const uint8_t> rest(data + 4, size - 4);
  auto take = [&](size_t n) {
    const auto part = rest.first(std::min(n, rest.size()));
    rest = rest.subspan(part.size());
    return part;
  };
  const auto meta = take(load_le<uint16_t>(data));
  const auto index = take(load_le<uint16_t>(data + 2));
  const auto directory = memory_directory();
  write_file(*directory, "_0.tvm", codec::kTermVectorsMetaCodec, meta);
  write_file(*directory, "_0.tvx", codec::kTermVectorsIndexCodec, index);
  write_file(*directory, "_0.tvd", codec::kTermVectorsDataCodec, rest);
  try {
    ByteReader in(meta, "_0.tvm");
    in.read_vint();
    in.read_vint();
    const uint32_t max_doc = in.read_le32();
    if (max_doc > kMaxDoc) return 0;
    if (read_all(*directory, max_doc, nullptr).size() != max_doc || max_doc == 0) return 0;
    const auto copy = memory_directory();
    codec::TermVectorsWriter writer({*copy, "_0", fuzz::kId});
    const auto digests = read_all(*directory, max_doc, &writer);
    writer.finish(max_doc);
    if (read_all(*copy, max_doc, nullptr) != digests) std::abort();
  } catch (const CorruptIndex&) {
  } catch (const TooMuchText&) {
  }
  return 0;
}
