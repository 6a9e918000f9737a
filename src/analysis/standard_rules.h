// Word breaks of UAX #29 as Lucene's StandardTokenizer has them, within its window of
// max_token_length UTF-16 units (docs/formats/03-analysis.md §2, §3).
//
// Within ASCII the rules are local. Letters, digits and '_' are words; ' . : join two letters,
// ' . , ; join two digits; a run of '_' alone is no token; all else separates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/ascii_first_tokenizer.h"

namespace postern::analysis {

class StandardRules {
 public:
  static constexpr bool kLowerCase = true;

  explicit StandardRules(uint32_t max_token_length) : max_token_length_(max_token_length) {}

  uint32_t max_token_length() const { return max_token_length_; }

  BlockMasks masks(const uint8_t* block, uint8_t before, uint8_t behind) const {
    const WordMasks found = best::word_masks(block);
    BlockMasks masks{found.words, found.non_ascii};
    const uint64_t after_word = found.words << 1 | uint64_t{is_ascii_word(before)};
    const uint64_t before_word = found.words >> 1 | uint64_t{is_ascii_word(behind)} << 63;
    uint64_t candidates = found.joiners & after_word & before_word;
    while (candidates != 0) {
      const auto i = static_cast<size_t>(std::countr_zero(candidates));
      const uint8_t left = i == 0 ? before : block[i - 1];
      const uint8_t right = i == kBlock - 1 ? behind : block[i + 1];
      if (joins(left, block[i], right)) masks.words |= candidates & (0 - candidates);
      candidates &= candidates - 1;
    }
    const uint64_t before_other = found.non_ascii >> 1 | uint64_t{behind >= 0x80} << 63;
    uint64_t neighbours = before_other & ~masks.words & ~found.non_ascii;
    while (neighbours != 0) {
      const auto i = static_cast<size_t>(std::countr_zero(neighbours));
      const uint64_t bit = neighbours & (0 - neighbours);
      // May belong to one token with what follows.
      const bool attached = block[i] == '#' || block[i] == '*' ||
                            ((found.joiners & bit) != 0 && (after_word & bit) != 0);
      if (attached) masks.words |= bit;
      neighbours &= neighbours - 1;
    }
    return masks;
  }

  bool is_token(const uint8_t* run, size_t length) const {
    if (*run != '_') [[likely]] {
      return true;
    }
    size_t i = 1;
    while (i < length && run[i] == '_') ++i;
    return i < length;
  }

  bool is_separator(uint8_t c) const { return c < 0x80 && Character(c).word_break_class() == 0; }

  // The longest match; its last accepted rule decides.
  Match scan(const uint8_t* begin, const uint8_t* end, uint8_t* to) const {
    Match match{0, 0, false, to};
    const uint8_t* p = begin;
    size_t units = 0;
    uint8_t state = 0;
    while (p < end) {
      const CodePoint c = decode(p, end);
      units += utf16_units(c.value);
      if (units > max_token_length_) break;
      const Character character(c.value);
      state = next_state(state, character.word_break_class());
      if (state == kNoState) break;
      p += c.bytes;
      to = encode(character.lower(), to);
      const Accept accept = accepts(state);
      if (accept != Accept::kNothing) {
        match = {static_cast<size_t>(p - begin), units, accept == Accept::kToken, to};
      }
    }
    return match;
  }

 private:
  static bool joins(uint8_t left, uint8_t joiner, uint8_t right) {
    if (joiner == ',' || joiner == ';') return is_ascii_digit(left) && is_ascii_digit(right);
    if (is_ascii_letter(left)) return is_ascii_letter(right);
    return joiner != ':' && is_ascii_digit(left) && is_ascii_digit(right);
  }

  uint32_t max_token_length_;
};

}  // namespace postern::analysis
