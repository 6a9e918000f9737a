// Nodes of a trie, hand-made: all kinds, all label lists, pointers of every width.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "codec/trie_format.h"
#include "codec/trie_reader.h"
#include "codec/trie_writer.h"

namespace postern::codec {
namespace {

struct Block {
  uint64_t fp;
  bool has_terms;
};

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A trie of these prefixes (the empty one included), and its bytes without padding.
class TestTrie {
 public:
  explicit TestTrie(const std::map<std::string, Block>& blocks) {
    auto directory = memory_directory();
    {
      store::IndexOutput out(*directory, "trie");
      out.write_bytes(std::string_view("before"));
      TrieWriter writer;
      writer.start(out);
      std::string path;
      for (const auto& [prefix, block] : blocks) {
        close(writer, blocks, path, prefix);
        path = prefix;
      }
      close(writer, blocks, path, "");
      root_ = writer.finish(output(blocks, ""));
      out.close();
    }
    auto file = directory->open("trie");
    bytes_.assign(file->bytes().begin() + 6, file->bytes().end() - kTriePadding);
  }

  TrieReader reader() const { return TrieReader(bytes_, "_0.tip", root_); }
  std::vector<uint8_t>& bytes() { return bytes_; }
  uint64_t root() const { return root_; }

 private:
  static TrieOutput output(const std::map<std::string, Block>& blocks, const std::string& prefix) {
    auto it = blocks.find(prefix);
    if (it == blocks.end()) return {};
    return {true, it->second.has_terms, it->second.fp, {}};
  }
  static void close(TrieWriter& writer, const std::map<std::string, Block>& blocks,
                    std::string path, const std::string& next) {
    while (!next.starts_with(path)) {
      writer.finish_node(static_cast<uint32_t>(path.size()), static_cast<uint8_t>(path.back()),
                         output(blocks, path));
      path.pop_back();
    }
  }

  std::vector<uint8_t> bytes_;
  uint64_t root_ = 0;
};

void expect_found(const std::map<std::string, Block>& blocks) {
  TestTrie trie(blocks);
  TrieReader reader = trie.reader();
  EXPECT_EQ(reader.root_block(), blocks.at("").fp);
  for (const auto& [prefix, block] : blocks) {
    for (const char* more : {"", "\x01", "~tail"}) {
      std::string term = prefix + more;
      if (*more != 0 && blocks.contains(prefix + more[0])) continue;
      auto found = reader.find(bytes_of(term));
      EXPECT_EQ(found.block_fp, block.fp);
      EXPECT_EQ(found.has_terms, block.has_terms);
      EXPECT_EQ(found.depth, prefix.size());
    }
  }
}

TEST(Trie, PointersOfEveryWidthAreFound) {
  std::map<std::string, Block> blocks{{"", {uint64_t{1} << 60, true}}};
  for (uint32_t bits = 0; bits < 62; ++bits) {
    std::string label(1, static_cast<char>('0' + bits));
    blocks[label] = {(uint64_t{1} << bits) - 1, bits % 2 == 0};
    blocks[label + label] = {uint64_t{1} << bits, bits % 3 == 0};
    if (bits % 4 == 0) blocks[label + label + "deep" + label] = {bits, true};
  }
  expect_found(blocks);
}

TEST(Trie, EverySetOfLabelsIsFound) {
  for (uint32_t step : {1u, 2u, 7u, 40u, 100u, 255u}) {
    for (uint32_t first : {0u, 1u, 200u}) {
      for (uint32_t absent : {300u, 7u, 210u}) {
        std::map<std::string, Block> blocks{{"", {5, false}}};
        for (uint32_t label = first; label < 256; label += step) {
          if (label != absent) blocks[std::string(1, static_cast<char>(label))] = {label, true};
        }
        expect_found(blocks);
      }
    }
  }
}

TEST(Trie, TheSmallestLabelListIsWrittenAndBitsWinTies) {
  auto strategy = [](std::initializer_list<int> labels) {
    std::map<std::string, Block> blocks{{"", {5, false}}};
    for (int label : labels) blocks[std::string(1, static_cast<char>(label))] = {1, true};
    TestTrie trie(blocks);
    const uint8_t* node = trie.bytes().data() + trie.root();
    EXPECT_EQ(node[0] & 3u, kTrieMulti);
    return (node[1] >> 1) & 3u;
  };
  EXPECT_EQ(strategy({1, 2}), kTrieBits);                          // one byte each way
  EXPECT_EQ(strategy({1, 200}), kTrieArray);                       // 1, 25 or 199 bytes
  EXPECT_EQ(strategy({1, 9, 17}), kTrieArray);                     // 2 against 3 bytes
  EXPECT_EQ(strategy({1, 9, 10}), kTrieBits);                      // 2 bytes each way
  EXPECT_EQ(strategy({1, 2, 3, 4, 5, 6, 7, 8, 9}), kTrieReverse);  // 1 byte against 2
}

TEST(Trie, APathOfThousandsOfBytesIsFound) {
  std::map<std::string, Block> blocks{{"", {5, true}}};
  for (uint32_t length = 4000; length <= 32000; length += 4000)
    blocks[std::string(length, 'p')] = {length, length % 3 == 0};
  expect_found(blocks);
}

TEST(Trie, AnyByteChangedEndsInAnAnswerOrAnError) {
  std::map<std::string, Block> blocks{{"", {5, true}}};
  for (uint32_t i = 0; i < 200; i += 3)
    blocks[std::string("k").append(1 + i % 4, static_cast<char>(i))] = {i * 1000, true};
  TestTrie trie(blocks);
  uint32_t refused = 0;
  for (size_t at = 0; at < trie.bytes().size(); ++at) {
    for (int flip : {0x01, 0x10, 0x80, 0xff}) {
      const uint8_t good = trie.bytes()[at];
      trie.bytes()[at] = static_cast<uint8_t>(good ^ flip);
      for (const auto& [prefix, block] : blocks) {
        try {
          trie.reader().find(bytes_of(prefix));
        } catch (const CorruptIndex&) {
          ++refused;
        }
      }
      trie.bytes()[at] = good;
    }
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace postern::codec
