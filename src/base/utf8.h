// UTF-8 as it comes from outside, and WTF-8: the same with unpaired UTF-16 surrogates as three
// bytes (ED A0..BF xx), which is how a JSON escape like \ud800 travels through the analyzers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace postern {

inline constexpr size_t kNoError = static_cast<size_t>(-1);

// Offset of the first byte that is not well-formed UTF-8 or an unpaired surrogate; kNoError if all
// is well. A high surrogate directly followed by a low one is malformed: the pair has a four-byte
// form.
size_t find_malformed_utf8(std::string_view text);

// Whether well-formed WTF-8 holds an unpaired surrogate.
bool has_surrogates(std::string_view text);
// Appends `text` with each unpaired surrogate as U+FFFD, as Lucene stores and indexes it.
void append_without_surrogates(std::string& out, std::string_view text);

// Java's order of strings, by UTF-16 units: below zero, zero, above zero. It differs from the order
// of bytes only where a supplementary character meets one of U+E000..U+FFFF.
int compare_utf16_order(std::string_view a, std::string_view b);

// Length in UTF-16 units of well-formed UTF-8 or WTF-8.
size_t utf16_length(std::string_view text);

}  // namespace postern
