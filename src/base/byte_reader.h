// A cursor over bytes that came from outside: every read is checked against the end, and a
// violation is a CorruptIndex that names the file and the position.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "postern/error.h"

namespace postern {

class ByteReader {
 public:
  // `name` must outlive the reader.
  ByteReader(std::span<const uint8_t> bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  size_t position() const { return position_; }
  size_t size() const { return bytes_.size(); }
  size_t remaining() const { return bytes_.size() - position_; }
  std::string_view name() const { return name_; }
  void seek(uint64_t position) {
    if (position > bytes_.size())
      fail("a pointer to byte " + std::to_string(position) + " beyond the end");
    position_ = static_cast<size_t>(position);
  }
  void skip(uint64_t n) { take(n); }

  uint8_t read_byte() { return *take(1); }
  std::span<const uint8_t> read_bytes(uint64_t n) { return {take(n), static_cast<size_t>(n)}; }
  uint16_t read_le16() { return load_le<uint16_t>(take(2)); }
  uint32_t read_le32() { return load_le<uint32_t>(take(4)); }
  uint64_t read_le64() { return load_le<uint64_t>(take(8)); }
  uint32_t read_be32() { return load_be32(take(4)); }
  uint64_t read_be64() { return load_be64(take(8)); }
  uint32_t read_vint() {
    uint32_t v = 0;
    for (uint32_t shift = 0; shift < 35; shift += 7) {
      uint8_t b = read_byte();
      if (shift == 28 && b > 0x0f) break;
      v |= static_cast<uint32_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    fail("a vInt of more than 32 bits");
  }
  // Up to 10 bytes, 64 bits (so it also reads zigzag codes).
  uint64_t read_vlong() {
    uint64_t v = 0;
    for (uint32_t shift = 0; shift < 70; shift += 7) {
      uint8_t b = read_byte();
      if (shift == 63 && b > 1) break;
      v |= static_cast<uint64_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    fail("a vLong of more than 64 bits");
  }
  int32_t read_zint() { return unzigzag32(read_vint()); }
  int64_t read_zlong() { return unzigzag64(read_vlong()); }
  std::string read_string() {
    auto b = read_bytes(read_vint());
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  std::vector<std::string> read_string_set() {
    std::vector<std::string> out;
    for (uint32_t n = read_count(); n > 0; --n) out.push_back(read_string());
    return out;
  }
  std::vector<std::pair<std::string, std::string>> read_string_map() {
    std::vector<std::pair<std::string, std::string>> out;
    for (uint32_t n = read_count(); n > 0; --n) {
      std::string key = read_string();
      out.emplace_back(std::move(key), read_string());
    }
    return out;
  }
  // A vInt that counts items of at least one byte each, so it cannot exceed what is left.
  uint32_t read_count() {
    uint32_t n = read_vint();
    if (n > remaining())
      fail("a count of " + std::to_string(n) + " items in " + std::to_string(remaining()) +
           " bytes");
    return n;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw CorruptIndex(std::string(name_) + ": " + what + " (at byte " + std::to_string(position_) +
                       " of " + std::to_string(bytes_.size()) + ")");
  }

 private:
  const uint8_t* take(uint64_t n) {
    if (n > remaining()) fail("ends too early: " + std::to_string(n) + " more bytes needed");
    const uint8_t* p = bytes_.data() + position_;
    position_ += static_cast<size_t>(n);
    return p;
  }

  std::span<const uint8_t> bytes_;
  std::string_view name_;
  size_t position_ = 0;
};

}  // namespace postern
