#include "opensearch/java_number.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace postern::opensearch {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_white = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white(text.back())) text.remove_suffix(1);
  return text;
}

bool is_digit(char c, bool hex) {
  const char lower = static_cast<char>(c | 0x20);
  return (c >= '0' && c <= '9') || (hex && lower >= 'a' && lower <= 'f');
}

// digits [. digits] [exponent], from `text`'s begin.
struct Scanned {
  size_t length = 0;  // 0: none
  // Power of the base of the first digit that is not 0, the exponent included; tells numbers that
  // are too large from those that are too small.
  int64_t magnitude = 0;
};

Scanned scan(std::string_view text, bool hex) {
  size_t i = 0;
  size_t digits = 0;
  int64_t whole = 0;  // digits before the point, from the first that is not 0
  int64_t zeros = 0;  // zeros behind the point before such a digit
  bool found = false;
  for (bool point = false; i < text.size(); ++i) {
    if (text[i] == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(text[i], hex)) break;
    ++digits;
    found = found || text[i] != '0';
    if (found && !point) ++whole;
    if (!found && point) ++zeros;
  }
  if (digits == 0) return {};
  Scanned result{i, (whole > 0 ? whole : -zeros) * (hex ? 4 : 1)};
  const char mark = i < text.size() ? static_cast<char>(text[i] | 0x20) : '\0';
  if (mark != (hex ? 'p' : 'e')) return hex ? Scanned{} : result;
  ++i;
  const bool minus = i < text.size() && text[i] == '-';
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  int64_t exponent = 0;
  const size_t first = i;
  for (; i < text.size() && is_digit(text[i], false); ++i) {
    exponent = std::min<int64_t>(exponent * 10 + (text[i] - '0'), 1'000'000'000'000);
  }
  if (i == first) return {};
  result.length = i;
  result.magnitude += minus ? -exponent : exponent;
  return result;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  const bool minus = text.front() == '-';
  if (minus || text.front() == '+') text.remove_prefix(1);
  if (text == "NaN") return std::numeric_limits<T>::quiet_NaN();
  T value = std::numeric_limits<T>::infinity();
  if (text != "Infinity") {
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
    if (hex) text.remove_prefix(2);
    const Scanned number = scan(text, hex);
    if (number.length == 0) return {};
    std::string_view suffix = text.substr(number.length);
    if (suffix.size() > 1) return {};
    if (!suffix.empty() && std::string_view("fFdD").find(suffix[0]) == std::string_view::npos) {
      return {};
    }
    const auto format = hex ? std::chars_format::hex : std::chars_format::general;
    const auto result = std::from_chars(text.data(), text.data() + number.length, value, format);
    if (result.ec == std::errc::result_out_of_range) {
      value = number.magnitude > 0 ? std::numeric_limits<T>::infinity() : T{0};
    } else if (result.ec != std::errc{}) {
      return {};
    }
  }
  return minus ? -value : value;
}

}  // namespace

std::optional<double> parse_java_double(std::string_view text) { return parse<double>(text); }
std::optional<float> parse_java_float(std::string_view text) { return parse<float>(text); }

}  // namespace postern::opensearch
