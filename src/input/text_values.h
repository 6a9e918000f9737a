// Spellings of values: JSON strings and numbers, base64, and numbers as Java's valueOf reads them
// (tests/java/README.md, "JSONL").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "input/scratch.h"

namespace postern::input {

// The text of a JSON string, `body` being what stands between its quotes. WTF-8: an escaped
// surrogate without its other half stays one. Without a backslash the result is `body` itself, else
// it lives in `scratch`. Control characters are not looked for. Throws BadValue.
std::string_view unescape(std::string_view body, Scratch& scratch);

// `text` with unpaired surrogates as U+FFFD (of the same length).
std::string_view without_surrogates(std::string_view text, Scratch& scratch);

// Offset of the first byte that is not UTF-8, kNoError (base/utf8.h) if there is none. Unlike in
// WTF-8, a surrogate written as three bytes is an error.
size_t find_invalid_utf8(std::string_view text);

// Whether `token` is a number in JSON's grammar.
bool is_json_number(std::string_view token);

// Standard alphabet, no white space; the padding may be missing but not be wrong. Throws BadValue.
std::string_view decode_base64(std::string_view text, Scratch& scratch);

// Decimal digits with an optional sign; nullopt when misspelled or out of range.
std::optional<int32_t> parse_int(std::string_view text);
std::optional<int64_t> parse_long(std::string_view text);

// Correctly rounded, directly to their own width; beyond the range ±infinity or ±0. Also NaN,
// Infinity, blanks around, hexadecimal and a suffix f or d, as in Java.
std::optional<float> parse_float(std::string_view text);
std::optional<double> parse_double(std::string_view text);

}  // namespace postern::input
