// Decodes one chunk of term vectors.
#include <bit>
#include <limits>

#include "codec/block_packed.h"
#include "codec/direct_writer.h"
#include "codec/lz4.h"
#include "codec/term_vectors_reader.h"

namespace postern::codec {
namespace {

constexpr uint64_t kMaxInt = std::numeric_limits<int32_t>::max();

// Sums of lists stay Java ints in any valid file; so no sum here can overflow.
void add_to(uint64_t& sum, uint64_t value, const ByteReader& in, const char* what) {
  if (value > kMaxInt || sum + value > kMaxInt)
    in.fail(std::string("more than 2147483647 ") + what);
  sum += value;
}

uint64_t sum_of(const std::vector<int64_t>& list, const ByteReader& in, const char* what) {
  uint64_t sum = 0;
  for (const int64_t v : list) add_to(sum, static_cast<uint64_t>(v), in, what);
  return sum;
}

void read_blocks(ByteReader& in, uint64_t count, std::vector<int64_t>& out) {
  out.clear();
  read_block_packed(in, count, out);
}

}  // namespace

void TermVectorsChunk::fail(std::string_view file, const std::string& what) {
  throw CorruptIndex(std::string(file) + ": " + what);
}

void TermVectorsChunk::decode(ByteReader& in) {
  doc_base_ = in.read_vint();
  const uint32_t token = in.read_vint();
  documents_ = token >> 1;
  dirty_ = (token & 1) != 0;
  if (documents_ == 0) in.fail("a chunk without documents");
  pairs_.clear();
  read_field_counts(in);
  if (first_pairs_.back() == 0) {
    if (in.remaining() != 0) in.fail("bytes behind a chunk without fields");
    return;
  }
  read_numbers(in);
  read_pairs(in);
  read_terms(in);
  read_content(in);
}

void TermVectorsChunk::read_field_counts(ByteReader& in) {
  std::vector<int64_t> counts;
  if (documents_ == 1) {
    counts.push_back(in.read_vint());
  } else {
    read_block_packed(in, documents_, counts);
  }
  first_pairs_.clear();
  uint64_t sum = 0;
  for (const int64_t count : counts) {
    first_pairs_.push_back(sum);
    add_to(sum, static_cast<uint64_t>(count), in, "fields of documents in a chunk");
  }
  first_pairs_.push_back(sum);
}

void TermVectorsChunk::read_numbers(ByteReader& in) {
  const uint8_t token = in.read_byte();
  const uint32_t width = token & 0x1f;
  uint64_t count = token >> 5;
  if (count == 7) count += in.read_vint();
  ++count;
  if (width == 0) in.fail("field numbers of 0 bits");
  numbers_.clear();
  read_packed(in, count, width, numbers_);
}

// Takes memory only once the bytes are there.
std::vector<uint64_t> TermVectorsChunk::read_direct(ByteReader& in, uint64_t count,
                                                    uint32_t width) {
  if (!is_direct_width(width)) in.fail("an array of " + std::to_string(width) + " bits a value");
  const uint32_t length = in.read_vint();
  if (length != direct_size(count, width))
    in.fail("an array of " + std::to_string(length) + " bytes for " + std::to_string(count) +
            " values of " + std::to_string(width) + " bits");
  const auto bytes = in.read_bytes(length);
  std::vector<uint64_t> values(count);
  for (uint64_t i = 0; i < count; ++i) values[i] = direct_get(bytes.data(), width, i);
  return values;
}

void TermVectorsChunk::read_pairs(ByteReader& in) {
  const uint64_t count = first_pairs_.back();
  const auto places = read_direct(in, count, direct_width(numbers_.size() - 1));
  pairs_.resize(count);
  for (uint64_t i = 0; i < count; ++i) {
    if (places[i] >= numbers_.size())
      in.fail("field " + std::to_string(places[i]) + " of " + std::to_string(numbers_.size()));
    pairs_[i].number = static_cast<uint32_t>(places[i]);  // its place, until read_terms is done
  }
  const uint32_t per_pair = in.read_vint();
  if (per_pair > 1) in.fail("flags in form " + std::to_string(per_pair));
  const auto flags = read_direct(in, per_pair != 0 ? count : numbers_.size(), kVectorFlagsWidth);
  const uint32_t width = in.read_vint();
  const auto terms = read_direct(in, count, width);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Pair& pair = pairs_[i];
    const uint64_t f = flags[per_pair != 0 ? i : pair.number];
    if (f > 7 || (f & (kVectorPayloads | kVectorPositions)) == kVectorPayloads)
      in.fail("flags " + std::to_string(f));
    pair.flags = static_cast<uint8_t>(f);
    pair.terms = terms[i];
    pair.term = sum;
    add_to(sum, terms[i], in, "terms in a chunk");
  }
}

uint64_t TermVectorsChunk::occurrences(const Pair& pair) const {
  uint64_t sum = 0;
  for (uint64_t t = pair.term; t < pair.term + pair.terms; ++t)
    sum += static_cast<uint64_t>(more_freqs_[t]) + 1;
  return sum;
}

void TermVectorsChunk::read_terms(ByteReader& in) {
  const uint64_t terms = pairs_.back().term + pairs_.back().terms;
  read_blocks(in, terms, prefix_lengths_);
  read_blocks(in, terms, suffix_lengths_);
  read_blocks(in, terms, more_freqs_);
  for (uint64_t t = 0; t < terms; ++t) {
    if (prefix_lengths_[t] < 0 || prefix_lengths_[t] > int64_t{kMaxVectorTermBytes} ||
        static_cast<uint64_t>(more_freqs_[t]) >= kMaxInt)
      in.fail("a term with prefix length " + std::to_string(prefix_lengths_[t]) +
              " and frequency " + std::to_string(more_freqs_[t]) + " + 1");
  }
  uint64_t positions = 0, offsets = 0, payloads = 0;
  for (Pair& pair : pairs_) {
    pair.position = positions;
    pair.offset = offsets;
    pair.payload = payloads;
    const uint64_t n = pair.flags != 0 ? occurrences(pair) : 0;
    if ((pair.flags & kVectorPositions) != 0) add_to(positions, n, in, "positions in a chunk");
    if ((pair.flags & kVectorOffsets) != 0) add_to(offsets, n, in, "offsets in a chunk");
    if ((pair.flags & kVectorPayloads) != 0) add_to(payloads, n, in, "payloads in a chunk");
  }
  read_blocks(in, positions, positions_);
  std::span<const uint8_t> slopes;
  if (offsets != 0) slopes = in.read_bytes(numbers_.size() * sizeof(float));
  read_blocks(in, offsets, starts_);
  read_blocks(in, offsets, lengths_);
  read_blocks(in, payloads, payload_lengths_);
  for (Pair& pair : pairs_) {
    if (!slopes.empty())
      pair.slope = std::bit_cast<float>(load_le<uint32_t>(slopes.data() + 4 * pair.number));
    pair.number = numbers_[pair.number];
  }
}

void TermVectorsChunk::read_content(ByteReader& in) {
  uint64_t length = sum_of(suffix_lengths_, in, "bytes of terms in a chunk");
  for (const int64_t n : payload_lengths_)
    add_to(length, static_cast<uint64_t>(n), in, "bytes of terms and payloads in a chunk");
  if (length > in.remaining() * kMaxLz4Expansion)
    in.fail(std::to_string(length) + " bytes of terms and payloads in " +
            std::to_string(in.remaining()));
  content_.resize(length);
  const auto compressed = in.read_bytes(in.remaining());
  if (lz4_decompress(compressed, {content_.data(), length}, 0, in.name()) != compressed.size())
    in.fail("bytes behind a chunk");
  uint64_t at = 0;
  for (uint32_t place = 0; place < documents_; ++place) {
    for (uint64_t i = first_pairs_[place]; i < first_pairs_[place + 1]; ++i) {
      pairs_[i].suffix_bytes = at;
      for (uint64_t t = 0; t < pairs_[i].terms; ++t)
        at += static_cast<uint64_t>(suffix_lengths_[pairs_[i].term + t]);
    }
    for (uint64_t i = first_pairs_[place]; i < first_pairs_[place + 1]; ++i) {
      Pair& pair = pairs_[i];
      pair.payload_bytes = at;
      if ((pair.flags & kVectorPayloads) == 0) continue;
      const uint64_t n = occurrences(pair);
      for (uint64_t k = 0; k < n; ++k)
        at += static_cast<uint64_t>(payload_lengths_[pair.payload + k]);
    }
  }
}

}  // namespace postern::codec
