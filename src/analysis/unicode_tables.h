// Character properties and the word-break automaton (docs/formats/03-analysis.md §2, §4, §5),
// generated into unicode_tables.cc. Code points are 0 .. 0x10FFFF, surrogates included.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::analysis {

namespace tables {
extern const uint8_t kTransitions[];   // [state * 32 + class] -> state
extern const uint8_t kAccepts[];       // [state] -> Accept
extern const uint8_t kFinal[];         // [state] -> 1 if no transition leaves it
extern const uint8_t kPropertyPage[];  // [code point / 128] -> page
extern const uint8_t kProperties[];    // [page * 128 + code point % 128]; page 0 is ASCII
extern const uint8_t kLowerPage[];
extern const int32_t kLowerDelta[];   // lower case minus code point
extern const uint16_t kDigitZeros[];  // ascending; each starts a run of ten digits
extern const size_t kDigitZeroCount;
}  // namespace tables

enum class Accept : uint8_t { kNothing, kSkip, kToken };

inline constexpr uint8_t kNoState = 255;

inline uint8_t properties(uint32_t code_point) {
  return tables::kProperties[size_t{tables::kPropertyPage[code_point >> 7]} << 7 |
                             (code_point & 127)];
}
inline uint8_t ascii_properties(uint8_t c) { return tables::kProperties[c]; }

// From properties(): the word-break class (0 = Other), Java's isLetter and isWhitespace.
inline uint8_t word_break_class(uint8_t properties) { return properties & 31; }
inline bool is_letter(uint8_t properties) { return (properties & 0x20) != 0; }
inline bool is_white_space(uint8_t properties) { return (properties & 0x40) != 0; }

inline uint8_t next_state(uint8_t state, uint8_t word_break_class) {
  return tables::kTransitions[size_t{state} << 5 | word_break_class];
}
inline Accept accepts(uint8_t state) { return static_cast<Accept>(tables::kAccepts[state]); }
inline bool is_final(uint8_t state) { return tables::kFinal[state] != 0; }

// The simple mapping, without locale or context.
inline uint32_t to_lower(uint32_t code_point) {
  const size_t page = tables::kLowerPage[code_point >> 7];
  return code_point + static_cast<uint32_t>(tables::kLowerDelta[page << 7 | (code_point & 127)]);
}

// Java's Character.digit(c, 10) of a UTF-16 unit: 0 .. 9, or -1.
int digit_value(uint32_t unit);

}  // namespace postern::analysis
