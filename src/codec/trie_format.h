// Kinds of trie nodes and of label lists, as their codes in `.tip` (docs/formats/31 §6).
#pragma once

#include <cstdint>

namespace postern::codec {

inline constexpr uint32_t kTrieLeaf = 0;
inline constexpr uint32_t kTrieSingleWithOutput = 1;
inline constexpr uint32_t kTrieSingleNoOutput = 2;
inline constexpr uint32_t kTrieMulti = 3;

inline constexpr uint32_t kTrieReverse = 0;
inline constexpr uint32_t kTrieArray = 1;
inline constexpr uint32_t kTrieBits = 2;

inline constexpr uint32_t kTriePadding = 8;

}  // namespace postern::codec
