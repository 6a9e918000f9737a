// Reads the trie of one field: from a term to the terms block that would hold it
// (docs/formats/31 §6).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/byte_reader.h"

namespace postern::codec {

class TrieReader {
 public:
  // bytes: the trie without its padding; name, which must outlive the reader: the file's. `bytes`
  // must outlive it too.
  TrieReader(std::span<const uint8_t> bytes, std::string_view name, uint64_t root)
      : bytes_(bytes), name_(name), root_(root) {}

  struct Found {
    uint64_t block_fp;
    bool has_terms;  // false: the block holds no term, so the term does not exist
    size_t depth;    // length of the block's prefix
  };
  // Throws CorruptIndex.
  Found find(std::span<const uint8_t> term) const;
  // The block of the empty prefix, where iteration starts.
  uint64_t root_block() const;

 private:
  struct Node {
    uint64_t position = 0;
    uint32_t kind = 0;
    bool has_output = false;
    bool has_terms = false;
    bool has_floor = false;
    uint64_t block_fp = 0;
    // One child: its label. Several: the smallest.
    uint32_t label = 0;
    uint32_t strategy = 0;
    uint32_t child_count = 0;
    uint32_t delta_bytes = 0;
    std::span<const uint8_t> labels;  // as stored
    size_t deltas = 0;                // where the children's distances are
    size_t floor = 0;                 // where the floor data is
  };

  Node node(uint64_t position) const;
  void read_multi(ByteReader& in, Node& node) const;
  std::optional<uint32_t> child_index(const Node& node, uint32_t label) const;
  std::optional<uint64_t> child(const Node& node, uint32_t label) const;
  Found block_of(const Node& node, size_t depth, std::span<const uint8_t> term) const;

  std::span<const uint8_t> bytes_;
  std::string_view name_;
  uint64_t root_;
};

}  // namespace postern::codec
