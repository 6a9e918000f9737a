#include "opensearch/ip_address.h"

#include <algorithm>

namespace postern::opensearch {
namespace {

// Four numbers of one to three digits, none with a leading zero. Writes 4 bytes.
bool parse_ipv4(std::string_view text, uint8_t* out) {
  size_t i = 0;
  for (int part = 0; part < 4; ++part) {
    if (part != 0 && (i >= text.size() || text[i++] != '.')) return false;
    const size_t first = i;
    uint32_t value = 0;
    while (i < text.size() && i - first < 3 && text[i] >= '0' && text[i] <= '9') {
      value = value * 10 + static_cast<uint32_t>(text[i++] - '0');
    }
    if (i == first || value > 255 || (text[first] == '0' && i - first > 1)) return false;
    out[part] = static_cast<uint8_t>(value);
  }
  return i == text.size();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Hexadecimal digits from `i` on, to 16 bits; leading zeros do not count. Moves `i` behind them.
bool parse_group(std::string_view text, size_t& i, uint8_t* out) {
  const size_t first = i;
  uint32_t value = 0;
  for (int digit = 0; i < text.size() && (digit = hex_digit(text[i])) >= 0; ++i) {
    value = value << 4 | static_cast<uint32_t>(digit);
    if (value > 0xffff) return false;
  }
  out[0] = static_cast<uint8_t>(value >> 8);
  out[1] = static_cast<uint8_t>(value);
  return i != first;
}

bool parse_ipv6(std::string_view text, uint8_t* out) {
  size_t written = 0;   // bytes
  size_t gap = 16 + 1;  // where "::" stands
  size_t i = 0;
  if (text.starts_with("::")) {
    gap = 0;
    i = 2;
  }
  while (i < text.size()) {
    if (written == 16) return false;
    const size_t colon = text.find(':', i);
    if (colon == std::string_view::npos && text.find('.', i) != std::string_view::npos) {
      if (written > 12 || !parse_ipv4(text.substr(i), out + written)) return false;
      written += 4;
      break;
    }
    if (!parse_group(text, i, out + written)) return false;
    written += 2;
    if (i == text.size()) break;
    if (text[i++] != ':' || i == text.size()) return false;
    if (text[i] == ':') {
      if (gap <= 16) return false;
      gap = written;
      ++i;
    }
  }
  if (gap > 16) return written == 16;
  if (written > 14) return false;  // "::" is one group at least
  std::copy_backward(out + gap, out + written, out + 16);
  std::fill(out + gap, out + gap + (16 - written), uint8_t{0});
  return true;
}

}  // namespace

std::optional<std::array<uint8_t, 16>> parse_ip(std::string_view text) {
  std::array<uint8_t, 16> bytes{};
  if (text.find(':') == std::string_view::npos) {
    bytes[10] = bytes[11] = 0xff;
    if (!parse_ipv4(text, bytes.data() + 12)) return {};
    return bytes;
  }
  // A zone says where the address is reached from; it is no part of the value.
  const size_t zone = text.find('%');
  if (zone != std::string_view::npos) {
    if (zone + 1 == text.size() || text.substr(0, zone).find('.') != std::string_view::npos) {
      return {};
    }
    text = text.substr(0, zone);
  }
  if (!parse_ipv6(text, bytes.data())) return {};
  return bytes;
}

}  // namespace postern::opensearch
