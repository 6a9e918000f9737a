#include "memory/term_table.h"

#include <vector>

namespace postern::memory {

namespace {

constexpr uint32_t kFirstSlots = 4;

}  // namespace

uint32_t TermTable::insert(const TermKey& key) {
  // A slice of 5 bytes a term in a pool of less than 4 GiB keeps ids below 2^30, so that the table
  // never needs more than 2^31 slots.
  uint32_t id = count();
  if (mask_ == 0 || (uint64_t{id} + 1) * 2 > uint64_t{mask_} + 1) grow_slots();
  states_.reserve(size_t{id} + 1);
  first_slices_.reserve(size_t{id} + 1);
  states_.resize(size_t{id} + 1);
  first_slices_.resize(size_t{id} + 1);
  TermState& state = states_[id];
  store_text(state, key);
  first_slices_[id] = start_stream(*slices_, state);
  state.last_doc_plus_1 = 0;
  state.last_position = 0;
  place(key.hash, id);
  return id;
}

void TermTable::store_text(TermState& state, const TermKey& key) {
  state.length_code = static_cast<uint8_t>(std::min(key.length, kLongTerm));
  if (layout_ == PoolLayout::kInline && key.length <= kInlineBytes) {
    state.text[0] = key.w0;
    state.text[1] = key.w1;
    return;
  }
  uint32_t prefix = key.length >= kLongTerm ? 2 : 0;
  uint32_t address = text_->take(prefix + key.length);
  uint8_t* p = text_->at(address);
  if (prefix != 0) store_le(p, static_cast<uint16_t>(key.length));
  if (key.length != 0) std::memcpy(p + prefix, key.bytes, key.length);
  if (layout_ == PoolLayout::kInline) {
    state.text[0] = key.w0;
    state.text[1] = key.w1 << 32 | address;
  } else {
    state.text[0] = address;
    state.text[1] = 0;
  }
}

void TermTable::grow_slots() {
  size_t slots = mask_ == 0 ? kFirstSlots : (size_t{mask_} + 1) * 2;
  mask_ = 0;
  slots_.assign_zero(slots * sizeof(uint32_t));
  mask_ = static_cast<uint32_t>(slots - 1);
  for (uint32_t id = 0; id < count(); ++id) {
    std::span<const uint8_t> t = text(id);
    auto length = static_cast<uint32_t>(t.size());
    place(hash_term(t.data(), length, load_term_words(t.data(), length), seed_), id);
  }
}

void TermTable::place(uint32_t hash, uint32_t id) {
  uint32_t i = hash & mask_;
  while (slots()[i] != 0) i = (i + 1) & mask_;
  slots()[i] = (hash & ~mask_) | (id + 1);
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
