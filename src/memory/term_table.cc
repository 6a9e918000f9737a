#include "memory/term_table.h"

#include <array>
#include <vector>

namespace postern::memory {

namespace {

constexpr uint32_t kFirstSlots = 4;
// Terms placed together, so that their slots are fetched at once.
constexpr uint32_t kRehashGroup = 64;

}  // namespace

void TermTable::store_in_pool(TermState& state, const TermKey& key) {
  state.length_code = static_cast<uint8_t>(std::min(key.length, kLongTerm));
  uint32_t prefix = key.length >= kLongTerm ? 2 : 0;
  uint32_t address = text_->take(prefix + key.length);
  uint8_t* p = text_->at(address);
  if (prefix != 0) store_le(p, static_cast<uint16_t>(key.length));
  if (key.length != 0) std::memcpy(p + prefix, key.bytes, key.length);
  if (layout_ == PoolLayout::kInline) {
    state.text[0] = key.w0;
    state.text[1] = uint64_t{key.hash} << 32 | address;
  } else {
    state.text[0] = address;
    state.text[1] = uint64_t{key.hash} << 32;
  }
}

void TermTable::grow_slots() {
  size_t slots = mask_ == 0 ? kFirstSlots : (size_t{mask_} + 1) * 2;
  mask_ = 0;
  slots_.assign_zero(slots * sizeof(uint32_t));
  mask_ = static_cast<uint32_t>(slots - 1);
  std::array<uint32_t, kRehashGroup> hashes;
  for (uint32_t first = 0; first < count(); first += kRehashGroup) {
    const uint32_t n = std::min(kRehashGroup, count() - first);
    for (uint32_t k = 0; k < n; ++k) {
      hashes[k] = hash_of(first + k);
      prefetch_write(this->slots() + (hashes[k] & mask_));
    }
    for (uint32_t k = 0; k < n; ++k)
      this->slots()[free_slot(hashes[k])] = (hashes[k] & ~mask_) | (first + k + 1);
  }
}

uint32_t TermTable::find(std::span<const uint8_t> term) const {
  if (mask_ == 0) return kNoTerm;
  std::vector<uint8_t> padded(term.begin(), term.end());
  padded.resize(term.size() + kTermSlack);
  TermKey key{};
  key.bytes = padded.data();
  key.length = static_cast<uint32_t>(term.size());
  prepare(key);
  for (uint32_t i = key.hash & mask_;; i = (i + 1) & mask_) {
    uint32_t slot = slots()[i];
    if (slot == 0) return kNoTerm;
    if (((slot ^ key.hash) & ~mask_) != 0) continue;
    uint32_t id = (slot & mask_) - 1;
    std::span<const uint8_t> t = text(id);
    if (t.size() == term.size() &&
        (t.empty() || std::memcmp(t.data(), term.data(), t.size()) == 0)) {
      return id;
    }
  }
}

}  // namespace postern::memory
