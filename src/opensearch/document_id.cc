#include "opensearch/document_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>

#include "input/errors.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr char kNumeric = '\xFE';
constexpr char kUtf8 = '\xFF';
constexpr unsigned kEscapedFrom = 0xFD;  // base64 that would look like another form

constexpr std::array<int8_t, 256> make_digits() {
  std::array<int8_t, 256> digits{};
  digits.fill(-1);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<uint8_t>(kAlphabet[i])] = static_cast<int8_t>(i);
  }
  return digits;
}
constexpr std::array<int8_t, 256> kDigits = make_digits();

unsigned digit(char c) { return static_cast<unsigned>(kDigits[static_cast<uint8_t>(c)]); }

bool is_decimal(std::string_view id) {
  return std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Whether encoding what it decodes to gives the id again: bits of the last character that belong to
// no byte are zero.
bool is_canonical_base64(std::string_view id) {
  const size_t beyond = id.size() % 4;
  if (beyond == 1) return false;
  for (char c : id) {
    if (kDigits[static_cast<uint8_t>(c)] < 0) return false;
  }
  if (beyond == 2) return (digit(id.back()) & 15) == 0;
  if (beyond == 3) return (digit(id.back()) & 3) == 0;
  return true;
}

void append_decimal(std::string& out, std::string_view id) {
  out += kNumeric;
  for (size_t i = 0; i < id.size(); i += 2) {
    const unsigned high = static_cast<unsigned>(id[i] - '0');
    const unsigned low = i + 1 < id.size() ? static_cast<unsigned>(id[i + 1] - '0') : 15;
    out += static_cast<char>(high << 4 | low);
  }
}

void append_decoded(std::string& out, std::string_view id) {
  const size_t start = out.size();
  unsigned bits = 0;
  unsigned have = 0;
  for (char c : id) {
    bits = bits << 6 | digit(c);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have & 255);
  }
  if (static_cast<uint8_t>(out[start]) >= kEscapedFrom) {
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(start), static_cast<char>(kEscapedFrom));
  }
}

std::string base64(std::span<const uint8_t> bytes) {
  std::string text;
  unsigned bits = 0;
  unsigned have = 0;
  for (uint8_t byte : bytes) {
    bits = bits << 8 | byte;
    for (have += 8; have >= 6; have -= 6) text += kAlphabet[bits >> (have - 6) & 63];
  }
  if (have != 0) text += kAlphabet[bits << (6 - have) & 63];
  return text;
}

template <size_t kBytes>
std::string random_text() {
  // Straight from the system: ids made by several processes must not meet.
  thread_local std::random_device device;
  std::array<uint8_t, kBytes> bytes;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(device());
  return base64(bytes);
}

}  // namespace

void append_id_bytes(std::string& out, std::string_view id) {
  if (is_decimal(id)) {
    append_decimal(out, id);
  } else if (is_canonical_base64(id)) {
    append_decoded(out, id);
  } else {
    out += kUtf8;
    out += id;
  }
}

void check_id(std::string_view id) {
  if (id.empty()) throw InvalidDocument("the id is empty");
  if (id.size() <= kLongestId) return;
  throw InvalidDocument(fmt::format("the id has {} bytes, more than {}: {}", id.size(), kLongestId,
                                    input::quoted(id)));
}

std::string random_id() { return random_text<15>(); }
std::string random_uuid() { return random_text<16>(); }

}  // namespace postern::opensearch
