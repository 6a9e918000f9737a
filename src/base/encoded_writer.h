// The variable-length and fixed-width encodings of docs/formats/10 §1-2, for anything that takes
// bytes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace postern {

// Derived supplies `uint8_t* reserve(size_t n)` (n <= 16 writable bytes at the end), `void
// advance(size_t n)` (n of them were used) and `void write(const uint8_t*, size_t)`. No virtual
// calls.
template <class Derived>
class EncodedWriter {
 public:
  void write_byte(uint8_t v) {
    *self().reserve(1) = v;
    self().advance(1);
  }
  void write_bytes(std::span<const uint8_t> bytes) { self().write(bytes.data(), bytes.size()); }
  void write_bytes(std::string_view bytes) {
    self().write(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  void write_le16(uint16_t v) { fixed(v); }
  void write_le32(uint32_t v) { fixed(v); }
  void write_le64(uint64_t v) { fixed(v); }
  void write_be32(uint32_t v) { fixed(__builtin_bswap32(v)); }
  void write_be64(uint64_t v) { fixed(__builtin_bswap64(v)); }
  void write_vint(uint32_t v) { write_vlong(v); }
  // Also takes values with the top bit set (zigzag codes), as up to 10 bytes.
  void write_vlong(uint64_t v) {
    uint8_t* p = self().reserve(10);
    size_t n = 0;
    while (v >= 0x80) {
      p[n++] = static_cast<uint8_t>(v | 0x80);
      v >>= 7;
    }
    p[n++] = static_cast<uint8_t>(v);
    self().advance(n);
  }
  void write_zint(int32_t v) { write_vint(zigzag32(v)); }
  void write_zlong(int64_t v) { write_vlong(zigzag64(v)); }
  void write_string(std::string_view utf8) {
    write_vint(static_cast<uint32_t>(utf8.size()));
    write_bytes(utf8);
  }
  template <class Set>
  void write_string_set(const Set& set) {
    write_vint(static_cast<uint32_t>(set.size()));
    for (const auto& s : set) write_string(s);
  }
  template <class Map>
  void write_string_map(const Map& map) {
    write_vint(static_cast<uint32_t>(map.size()));
    for (const auto& [k, v] : map) {
      write_string(k);
      write_string(v);
    }
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  template <class T>
  void fixed(T v) {
    store_le(self().reserve(sizeof v), v);
    self().advance(sizeof v);
  }
};

}  // namespace postern
