// A number that stands for what a document's vector, or the postings, say of one field: equal
// content gives equal numbers in whatever order the terms come.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace postern::check {

// What both sides know of a field in a document, and so can be compared.
struct Comparable {
  bool freqs = false;
  bool positions = false;
  bool offsets = false;
  bool payloads = false;
  bool occurrences() const { return positions || offsets; }
  bool operator==(const Comparable&) const = default;
};

// Of one term in one document; the digests of its terms are added up.
class TermDigest {
 public:
  static uint64_t of(std::span<const uint8_t> bytes) {
    uint64_t h = 0x9e3779b97f4a7c15 ^ bytes.size();
    size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) h = mix(h ^ load_le<uint64_t>(bytes.data() + i));
    uint64_t rest = 0;
    for (; i < bytes.size(); ++i) rest = rest << 8 | bytes[i];
    return mix(h ^ rest);
  }

  explicit TermDigest(uint64_t term) : value_(term) {}
  void add(uint64_t number) { value_ = mix(value_ + 0x632be59bd9b4e019 + number); }
  void add_occurrence(const Comparable& what, uint32_t position, uint32_t start, uint32_t end,
                      std::span<const uint8_t> payload) {
    if (what.positions) add(position);
    if (what.offsets) add(uint64_t{start} << 32 | end);
    if (what.payloads) add(of(payload));
  }
  uint64_t value() const { return mix(value_); }

 private:
  static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
    return x ^ x >> 32;
  }
  uint64_t value_;
};

}  // namespace postern::check
