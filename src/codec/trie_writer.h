// Writes the trie of one field to `.tip` while its terms stream by (docs/formats/31 §6, §8).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "store/index_output.h"

namespace postern::codec {

// The block of a prefix.
struct TrieOutput {
  bool present = false;
  bool has_terms = false;
  uint64_t block_fp = 0;
  std::span<const uint8_t> floor;  // floor data; empty: the block was not split
};

// Nodes are finished from the deepest prefix to the shortest, as a depth-first walk leaves them.
// Node positions are relative to the trie's start.
class TrieWriter {
 public:
  void start(store::IndexOutput& out);
  // Finishes the node of the current prefix of length `depth` > 0, whose last byte is `label`. A
  // node with neither output nor children is dropped.
  void finish_node(uint32_t depth, uint8_t label, const TrieOutput& output);
  // Finishes the root and the trie's padding; returns the root's position.
  uint64_t finish(const TrieOutput& output);
  // Where the trie begins in `.tip`.
  uint64_t start_fp() const { return start_fp_; }

 private:
  struct Child {
    uint32_t parent_depth;
    uint8_t label;
    uint64_t position;
  };

  uint64_t write_node(std::span<const Child> children, const TrieOutput& output);
  void write_leaf(const TrieOutput& output);
  void write_single(const Child& child, uint64_t position, const TrieOutput& output);
  void write_multi(std::span<const Child> children, uint64_t position, const TrieOutput& output);
  std::span<const Child> children_of(uint32_t depth) const;

  store::IndexOutput* out_ = nullptr;
  uint64_t start_fp_ = 0;
  // Written nodes whose parent is open. Only the deepest open node gains children, so those of
  // deeper nodes lie above those of shorter prefixes.
  std::vector<Child> children_;
};

}  // namespace postern::codec
