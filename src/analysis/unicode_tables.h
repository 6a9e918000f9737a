// Character properties and the word-break automaton (docs/formats/03-analysis.md §2, §4, §5),
// generated into unicode_tables.cc. Code points are 0 .. 0x10FFFF, surrogates included.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::analysis {

namespace tables {
extern const uint8_t kTransitions[];  // [state * 32 + class] -> state
extern const uint8_t kAccepts[];      // [state] -> Accept
extern const uint8_t kFinal[];        // [state] -> 1 if no transition leaves it
extern const uint8_t kPages[];        // [code point / 128] -> page; page 0 is ASCII
extern const int32_t kCharacters[];   // [page * 128 + code point % 128], see Character
extern const uint16_t kDigitZeros[];  // ascending; each starts a run of ten digits
extern const size_t kDigitZeroCount;
}  // namespace tables

enum class Accept : uint8_t { kNothing, kSkip, kToken };

inline constexpr uint8_t kNoState = 255;

// What is known of one code point. Bits 0-4: word-break class, 5: letter, 6: white space, from 8:
// lower case minus code point.
class Character {
 public:
  explicit Character(uint32_t code_point) : code_point_(code_point) {
    const size_t page = tables::kPages[code_point >> 7];
    bits_ = tables::kCharacters[page << 7 | (code_point & 127)];
  }

  // 0 is Other.
  uint8_t word_break_class() const { return bits_ & 31; }
  // Java's isLetter, isWhitespace, and toLowerCase: the simple mapping, without locale or context.
  bool is_letter() const { return (bits_ & 0x20) != 0; }
  bool is_white_space() const { return (bits_ & 0x40) != 0; }
  uint32_t lower() const { return code_point_ + static_cast<uint32_t>(bits_ >> 8); }

 private:
  uint32_t code_point_;
  int32_t bits_;
};

inline uint8_t next_state(uint8_t state, uint8_t word_break_class) {
  return tables::kTransitions[size_t{state} << 5 | word_break_class];
}
inline Accept accepts(uint8_t state) { return static_cast<Accept>(tables::kAccepts[state]); }
inline bool is_final(uint8_t state) { return tables::kFinal[state] != 0; }

// Java's Character.digit(c, 10) of a UTF-16 unit: 0 .. 9, or -1.
int digit_value(uint32_t unit);

}  // namespace postern::analysis
