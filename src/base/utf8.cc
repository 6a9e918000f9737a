#include "base/utf8.h"

#include <algorithm>

#include "base/bytes.h"

namespace postern {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080ull;

const uint8_t* as_bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

bool is_continuation(uint8_t b) { return (b & 0xC0) == 0x80; }

// Bytes of the well-formed sequence at p (n are left), 0 if there is none.
size_t sequence_length(const uint8_t* p, size_t n) {
  uint8_t lead = p[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (n < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!is_continuation(p[i])) return 0;
  }
  if ((lead == 0xE0 && p[1] < 0xA0) || (lead == 0xF0 && p[1] < 0x90) ||
      (lead == 0xF4 && p[1] > 0x8F)) {
    return 0;
  }
  return length;
}

bool is_surrogate_at(const uint8_t* p) { return p[0] == 0xED && p[1] >= 0xA0; }
bool is_high_surrogate_at(const uint8_t* p) { return p[0] == 0xED && (p[1] & 0xF0) == 0xA0; }
bool is_low_surrogate_at(const uint8_t* p) { return p[0] == 0xED && (p[1] & 0xF0) == 0xB0; }

// Whether the last bytes, [from, size) and fewer than 8, are ASCII. Loads may overlap what is
// before them; a byte there that is not ASCII only makes the answer no.
bool is_ascii_tail(const uint8_t* p, size_t from, size_t size) {
  if (from == size) return true;
  if (size >= 8) return (load_le<uint64_t>(p + size - 8) & kHighBits) == 0;
  if (size >= 4) {
    uint32_t any = load_le<uint32_t>(p) | load_le<uint32_t>(p + size - 4);
    return (any & static_cast<uint32_t>(kHighBits)) == 0;
  }
  return ((p[0] | p[size / 2] | p[size - 1]) & 0x80) == 0;
}

}  // namespace

size_t find_malformed_utf8(std::string_view text) {
  const uint8_t* p = as_bytes(text);
  size_t n = text.size();
  size_t i = 0;
  bool after_high = false;
  while (i < n) {
    while (n - i >= 32) {
      uint64_t any = load_le<uint64_t>(p + i) | load_le<uint64_t>(p + i + 8) |
                     load_le<uint64_t>(p + i + 16) | load_le<uint64_t>(p + i + 24);
      if ((any & kHighBits) != 0) break;
      i += 32;
      after_high = false;
    }
    while (n - i >= 8 && (load_le<uint64_t>(p + i) & kHighBits) == 0) {
      i += 8;
      after_high = false;
    }
    if (n - i < 8 && is_ascii_tail(p, i, n)) return kNoError;
    for (size_t stop = std::min(n, i + 32); i < stop;) {
      size_t length = sequence_length(p + i, n - i);
      if (length == 0) return i;
      if (length == 3) {
        if (after_high && is_low_surrogate_at(p + i)) return i;
        after_high = is_high_surrogate_at(p + i);
      } else {
        after_high = false;
      }
      i += length;
    }
  }
  return kNoError;
}

bool has_surrogates(std::string_view text) {
  for (size_t i = text.find('\xED'); i != std::string_view::npos; i = text.find('\xED', i + 1)) {
    if (i + 1 < text.size() && is_surrogate_at(as_bytes(text) + i)) return true;
  }
  return false;
}

void append_without_surrogates(std::string& out, std::string_view text) {
  size_t done = 0;
  for (size_t i = text.find('\xED'); i != std::string_view::npos; i = text.find('\xED', i + 1)) {
    if (i + 2 < text.size() && is_surrogate_at(as_bytes(text) + i)) {
      out.append(text.substr(done, i - done)).append("\xEF\xBF\xBD");
      done = i + 3;
    }
  }
  out.append(text.substr(done));
}

int compare_utf16_order(std::string_view a, std::string_view b) {
  size_t n = std::min(a.size(), b.size());
  size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  if (i == n) return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
  auto x = static_cast<uint8_t>(a[i]);
  auto y = static_cast<uint8_t>(b[i]);
  // Lead bytes EE and EF are U+E000..U+FFFF, which UTF-16 puts behind the surrogates of F0..F4.
  bool x_high = x >= 0xEE && x <= 0xEF;
  bool y_high = y >= 0xEE && y <= 0xEF;
  if (x >= 0xF0 && y_high) return -1;
  if (y >= 0xF0 && x_high) return 1;
  return x < y ? -1 : 1;
}

size_t utf16_length(std::string_view text) {
  size_t units = 0;
  for (char c : text) {
    auto b = static_cast<uint8_t>(c);
    units += !is_continuation(b);
    units += b >= 0xF0;
  }
  return units;
}

}  // namespace postern
