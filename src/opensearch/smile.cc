#include "opensearch/smile.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace postern::opensearch {

SmileWriter::SmileWriter() : out_(":)\n\x04") {}

SmileWriter& SmileWriter::key(std::string_view utf8) {
  if (utf8.empty()) {
    out_ += '\x20';
  } else {
    out_ += '\x34';
    out_ += utf8;
    out_ += '\xFC';
  }
  return *this;
}

void SmileWriter::text(std::string_view utf8) {
  if (utf8.empty()) {
    out_ += '\x20';
    return;
  }
  out_ += '\xE4';
  out_ += utf8;
  out_ += '\xFC';
}

void SmileWriter::number(int64_t value) {
  const bool wide = value != static_cast<int32_t>(value);
  out_ += wide ? '\x25' : '\x24';
  varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

void SmileWriter::real(double value) {
  out_ += '\x29';
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int shift = 63; shift >= 0; shift -= 7) out_ += static_cast<char>(bits >> shift & 0x7F);
}

void SmileWriter::bytes(std::string_view bytes) {
  out_ += '\xFD';
  varint(bytes.size());
  out_ += bytes;
}

void SmileWriter::value(const input::JsonNode& node) {
  using Type = input::JsonNode::Type;
  switch (node.type) {
    case Type::kNull:
      return null();
    case Type::kBoolean:
      return boolean(node.text == "true");
    case Type::kString:
      return text(node.text);
    case Type::kNumber: {
      int64_t whole = 0;
      const char* const end = node.text.data() + node.text.size();
      const auto [stop, error] = std::from_chars(node.text.data(), end, whole);
      if (error == std::errc() && stop == end) return number(whole);
      return real(std::strtod(node.text.c_str(), nullptr));
    }
    case Type::kArray:
      begin_array();
      for (const input::JsonNode& item : node.items) value(item);
      return end_array();
    case Type::kObject:
      begin_object();
      for (size_t i = 0; i < node.items.size(); ++i) key(node.keys[i]).value(node.items[i]);
      return end_object();
  }
}

void SmileWriter::varint(uint64_t value) {
  char groups[11];
  size_t n = sizeof groups;
  groups[--n] = static_cast<char>(0x80 | (value & 0x3F));
  for (value >>= 6; value != 0; value >>= 7) groups[--n] = static_cast<char>(value & 0x7F);
  out_.append(groups + n, sizeof groups - n);
}

}  // namespace postern::opensearch
