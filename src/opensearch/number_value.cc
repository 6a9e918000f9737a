#include "opensearch/number_value.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/sortable_bits.h"
#include "opensearch/java_number.h"

namespace postern::opensearch {
namespace {

NumberValue problem(NumberProblem what) { return {.problem = what}; }

NumberValue whole(int64_t value) {
  return {.doc_value = value, .number = static_cast<double>(value)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// [sign] digits, all of `text`. Empty: it is something else; `overflow` says that it is a number
// beyond the type.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view text, bool& overflow) {
  if (text.size() > 1 && text[0] == '+' && is_digit(text[1])) text.remove_prefix(1);
  Integer value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = end == text.data() + text.size();
  overflow = all && ec == std::errc::result_out_of_range;
  if (!all || ec != std::errc{}) return {};
  return value;
}

// A decimal number as Java's BigDecimal takes it: no white space, no suffix.
struct Decimal {
  bool negative = false;
  std::string_view whole{};
  std::string_view fraction{};
  int64_t exponent = 0;
};

size_t leading_digits(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  // What lies beyond makes BigDecimal's own 32 bits overflow.
  constexpr int64_t kLargestExponent = std::numeric_limits<int32_t>::max() - 1;
  Decimal result;
  if (text.empty()) return {};
  result.negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  result.whole = text.substr(0, leading_digits(text));
  text.remove_prefix(result.whole.size());
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    result.fraction = text.substr(0, leading_digits(text));
    text.remove_prefix(result.fraction.size());
  }
  if (result.whole.empty() && result.fraction.empty()) return {};
  if (text.empty()) return result;
  if (text[0] != 'e' && text[0] != 'E') return {};
  text.remove_prefix(1);
  const bool minus = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return {};
  for (const char c : text) {
    if (!is_digit(c)) return {};
    result.exponent = result.exponent * 10 + (c - '0');
    if (result.exponent > kLargestExponent) return {};
  }
  if (minus) result.exponent = -result.exponent;
  return result;
}

// What stands before the point, without the sign. Empty: more than 64 bits.
std::optional<uint64_t> integer_part(const Decimal& decimal) {
  const auto digits = static_cast<int64_t>(decimal.whole.size() + decimal.fraction.size());
  const int64_t places = static_cast<int64_t>(decimal.whole.size()) + decimal.exponent;
  uint64_t value = 0;
  for (int64_t i = 0; i < places; ++i) {
    if (i >= digits && value == 0) break;
    const auto at = static_cast<size_t>(i);
    uint64_t digit = 0;
    if (at < decimal.whole.size()) {
      digit = static_cast<uint64_t>(decimal.whole[at] - '0');
    } else if (i < digits) {
      digit = static_cast<uint64_t>(decimal.fraction[at - decimal.whole.size()] - '0');
    }
    if (__builtin_mul_overflow(value, uint64_t{10}, &value) ||
        __builtin_add_overflow(value, digit, &value)) {
      return {};
    }
  }
  return value;
}

int32_t bits_of(NumberType type) {
  return type == NumberType::kByte ? 8 : type == NumberType::kShort ? 16 : 32;
}

NumberValue narrowed(int64_t value, NumberType type) {
  const int64_t limit = int64_t{1} << (bits_of(type) - 1);
  if (value < -limit || value >= limit) return problem(NumberProblem::kOutOfRange);
  return whole(value);
}

// byte, short and integer. What is not spelled as a whole number is a double first. It is truncated
// before its range is checked, but for a string that is to be a short.
NumberValue parse_small(NumberType type, std::string_view text, bool string, bool coerce) {
  bool overflow = false;
  if (const auto value = parse_integer<int64_t>(text, overflow)) return narrowed(*value, type);
  if (overflow) return problem(NumberProblem::kOutOfRange);
  const std::optional<double> value = parse_java_double(text);
  if (!value) return problem(NumberProblem::kNotANumber);
  if (std::isnan(*value)) return whole(0);  // Java's conversion, and OpenSearch lets it pass
  if (*value < -2147483648.0 || *value > 2147483647.0) return problem(NumberProblem::kOutOfRange);
  if (!coerce && *value != std::trunc(*value)) return problem(NumberProblem::kHasFraction);
  if (string && type == NumberType::kShort && (*value < -32768.0 || *value > 32767.0)) {
    return problem(NumberProblem::kOutOfRange);
  }
  return narrowed(static_cast<int64_t>(*value), type);
}

NumberValue parse_long_number(std::string_view text, bool coerce) {
  bool overflow = false;
  if (const auto value = parse_integer<int64_t>(text, overflow)) return whole(*value);
  if (overflow) return problem(NumberProblem::kOutOfRange);
  constexpr double kEnd = 9223372036854775808.0;
  const std::optional<double> value = parse_java_double(text);
  if (!value) return problem(NumberProblem::kNotANumber);
  if (!(*value >= -kEnd && *value <= kEnd)) return problem(NumberProblem::kOutOfRange);
  if (!coerce && *value != std::trunc(*value)) return problem(NumberProblem::kHasFraction);
  return whole(*value == kEnd ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(*value));
}

NumberValue parse_long_string(std::string_view text) {
  bool overflow = false;
  if (const auto value = parse_integer<int64_t>(text, overflow)) return whole(*value);
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return problem(NumberProblem::kNotANumber);
  const std::optional<uint64_t> value = integer_part(*decimal);
  const uint64_t limit = (uint64_t{1} << 63) - (decimal->negative ? 0 : 1);
  if (!value || *value > limit) return problem(NumberProblem::kOutOfRange);
  return whole(static_cast<int64_t>(decimal->negative ? uint64_t{0} - *value : *value));
}

NumberValue parse_unsigned_long(std::string_view text, bool coerce) {
  bool overflow = false;
  std::optional<uint64_t> value = parse_integer<uint64_t>(text, overflow);
  if (!value) {
    const std::optional<Decimal> decimal = parse_decimal(text);
    if (!decimal) return problem(NumberProblem::kNotANumber);
    value = integer_part(*decimal);
    if (!value || (decimal->negative && *value != 0)) return problem(NumberProblem::kOutOfRange);
    if (!coerce && static_cast<double>(*value) != parse_java_double(text).value_or(0)) {
      return problem(NumberProblem::kHasFraction);
    }
  }
  return {.doc_value = static_cast<int64_t>(*value), .number = static_cast<double>(*value)};
}

// IEEE half precision, to the nearest, ties to even.
uint16_t half_bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t sign = bits >> 16 & 0x8000u;
  uint32_t half = 0;
  if (magnitude >= 0x47800000u) {  // 65536 and more
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // below 2^-14: multiples of 2^-24
    half = static_cast<uint32_t>(std::lrint(std::bit_cast<float>(magnitude) * 0x1p24f));
  } else {
    half = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
  }
  return static_cast<uint16_t>(sign | half);
}

NumberValue half_of(float value) {
  const uint16_t bits = half_bits(value);
  if ((bits & 0x7c00u) == 0x7c00u) return problem(NumberProblem::kNotFinite);
  const auto number = static_cast<int16_t>(bits);
  return {.doc_value = number ^ ((number >> 15) & 0x7fff), .number = value};
}

NumberValue parse_real(NumberType type, std::string_view text, JsonScalar scalar) {
  // A whole number of JSON has no negative zero.
  if (scalar == JsonScalar::kNumber && text == "-0") text.remove_prefix(1);
  if (type == NumberType::kDouble) {
    const std::optional<double> value = parse_java_double(text);
    if (!value) return problem(NumberProblem::kNotANumber);
    if (!std::isfinite(*value)) return problem(NumberProblem::kNotFinite);
    return {.doc_value = sortable_double_bits(*value), .number = *value};
  }
  const std::optional<float> value = parse_java_float(text);
  if (!value) return problem(NumberProblem::kNotANumber);
  if (!std::isfinite(*value)) return problem(NumberProblem::kNotFinite);
  if (type == NumberType::kHalfFloat) return half_of(*value);
  return {.doc_value = sortable_float_bits(*value), .number = *value};
}

}  // namespace

const char* name_of(NumberType type) {
  constexpr const char* kNames[] = {"byte",          "short",      "integer", "long",
                                    "unsigned_long", "half_float", "float",   "double"};
  return kNames[static_cast<size_t>(type)];
}

NumberValue parse_number(NumberType type, std::string_view text, JsonScalar scalar, bool coerce) {
  const bool string = scalar == JsonScalar::kString;
  if (string && !coerce) return problem(NumberProblem::kNotANumber);
  if (string && text.empty()) return problem(NumberProblem::kEmpty);
  switch (type) {
    case NumberType::kByte:
    case NumberType::kShort:
    case NumberType::kInteger:
      return parse_small(type, text, string, coerce);
    case NumberType::kLong:
      return string ? parse_long_string(text) : parse_long_number(text, coerce);
    case NumberType::kUnsignedLong:
      return parse_unsigned_long(text, coerce);
    default:
      return parse_real(type, text, scalar);
  }
}

std::string explain(NumberProblem problem, NumberType type) {
  const std::string name = name_of(type);
  switch (problem) {
    case NumberProblem::kNone:
      return "is a number";
    case NumberProblem::kEmpty:
      return "is empty";
    case NumberProblem::kNotANumber:
      return "is not taken as a number of type " + name;
    case NumberProblem::kHasFraction:
      return "has a fraction, which a field of type " + name + " without coerce does not take";
    case NumberProblem::kOutOfRange:
      return "is out of range for the type " + name;
    case NumberProblem::kNotFinite:
      return "is not a finite number of type " + name;
  }
  return {};
}

size_t point_bytes(NumberType type) {
  switch (type) {
    case NumberType::kHalfFloat:
      return 2;
    case NumberType::kLong:
    case NumberType::kDouble:
      return 8;
    case NumberType::kUnsignedLong:
      return 16;
    default:
      return 4;
  }
}

void pack_point(NumberType type, int64_t doc_value, uint8_t* out) {
  switch (point_bytes(type)) {
    case 2: {
      const auto bits = static_cast<uint32_t>(doc_value) ^ 0x8000u;
      out[0] = static_cast<uint8_t>(bits >> 8);
      out[1] = static_cast<uint8_t>(bits);
      return;
    }
    case 4:
      return pack_int(static_cast<int32_t>(doc_value), out);
    case 8:
      return pack_long(doc_value, out);
    default:  // a number of 128 bits, its sign bit flipped
      std::memset(out, 0, 8);
      out[0] = 0x80;
      store_be64(out + 8, static_cast<uint64_t>(doc_value));
  }
}

}  // namespace postern::opensearch
