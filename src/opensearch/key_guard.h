// Whether an object of a JSON document has a key twice, which OpenSearch refuses wherever it
// stands.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace postern::opensearch {

// Keeps its memory between documents.
class KeyGuard {
 public:
  // Forgets everything. Keys must live until then.
  void start() {
    used_ = 0;
    objects_ = 0;
    if (slots_.size() > kKeep) slots_.clear();
    if (++stamp_ == 0) {  // every 2^32 documents
      std::ranges::fill(slots_, Slot{});
      stamp_ = 1;
    }
  }

  // A number for an object of the document.
  uint32_t open() { return ++objects_; }

  // False: the object has had the key. `hash` = hash_name(key).
  bool insert(uint32_t object, std::string_view key, uint64_t hash) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    const uint64_t mixed = mix(hash, object);
    const size_t mask = slots_.size() - 1;
    size_t at = mixed & mask;
    for (; slots_[at].stamp == stamp_; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.object == object && slot.key == key) return false;
    }
    slots_[at] = {key, mixed, object, stamp_};
    ++used_;
    return true;
  }

 private:
  static constexpr size_t kKeep = size_t{1} << 16;

  struct Slot {
    std::string_view key{};
    uint64_t hash = 0;
    uint32_t object = 0;
    uint32_t stamp = 0;  // in use if it is the document's
  };

  static uint64_t mix(uint64_t hash, uint32_t object) {
    const uint64_t product = (hash ^ object) * 0x9E3779B97F4A7C15;
    return product ^ (product >> 32);
  }

  void grow() {
    std::vector<Slot> old(std::max<size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.stamp != stamp_) continue;
      size_t at = slot.hash & mask;
      while (slots_[at].stamp == stamp_) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half full
  size_t used_ = 0;
  uint32_t objects_ = 0;
  uint32_t stamp_ = 0;
};

}  // namespace postern::opensearch
