// A set of words that is asked about every token.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace postern::analysis {

class StopWords {
 public:
  StopWords() = default;
  // UTF-8; compared byte by byte with the (lower-cased) terms.
  explicit StopWords(std::vector<std::string> words);

  bool empty() const { return words_.empty(); }
  bool contains(std::string_view term) const {
    return possible_[signature(term)] && words_.contains(term);
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  // Most terms differ from every stop word in their length or first byte.
  static size_t signature(std::string_view term) {
    const size_t first = term.empty() ? 0 : static_cast<uint8_t>(term.front());
    return (term.size() & 7) << 8 | first;
  }

  std::unordered_set<std::string, Hash, std::equal_to<>> words_;
  std::bitset<2048> possible_;
};

}  // namespace postern::analysis
