#include "input/text_values.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "base/utf8.h"
#include "input/errors.h"

namespace postern::input {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The UTF-16 unit of an escape `\uXXXX` at p, or -1.
int32_t unit_at(const char* p, const char* end) {
  if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return -1;
  int32_t unit = 0;
  for (int i = 2; i < 6; ++i) {
    const int digit = hex_digit(p[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

char* put_code_point(char* out, uint32_t c) {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | (c >> 6));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xE0 | (c >> 12));
    *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | (c >> 18));
    *out++ = static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

// What the letter behind a backslash stands for, 0 if nothing (or `u`).
char meaning_of(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case '"':
    case '\\':
    case '/':
      return letter;
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return 0;
  }
}

// Reads one escape at p (a backslash) and returns where it ends.
const char* put_escape(const char* p, const char* end, char*& out) {
  if (end - p < 2) throw BadValue("a string ends inside an escape");
  if (const char meaning = meaning_of(p[1]); meaning != 0) {
    *out++ = meaning;
    return p + 2;
  }
  const int32_t unit = unit_at(p, end);
  if (unit < 0) {
    throw BadValue(
        "unknown escape " +
        quoted(std::string_view(p, p[1] == 'u' ? std::min<size_t>(6, size_t(end - p)) : 2)));
  }
  p += 6;
  auto code_point = static_cast<uint32_t>(unit);
  if (unit >= 0xD800 && unit < 0xDC00) {
    const int32_t low = unit_at(p, end);
    if (low >= 0xDC00 && low < 0xE000) {
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
      p += 6;
    }
  }
  out = put_code_point(out, code_point);
  return p;
}

// Copies from p up to the next backslash or the end, and moves both on. Escapes stand close
// together in real text, so calls of memchr and memcpy for each would cost more than the bytes.
void copy_to_backslash(const char*& p, const char* end, char*& out) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr ptrdiff_t kWord = sizeof(uint64_t);
  if constexpr (std::endian::native == std::endian::little) {
    while (end - p >= kWord) {
      uint64_t word;
      std::memcpy(&word, p, sizeof word);
      std::memcpy(out, &word, sizeof word);
      // The lowest bit set marks the first byte that equals a backslash.
      const uint64_t differences = word ^ (kOnes * '\\');
      const uint64_t hits = (differences - kOnes) & ~differences & (kOnes * 0x80);
      const ptrdiff_t taken = hits == 0 ? kWord : std::countr_zero(hits) / 8;
      p += taken;
      out += taken;
      if (hits != 0) return;
    }
  }
  while (p < end && *p != '\\') *out++ = *p++;
}

constexpr std::array<int8_t, 256> base64_values() {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
  }
  return values;
}

template <class T>
std::optional<T> parse_integer(std::string_view text) {
  // from_chars knows no plus sign.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Checks digits [. digits] [e [sign] digits]; with digits on at least one side of the point. For
// an out-of-range number `magnitude` is its decimal exponent: above 0 it is too large, else small.
bool is_decimal(std::string_view s, int64_t& magnitude) {
  size_t i = 0;
  int64_t point = 0;   // digits before the point
  int64_t first = -1;  // index among all digits of the first that is not 0
  int64_t digits = 0;
  bool seen_point = false;
  for (; i < s.size(); ++i) {
    if (s[i] == '.' && !seen_point) {
      seen_point = true;
    } else if (s[i] >= '0' && s[i] <= '9') {
      if (first < 0 && s[i] != '0') first = digits;
      ++digits;
      if (!seen_point) ++point;
    } else {
      break;
    }
  }
  if (digits == 0) return false;
  int64_t exponent = 0;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    bool negative = false;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) negative = s[i++] == '-';
    const size_t from = i;
    for (; i < s.size() && s[i] >= '0' && s[i] <= '9'; ++i) {
      exponent = std::min<int64_t>(exponent * 10 + (s[i] - '0'), int64_t{1} << 40);
    }
    if (i == from) return false;
    if (negative) exponent = -exponent;
  }
  magnitude = first < 0 ? std::numeric_limits<int64_t>::min() : point - first + exponent;
  return i == s.size();
}

// 0x digits [. digits] p [sign] digits, as Java demands it; `s` starts behind the 0x.
bool is_hexadecimal(std::string_view s, int64_t& magnitude) {
  const size_t p = s.find_first_of("pP");
  if (p == std::string_view::npos) return false;
  size_t digits = 0;
  bool seen_point = false;
  int64_t point = 0;
  int64_t first = -1;
  for (char c : s.substr(0, p)) {
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    const int digit = hex_digit(c);
    if (digit < 0) return false;
    if (digit != 0 && first < 0) first = static_cast<int64_t>(digits);
    ++digits;
    if (!seen_point) ++point;
  }
  std::string_view exponent_text = s.substr(p + 1);
  if (digits == 0 || exponent_text.empty()) return false;
  const bool negative = exponent_text[0] == '-';
  if (negative || exponent_text[0] == '+') exponent_text.remove_prefix(1);
  if (exponent_text.empty()) return false;
  int64_t exponent = 0;
  for (char c : exponent_text) {
    if (c < '0' || c > '9') return false;
    exponent = std::min<int64_t>(exponent * 10 + (c - '0'), int64_t{1} << 40);
  }
  magnitude = first < 0 ? std::numeric_limits<int64_t>::min()
                        : (point - first) * 4 + (negative ? -exponent : exponent);
  return true;
}

template <class T>
std::optional<T> parse_floating(std::string_view s) {
  while (!s.empty() && static_cast<unsigned char>(s.front()) <= ' ') s.remove_prefix(1);
  while (!s.empty() && static_cast<unsigned char>(s.back()) <= ' ') s.remove_suffix(1);
  bool negative = false;
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) {
    negative = s.front() == '-';
    s.remove_prefix(1);
  }
  const auto signed_value = [negative](T value) { return negative ? -value : value; };
  if (s == "NaN") return std::numeric_limits<T>::quiet_NaN();
  if (s == "Infinity") return signed_value(std::numeric_limits<T>::infinity());
  const bool hexadecimal = s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  if (hexadecimal) s.remove_prefix(2);
  if (!s.empty() && std::string_view("fFdD").find(s.back()) != std::string_view::npos) {
    s.remove_suffix(1);
  }
  int64_t magnitude = 0;
  if (!(hexadecimal ? is_hexadecimal(s, magnitude) : is_decimal(s, magnitude))) return std::nullopt;
  T value{};
  const auto [end, error] =
      std::from_chars(s.data(), s.data() + s.size(), value,
                      hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (error == std::errc::result_out_of_range) {
    value = magnitude > 0 ? std::numeric_limits<T>::infinity() : T{0};
  } else if (error != std::errc() || end != s.data() + s.size()) {
    return std::nullopt;
  }
  return signed_value(value);
}

}  // namespace

std::string_view unescape(std::string_view body, Scratch& scratch) {
  const auto* found = static_cast<const char*>(std::memchr(body.data(), '\\', body.size()));
  if (found == nullptr) return body;
  // No escape is shorter than its meaning in UTF-8, and the padding takes whole words at the end.
  char* const begin = scratch.allocate(body.size());
  const auto head = static_cast<size_t>(found - body.data());
  std::memcpy(begin, body.data(), head);
  char* out = begin + head;
  const char* p = found;
  const char* const end = body.data() + body.size();
  while (p < end) {
    if (*p == '\\') {
      p = put_escape(p, end, out);
    } else {
      copy_to_backslash(p, end, out);
    }
  }
  const auto size = static_cast<size_t>(out - begin);
  scratch.give_back(body.size() - size);
  return {begin, size};
}

std::string_view without_surrogates(std::string_view text, Scratch& scratch) {
  if (!has_surrogates(text)) return text;
  std::string replaced;
  append_without_surrogates(replaced, text);
  char* out = scratch.allocate(replaced.size());
  std::memcpy(out, replaced.data(), replaced.size());
  return {out, replaced.size()};
}

size_t find_invalid_utf8(std::string_view text) {
  const size_t malformed = find_malformed_utf8(text);
  const std::string_view well_formed = text.substr(0, malformed);
  for (size_t i = well_formed.find('\xED'); i != text.npos; i = well_formed.find('\xED', i + 1)) {
    if (i + 1 < well_formed.size() && static_cast<unsigned char>(well_formed[i + 1]) >= 0xA0)
      return i;
  }
  return malformed;
}

bool is_json_number(std::string_view token) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t from = i;
    while (i < token.size() && token[i] >= '0' && token[i] <= '9') ++i;
    return i > from;
  };
  if (i < token.size() && token[i] == '-') ++i;
  if (i < token.size() && token[i] == '0') {
    ++i;
  } else if (!digits()) {
    return false;
  }
  if (i < token.size() && token[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == token.size();
}

std::string_view decode_base64(std::string_view text, Scratch& scratch) {
  static constexpr std::array<int8_t, 256> kValues = base64_values();
  std::string_view body = text;
  size_t padding = 0;
  while (padding < 2 && !body.empty() && body.back() == '=') {
    body.remove_suffix(1);
    ++padding;
  }
  const size_t rest = body.size() % 4;
  if (rest == 1 || (padding != 0 && padding != (4 - rest) % 4)) {
    throw BadValue("bad base64 (wrong length): " + quoted(text));
  }
  char* const begin = scratch.allocate(body.size() / 4 * 3 + 2);
  char* out = begin;
  uint32_t bits = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    const int8_t value = kValues[static_cast<unsigned char>(body[i])];
    if (value < 0)
      throw BadValue("bad base64 (character " + std::to_string(i + 1) + "): " + quoted(text));
    bits = (bits << 6) | static_cast<uint32_t>(value);
    if (i % 4 == 3) {
      *out++ = static_cast<char>(bits >> 16);
      *out++ = static_cast<char>(bits >> 8);
      *out++ = static_cast<char>(bits);
    }
  }
  if (rest == 2) {
    *out++ = static_cast<char>(bits >> 4);
  } else if (rest == 3) {
    *out++ = static_cast<char>(bits >> 10);
    *out++ = static_cast<char>(bits >> 2);
  }
  return {begin, static_cast<size_t>(out - begin)};
}

std::optional<int32_t> parse_int(std::string_view text) { return parse_integer<int32_t>(text); }
std::optional<int64_t> parse_long(std::string_view text) { return parse_integer<int64_t>(text); }
std::optional<float> parse_float(std::string_view text) { return parse_floating<float>(text); }
std::optional<double> parse_double(std::string_view text) { return parse_floating<double>(text); }

}  // namespace postern::input
