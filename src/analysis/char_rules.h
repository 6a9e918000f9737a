// Maximal runs of accepted code points, cut once they have max_token_length UTF-16 units or more
// (docs/formats/03-analysis.md §5): Lucene's WhitespaceTokenizer and LetterTokenizer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/ascii_first_tokenizer.h"

namespace postern::analysis {

// Kind: kLowerCase, accepts(properties), masks(block).
template <class Kind>
class CharRules {
 public:
  static constexpr bool kLowerCase = Kind::kLowerCase;

  explicit CharRules(uint32_t max_token_length) : max_token_length_(max_token_length) {}

  uint32_t max_token_length() const { return max_token_length_; }
  BlockMasks masks(const uint8_t* block, uint8_t, uint8_t) const { return Kind::masks(block); }
  bool is_token(const uint8_t*, size_t) const { return true; }
  bool is_separator(uint8_t c) const { return c < 0x80 && !Kind::accepts(ascii_properties(c)); }

  Match scan(const uint8_t* begin, const uint8_t* end) const {
    const uint8_t* p = begin;
    size_t units = 0;
    while (p < end && units < max_token_length_) {
      const CodePoint c = decode(p, end);
      if (!Kind::accepts(properties(c.value))) {
        if (p == begin) return {c.bytes, utf16_units(c.value), false};
        break;
      }
      units += utf16_units(c.value);
      p += c.bytes;
    }
    return {static_cast<size_t>(p - begin), units, true};
  }

 private:
  uint32_t max_token_length_;
};

struct NonSpaces {
  static constexpr bool kLowerCase = false;
  static bool accepts(uint8_t properties) { return !is_white_space(properties); }
  static BlockMasks masks(const uint8_t* block) { return best::non_space_masks(block); }
};
struct Letters {
  static constexpr bool kLowerCase = true;
  static bool accepts(uint8_t properties) { return is_letter(properties); }
  static BlockMasks masks(const uint8_t* block) { return best::letter_masks(block); }
};

using WhitespaceRules = CharRules<NonSpaces>;
using LetterRules = CharRules<Letters>;

}  // namespace postern::analysis
