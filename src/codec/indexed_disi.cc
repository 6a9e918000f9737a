#include "codec/indexed_disi.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/checked.h"

namespace postern::codec {
namespace {

constexpr uint32_t kMaxSparse = 4095;
constexpr uint32_t kBlockDocuments = 65536;
constexpr uint32_t kWords = kBlockDocuments / 64;
constexpr uint32_t kSentinelBlock = 32767;

void write_dense(std::span<const uint32_t> docs, store::IndexOutput& out) {
  std::array<uint64_t, kWords> words{};
  for (uint32_t doc : docs) words[doc >> 6 & (kWords - 1)] |= uint64_t{1} << (doc & 63);
  constexpr uint32_t kRankWords = (1u << kDenseRankPower) / 64;
  uint32_t rank = 0;
  for (uint32_t w = 0; w < kWords; ++w) {
    if (w % kRankWords == 0) {
      out.write_byte(static_cast<uint8_t>(rank >> 8));
      out.write_byte(static_cast<uint8_t>(rank));
    }
    rank += static_cast<uint32_t>(std::popcount(words[w]));
  }
  for (uint64_t word : words) out.write_le64(word);
}

struct Jump {
  uint32_t index;
  uint32_t offset;
};

}  // namespace

uint16_t write_indexed_disi(std::span<const uint32_t> docs, store::IndexOutput& out) {
  const uint64_t start = out.file_pointer();
  std::vector<Jump> jumps;  // one per range up to the block about to be written
  auto add_jumps = [&](uint32_t block, size_t index) {
    const Jump jump{static_cast<uint32_t>(index),
                    checked_cast<uint32_t>(out.file_pointer() - start, "bytes of a document set")};
    while (jumps.size() <= block) jumps.push_back(jump);
  };
  for (size_t at = 0; at < docs.size();) {
    const uint32_t block = docs[at] >> 16;
    size_t next = at;
    while (next < docs.size() && docs[next] >> 16 == block) ++next;
    const auto members = docs.subspan(at, next - at);
    add_jumps(block, at);
    out.write_le16(static_cast<uint16_t>(block));
    out.write_le16(static_cast<uint16_t>(members.size() - 1));
    if (members.size() <= kMaxSparse) {
      for (uint32_t doc : members) out.write_le16(static_cast<uint16_t>(doc));
    } else if (members.size() < kBlockDocuments) {
      write_dense(members, out);
    }
    at = next;
  }
  add_jumps(static_cast<uint32_t>(jumps.size()), docs.size());
  out.write_le16(kSentinelBlock);
  out.write_le16(0);
  out.write_le16(0xffff);
  if (jumps.size() == 2) return 0;  // one range needs no table
  for (const Jump& jump : jumps) {
    out.write_le32(jump.index);
    out.write_le32(jump.offset);
  }
  return static_cast<uint16_t>(jumps.size());
}

void write_docs_with_field(std::span<const uint32_t> docs, bool all, uint32_t max_doc,
                           store::IndexOutput& data, store::IndexOutput& meta) {
  const bool full = all || docs.size() == max_doc;
  if (full || docs.empty()) {
    meta.write_le64(
        static_cast<uint64_t>(full ? DocsWithFieldMeta::kAll : DocsWithFieldMeta::kNone));
    meta.write_le64(0);
    meta.write_le16(0xffff);
    meta.write_byte(0xff);
    return;
  }
  const uint64_t start = data.file_pointer();
  const uint16_t jumps = write_indexed_disi(docs, data);
  meta.write_le64(start);
  meta.write_le64(data.file_pointer() - start);
  meta.write_le16(jumps);
  meta.write_byte(kDenseRankPower);
}

DocsWithFieldMeta read_docs_with_field(ByteReader& meta) {
  DocsWithFieldMeta header;
  header.offset = static_cast<int64_t>(meta.read_le64());
  header.length = meta.read_le64();
  header.jump_entries = static_cast<int16_t>(meta.read_le16());
  header.rank_power = static_cast<int8_t>(meta.read_byte());
  if (header.offset < DocsWithFieldMeta::kNone)
    meta.fail("documents with a value at " + std::to_string(header.offset));
  return header;
}

struct IndexedDisi::Block {
  uint32_t number;
  uint32_t cardinality;
  const uint8_t* ranks = nullptr;  // dense, with a rank table
  const uint8_t* body = nullptr;   // of a list or a bit set

  bool sparse() const { return cardinality <= kMaxSparse; }
  bool full() const { return cardinality == kBlockDocuments; }
  bool sentinel() const { return number == kSentinelBlock; }
  uint64_t word(uint32_t w) const { return load_le<uint64_t>(body + 8 * w); }
};

IndexedDisi::IndexedDisi(std::span<const uint8_t> bytes, int16_t jump_entries, int8_t rank_power,
                         std::string_view file)
    : rank_power_(rank_power), file_(file) {
  const size_t jump_bytes = jump_entries > 0 ? size_t{8} * static_cast<size_t>(jump_entries) : 0;
  if (jump_bytes > bytes.size() || jump_entries < 0 ||
      (rank_power != -1 && (rank_power < 7 || rank_power > 15)))
    throw CorruptIndex(std::string(file) + ": a document set of " + std::to_string(bytes.size()) +
                       " bytes with " + std::to_string(jump_entries) +
                       " jump entries and rank power " + std::to_string(rank_power));
  blocks_ = bytes.first(bytes.size() - jump_bytes);
  jumps_ = bytes.last(jump_bytes);
}

IndexedDisi::Block IndexedDisi::read_block(ByteReader& in) const {
  Block block{.number = in.read_le16(), .cardinality = in.read_le16() + 1u};
  if (block.sparse()) {
    block.body = in.read_bytes(2 * block.cardinality).data();
  } else if (!block.full()) {
    if (rank_power_ != -1) block.ranks = in.read_bytes(2 * (kBlockDocuments >> rank_power_)).data();
    block.body = in.read_bytes(8 * kWords).data();
  }
  return block;
}

namespace {

template <class Block>
std::optional<uint32_t> find_in_list(const Block& block, uint16_t doc) {
  uint32_t low = 0, high = block.cardinality;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (load_le<uint16_t>(block.body + 2 * middle) < doc) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == block.cardinality || load_le<uint16_t>(block.body + 2 * low) != doc) return {};
  return low;
}

template <class Block>
std::optional<uint32_t> find_in_bits(const Block& block, uint16_t doc, int8_t rank_power) {
  const uint32_t target = doc >> 6;
  const uint64_t word = block.word(target);
  if ((word >> (doc & 63) & 1) == 0) return {};
  uint32_t rank = 0, w = 0;
  if (block.ranks != nullptr) {
    const uint32_t entry = doc >> rank_power;
    rank = uint32_t{block.ranks[2 * entry]} << 8 | block.ranks[2 * entry + 1];
    w = (entry << rank_power) >> 6;
  }
  for (; w < target; ++w) rank += static_cast<uint32_t>(std::popcount(block.word(w)));
  return rank + static_cast<uint32_t>(std::popcount(word & ((uint64_t{1} << (doc & 63)) - 1)));
}

}  // namespace

std::optional<uint32_t> IndexedDisi::index_of(uint32_t doc) const {
  const uint32_t number = doc >> 16;
  ByteReader in(blocks_, file_);
  uint32_t before = 0;
  if (!jumps_.empty()) {
    const size_t entry = 8 * size_t{number};
    if (entry >= jumps_.size()) return {};
    before = load_le<uint32_t>(jumps_.data() + entry);
    in.seek(load_le<uint32_t>(jumps_.data() + entry + 4));
  }
  for (;;) {
    const Block block = read_block(in);
    if (block.number > number || block.sentinel()) return {};
    if (block.number < number) {
      before += block.cardinality;
      continue;
    }
    const auto low = static_cast<uint16_t>(doc);
    std::optional<uint32_t> place = block.full()     ? std::optional<uint32_t>(low)
                                    : block.sparse() ? find_in_list(block, low)
                                                     : find_in_bits(block, low, rank_power_);
    if (place) *place += before;
    return place;
  }
}

void IndexedDisi::check_jumps() const {
  ByteReader in(blocks_, file_);
  const size_t entries = jumps_.size() / 8;
  size_t entry = 0;
  uint32_t before = 0;
  for (;;) {
    const size_t offset = in.position();
    const Block block = read_block(in);
    // A range without a block shares the entry of the next block; the sentinel has the last one.
    const size_t last = block.sentinel() ? entries : std::min<size_t>(block.number + 1, entries);
    for (; entry < last; ++entry) {
      if (load_le<uint32_t>(jumps_.data() + 8 * entry) != before ||
          load_le<uint32_t>(jumps_.data() + 8 * entry + 4) != offset)
        in.fail("a jump entry of a document set that does not lead to its block");
    }
    if (block.sentinel()) {
      if (in.remaining() != 0) in.fail("bytes behind the sentinel of a document set");
      return;
    }
    uint32_t rank = 0;
    for (uint32_t w = 0; w < kWords && block.ranks != nullptr; ++w) {
      const uint32_t place = w << 6 >> rank_power_;
      if (w << 6 == place << rank_power_ &&
          (uint32_t{block.ranks[2 * place]} << 8 | block.ranks[2 * place + 1]) != rank)
        in.fail("a rank of a document set that is not that of its bits");
      rank += static_cast<uint32_t>(std::popcount(block.word(w)));
    }
    if (block.ranks != nullptr && rank != block.cardinality)
      in.fail("a block of " + std::to_string(block.cardinality) + " documents with " +
              std::to_string(rank) + " bits");
    before += block.cardinality;
  }
}

void IndexedDisi::for_each(const std::function<void(uint32_t doc)>& visitor) const {
  ByteReader in(blocks_, file_);
  int64_t last = -1;
  auto emit = [&](uint32_t doc) {
    if (int64_t{doc} <= last) in.fail("documents out of order at " + std::to_string(doc));
    last = doc;
    visitor(doc);
  };
  for (;;) {
    const Block block = read_block(in);
    if (block.sentinel()) return;
    const uint32_t base = block.number << 16;
    if (block.full()) {
      for (uint32_t i = 0; i < kBlockDocuments; ++i) emit(base | i);
    } else if (block.sparse()) {
      for (uint32_t i = 0; i < block.cardinality; ++i)
        emit(base | load_le<uint16_t>(block.body + 2 * i));
    } else {
      for (uint32_t w = 0; w < kWords; ++w)
        for (uint64_t word = block.word(w); word != 0; word &= word - 1)
          emit(base | w << 6 | static_cast<uint32_t>(std::countr_zero(word)));
    }
  }
}

}  // namespace postern::codec
