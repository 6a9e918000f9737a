#include "codec/trie_reader.h"

#include <algorithm>
#include <bit>

#include "codec/trie_format.h"

namespace postern::codec {
namespace {

uint64_t read_le(ByteReader& in, uint32_t width) {
  uint64_t v = 0;
  auto bytes = in.read_bytes(width);
  for (uint32_t i = 0; i < width; ++i) v |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return v;
}

bool bit(std::span<const uint8_t> bits, uint32_t i) { return bits[i >> 3] >> (i & 7) & 1; }

uint32_t count_bits(std::span<const uint8_t> bits, uint32_t end) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < end >> 3; ++i) n += static_cast<uint32_t>(std::popcount(bits[i]));
  for (uint32_t i = end & ~7u; i < end; ++i) n += bit(bits, i);
  return n;
}

}  // namespace

TrieReader::Node TrieReader::node(uint64_t position) const {
  ByteReader in(bytes_, name_);
  in.seek(position);
  Node node;
  node.position = position;
  uint32_t header = in.read_byte();
  node.kind = header & 3;
  auto read_code = [&](uint32_t width) {
    uint64_t code = read_le(in, width);
    node.has_output = true;
    node.block_fp = code >> 2;
    node.has_terms = code & 2;
    node.has_floor = code & 1;
  };
  if (node.kind == kTrieLeaf) {
    node.has_output = true;
    node.has_terms = header & 0x20;
    node.has_floor = header & 0x40;
    node.block_fp = read_le(in, (header >> 2 & 7) + 1);
  } else if (node.kind != kTrieMulti) {
    node.child_count = 1;
    node.delta_bytes = (header >> 2 & 7) + 1;
    node.label = in.read_byte();
    node.deltas = in.position();
    in.skip(node.delta_bytes);
    if (node.kind == kTrieSingleWithOutput) read_code((header >> 5) + 1);
  } else {
    header |= static_cast<uint32_t>(in.read_le16()) << 8;
    node.label = header >> 16;
    node.strategy = header >> 9 & 3;
    node.delta_bytes = (header >> 2 & 7) + 1;
    if (header & 0x20) read_code((header >> 6 & 7) + 1);
    uint32_t recorded = node.has_floor ? in.read_byte() + 1u : 0;
    node.labels = in.read_bytes((header >> 11 & 31) + 1);
    read_multi(in, node);
    if (recorded != 0 && recorded != node.child_count)
      in.fail("a trie node whose child count is not that of its labels");
    node.deltas = in.position();
    in.skip(uint64_t{node.delta_bytes} * node.child_count);
  }
  node.floor = in.position();
  return node;
}

// The number of children, and that the labels are below 256.
void TrieReader::read_multi(ByteReader& in, Node& node) const {
  uint32_t size = static_cast<uint32_t>(node.labels.size());
  switch (node.strategy) {
    case kTrieBits:
      node.child_count = count_bits(node.labels, 8 * size);
      return;
    case kTrieArray:
      node.child_count = size + 1;
      return;
    case kTrieReverse: {
      uint32_t span = node.labels[0] - node.label + 1;
      if (node.labels[0] < node.label || size - 1 > span)
        in.fail("a trie node whose largest label is below its smallest");
      node.child_count = span - (size - 1);
      return;
    }
    default:
      in.fail("a trie node with an unknown kind of label list");
  }
}

std::optional<uint32_t> TrieReader::child_index(const Node& node, uint32_t label) const {
  if (node.child_count == 0 || label < node.label) return {};
  uint32_t i = label - node.label;
  if (i == 0) return 0;
  if (node.child_count == 1) return {};
  switch (node.strategy) {
    case kTrieBits:
      if (i >= 8 * node.labels.size() || !bit(node.labels, i)) return {};
      return count_bits(node.labels, i);
    case kTrieArray: {
      auto at = std::find(node.labels.begin(), node.labels.end(), label);
      if (at == node.labels.end()) return {};
      return static_cast<uint32_t>(at - node.labels.begin()) + 1;
    }
    default: {
      if (label > node.labels[0]) return {};
      for (uint8_t absent : node.labels.subspan(1)) {
        if (absent == label) return {};
        i -= absent < label;
      }
      return i;
    }
  }
}

std::optional<uint64_t> TrieReader::child(const Node& node, uint32_t label) const {
  std::optional<uint32_t> index = child_index(node, label);
  if (!index) return {};
  ByteReader in(bytes_, name_);
  if (*index >= node.child_count) in.fail("a trie node whose labels do not ascend");
  in.seek(node.deltas + uint64_t{node.delta_bytes} * *index);
  uint64_t delta = read_le(in, node.delta_bytes);
  // Children come before their parents, so every walk ends.
  if (delta == 0 || delta > node.position) in.fail("a trie node that is not behind its child");
  return node.position - delta;
}

TrieReader::Found TrieReader::block_of(const Node& node, size_t depth,
                                       std::span<const uint8_t> term) const {
  Found found{node.block_fp, node.has_terms, depth};
  if (!node.has_floor || depth >= term.size()) return found;
  ByteReader in(bytes_, name_);
  in.seek(node.floor);
  for (uint32_t blocks = in.read_count(); blocks > 0; --blocks) {
    uint32_t lead = in.read_byte();
    uint64_t code = in.read_vlong();
    if (lead > term[depth]) break;
    found.block_fp = node.block_fp + (code >> 1);
    found.has_terms = code & 1;
  }
  return found;
}

TrieReader::Found TrieReader::find(std::span<const uint8_t> term) const {
  Node current = node(root_);
  if (!current.has_output) ByteReader(bytes_, name_).fail("a trie whose root has no block");
  Node best = current;
  size_t depth = 0;
  for (size_t i = 0; i < term.size(); ++i) {
    std::optional<uint64_t> next = child(current, term[i]);
    if (!next) break;
    current = node(*next);
    if (current.has_output) {
      best = current;
      depth = i + 1;
    }
  }
  return block_of(best, depth, term);
}

uint64_t TrieReader::root_block() const { return find({}).block_fp; }

}  // namespace postern::codec
