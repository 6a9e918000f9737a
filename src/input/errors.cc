#include "input/errors.h"

#include <fmt/format.h>

namespace postern::input {

namespace {

std::string message(const Place& place, const std::optional<std::string>& field,
                    const std::string& reason) {
  if (!field) return fmt::format("{}: {}", describe(place), reason);
  return fmt::format("{}, field {}: {}", describe(place), quoted(*field), reason);
}

}  // namespace

std::string describe(const Place& place) {
  return place.line == 0 ? place.file : fmt::format("{} line {}", place.file, place.line);
}

RefusedInput::RefusedInput(Place place, std::optional<std::string> field, std::string reason)
    : InvalidDocument(message(place, field, reason)),
      place_(std::move(place)),
      field_(std::move(field)),
      reason_(std::move(reason)) {}

std::string quoted(std::string_view value) {
  constexpr size_t kLongest = 120;
  const bool cut = value.size() > kLongest;
  if (cut) {
    size_t end = kLongest;
    while (end > kLongest - 4 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
    value = value.substr(0, end);
  }
  std::string out = "\"";
  for (char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
  if (cut) out += "…";
  return out;
}

}  // namespace postern::input
