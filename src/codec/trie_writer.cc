#include "codec/trie_writer.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/bytes.h"
#include "codec/trie_format.h"

namespace postern::codec {
namespace {

uint32_t byte_width(uint64_t v) { return std::max(1u, (bit_length(v) + 7) / 8); }

// The low `width` bytes of v.
void write_le(store::IndexOutput& out, uint64_t v, uint32_t width) {
  store_le(out.reserve(8), v);
  out.advance(width);
}

uint64_t output_code(const TrieOutput& output) {
  return output.block_fp << 2 | (output.has_terms ? 2u : 0u) | (output.floor.empty() ? 0u : 1u);
}
uint32_t code_width(const TrieOutput& output) { return byte_width(output.block_fp << 2); }

}  // namespace

void TrieWriter::start(store::IndexOutput& out) {
  out_ = &out;
  start_fp_ = out.file_pointer();
  children_.clear();
}

std::span<const TrieWriter::Child> TrieWriter::children_of(uint32_t depth) const {
  size_t first = children_.size();
  while (first > 0 && children_[first - 1].parent_depth == depth) --first;
  return std::span(children_).subspan(first);
}

void TrieWriter::finish_node(uint32_t depth, uint8_t label, const TrieOutput& output) {
  std::span<const Child> children = children_of(depth);
  if (children.empty() && !output.present) return;
  uint64_t position = write_node(children, output);
  children_.resize(children_.size() - children.size());
  children_.push_back({depth - 1, label, position});
}

uint64_t TrieWriter::finish(const TrieOutput& output) {
  std::span<const Child> children = children_of(0);
  assert(output.present && children.size() == children_.size());
  uint64_t position = write_node(children, output);
  children_.clear();
  out_->write_le64(0);  // readers load eight bytes at once
  return position;
}

uint64_t TrieWriter::write_node(std::span<const Child> children, const TrieOutput& output) {
  uint64_t position = out_->file_pointer() - start_fp_;
  if (children.empty()) {
    write_leaf(output);
  } else if (children.size() == 1) {
    write_single(children[0], position, output);
  } else {
    write_multi(children, position, output);
  }
  out_->write_bytes(output.floor);
  return position;
}

void TrieWriter::write_leaf(const TrieOutput& output) {
  uint32_t width = byte_width(output.block_fp);
  out_->write_byte(static_cast<uint8_t>(kTrieLeaf | (width - 1) << 2 |
                                        (output.has_terms ? 0x20u : 0u) |
                                        (output.floor.empty() ? 0u : 0x40u)));
  write_le(*out_, output.block_fp, width);
}

void TrieWriter::write_single(const Child& child, uint64_t position, const TrieOutput& output) {
  uint64_t delta = position - child.position;
  uint32_t width = byte_width(delta);
  uint32_t header = (width - 1) << 2;
  header |= output.present ? kTrieSingleWithOutput | (code_width(output) - 1) << 5
                           : kTrieSingleNoOutput | 7u << 5;
  out_->write_byte(static_cast<uint8_t>(header));
  out_->write_byte(child.label);
  write_le(*out_, delta, width);
  if (output.present) write_le(*out_, output_code(output), code_width(output));
}

void TrieWriter::write_multi(std::span<const Child> children, uint64_t position,
                             const TrieOutput& output) {
  uint32_t low = children.front().label;
  uint32_t high = children.back().label;
  uint32_t count = static_cast<uint32_t>(children.size());
  uint32_t span = high - low + 1;
  uint32_t bits_size = (span + 7) / 8;
  uint32_t array_size = count - 1;
  uint32_t reverse_size = span - count + 1;
  uint32_t strategy = kTrieBits;
  uint32_t size = bits_size;
  if (array_size < size) strategy = kTrieArray, size = array_size;
  if (reverse_size < size) strategy = kTrieReverse, size = reverse_size;

  uint32_t width = byte_width(position - children.front().position);
  uint64_t header = kTrieMulti | (width - 1) << 2 | strategy << 9 | (size - 1) << 11 | low << 16;
  if (output.present) header |= 0x20 | (code_width(output) - 1) << 6;
  write_le(*out_, header, 3);
  if (output.present) {
    write_le(*out_, output_code(output), code_width(output));
    if (!output.floor.empty()) out_->write_byte(static_cast<uint8_t>(count - 1));
  }

  std::array<uint8_t, 32> present{};  // bit per label from the lowest
  for (const Child& child : children) {
    uint32_t i = child.label - low;
    present[i >> 3] = static_cast<uint8_t>(present[i >> 3] | 1u << (i & 7));
  }
  if (strategy == kTrieBits) {
    out_->write(present.data(), size);
  } else if (strategy == kTrieArray) {
    for (const Child& child : children.subspan(1)) out_->write_byte(child.label);
  } else {
    out_->write_byte(static_cast<uint8_t>(high));
    for (uint32_t i = 0; i < span; ++i) {
      if (!(present[i >> 3] >> (i & 7) & 1)) out_->write_byte(static_cast<uint8_t>(low + i));
    }
  }
  for (const Child& child : children) write_le(*out_, position - child.position, width);
}

}  // namespace postern::codec
