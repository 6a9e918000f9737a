// Numbers in text as Java's Double.parseDouble and Float.parseFloat take them, which is how
// OpenSearch reads them from strings: white space around them, an optional sign, "NaN",
// "Infinity", decimal or hexadecimal ("0x1.8p3") notation, and a letter f or d at the end.
#pragma once

#include <optional>
#include <string_view>

namespace postern::opensearch {

// Empty: not a number. Too large a number is an infinity, too small a one a zero, with its sign.
// The rounding is that of one conversion, also for float. Allocates nothing.
std::optional<double> parse_java_double(std::string_view text);
std::optional<float> parse_java_float(std::string_view text);

}  // namespace postern::opensearch
