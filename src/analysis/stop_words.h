// A set of words that is asked about every token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace postern::analysis {

class StopWords {
 public:
  // UTF-8; compared byte by byte with the (lower-cased) terms.
  explicit StopWords(std::vector<std::string> words);

  // Eight bytes at `term` must be readable, as they are in every token.
  bool contains(const uint8_t* term, size_t length) const {
    const uint64_t head = head_of(term, length);
    for (size_t i = hash(head, length);; ++i) {
      const Slot& slot = slots_[i & mask_];
      if (slot.word == kEmpty) return false;
      if (slot.head == head && slot.length == length &&
          (length <= sizeof head || std::memcmp(words_[slot.word].data(), term, length) == 0)) {
        return true;
      }
    }
  }

 private:
  static constexpr uint32_t kEmpty = 0xFFFFFFFF;

  struct Slot {
    uint64_t head = 0;
    uint32_t length = 0;
    uint32_t word = kEmpty;  // in words_
  };

  // The first eight bytes, those behind the word zero.
  static uint64_t head_of(const uint8_t* term, size_t length) {
    const uint64_t head = load_le<uint64_t>(term);
    return length >= 8 ? head : head & ((uint64_t{1} << (8 * length)) - 1);
  }
  size_t hash(uint64_t head, size_t length) const {
    return static_cast<size_t>((head + length) * 0x9E3779B97F4A7C15u >> 32);
  }

  std::vector<std::string> words_;
  std::vector<Slot> slots_;  // open addressing, at most half full
  size_t mask_ = 0;
};

}  // namespace postern::analysis
