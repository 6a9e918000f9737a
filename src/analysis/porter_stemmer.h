// The Porter stemmer with the two departures of docs/formats/03-analysis.md §5.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::analysis {

// Stems a lower-case word in place and returns its new length, which is never larger. A unit is a
// byte of an ASCII word or a UTF-16 unit; anything but a vowel is a consonant.
size_t porter_stem(uint8_t* word, size_t length);
size_t porter_stem(char16_t* word, size_t length);

}  // namespace postern::analysis
