// Maximal runs of accepted code points, cut once they have max_token_length UTF-16 units or more
// (docs/formats/03-analysis.md §5): Lucene's WhitespaceTokenizer and LetterTokenizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "analysis/ascii_first_tokenizer.h"

namespace postern::analysis {

// How unpaired surrogates appear in terms.
enum class Surrogates : uint8_t {
  kReplace,  // as U+FFFD
  kKeep,     // as in WTF-8, for a filter that looks further
};

// Kind: kLowerCase, accepts(Character), masks(block).
template <class Kind>
class CharRules {
 public:
  static constexpr bool kLowerCase = Kind::kLowerCase;

  explicit CharRules(uint32_t max_token_length, Surrogates surrogates = Surrogates::kReplace)
      : max_token_length_(max_token_length), surrogates_(surrogates) {}

  uint32_t max_token_length() const { return max_token_length_; }
  BlockMasks masks(const uint8_t* block, uint8_t, uint8_t) const { return Kind::masks(block); }
  bool is_token(const uint8_t*, size_t) const { return true; }
  bool is_separator(uint8_t c) const { return c < 0x80 && !Kind::accepts(Character(c)); }

  Match scan(const uint8_t* begin, const uint8_t* end, uint8_t* to) const {
    const uint8_t* p = begin;
    size_t units = 0;
    while (p < end && units < max_token_length_) {
      const CodePoint c = decode(p, end);
      const Character character(c.value);
      if (!Kind::accepts(character)) {
        if (p == begin) return {c.bytes, utf16_units(c.value), false, to};
        break;
      }
      if (surrogates_ == Surrogates::kKeep && is_surrogate(c.value)) {
        std::memcpy(to, p, 3);
        to += 3;
      } else {
        to = encode(kLowerCase ? character.lower() : c.value, to);
      }
      units += utf16_units(c.value);
      p += c.bytes;
    }
    return {static_cast<size_t>(p - begin), units, true, to};
  }

 private:
  uint32_t max_token_length_;
  Surrogates surrogates_;
};

struct NonSpaces {
  static constexpr bool kLowerCase = false;
  static bool accepts(Character c) { return !c.is_white_space(); }
  static BlockMasks masks(const uint8_t* block) { return best::non_space_masks(block); }
};
struct Letters {
  static constexpr bool kLowerCase = true;
  static bool accepts(Character c) { return c.is_letter(); }
  static BlockMasks masks(const uint8_t* block) { return best::letter_masks(block); }
};

using WhitespaceRules = CharRules<NonSpaces>;
using LetterRules = CharRules<Letters>;

}  // namespace postern::analysis
