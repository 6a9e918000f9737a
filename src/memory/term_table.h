// The terms of one field: a hash table of 4-byte slots over one TermState per term
// (docs/hot_path.md §3). Ids are 0, 1, 2, ... in the order in which terms were first added.
//
// Slot: id + 1 in the low bits (as many as the table's size has), high bits of the hash above;
// 0 = empty. At most half of the slots are used; probing is linear; growing walks the states in id
// order, so it reads memory in sequence.
//
// The same class serves the three places where text may live (PoolLayout): state size, slots and
// passes are equal, so that comparing them is fair.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "memory/byte_pool.h"
#include "memory/grow_array.h"
#include "memory/hash.h"
#include "memory/prefetch.h"
#include "memory/slices.h"
#include "memory/term_state.h"
#include "postern/writer.h"

namespace postern::memory {

inline constexpr uint32_t kNoTerm = ~uint32_t{0};

// A term to be looked up. `bytes` has kTermSlack readable bytes behind it.
struct TermKey {
  const uint8_t* bytes;
  uint64_t w0;  // its first 16 bytes, zero padded
  uint64_t w1;
  uint32_t length;
  uint32_t hash;
  uint32_t id;  // a candidate, then the answer

  TermWords words() const { return {w0, w1}; }
};

class TermTable {
 public:
  // The pools must outlive the table. `text` is where text that is not in the state goes.
  TermTable(MemoryCounter& counter, BytePool& slices, BytePool& text, PoolLayout layout,
            uint64_t seed)
      : slices_(&slices),
        text_(&text),
        seed_(seed),
        slots_(counter),
        states_(counter),
        first_slices_(counter),
        layout_(layout) {}

  uint32_t count() const { return static_cast<uint32_t>(states_.size()); }
  PoolLayout layout() const { return layout_; }
  const BytePool& slices() const { return *slices_; }

  // ---- Look-up in steps, so that many terms can be under way at once ----

  // Fills words and hash of a key whose bytes and length are set.
  void prepare(TermKey& key) const {
    TermWords words = load_term_words(key.bytes, key.length);
    key.w0 = words.w0;
    key.w1 = words.w1;
    key.hash = hash_term(key.bytes, key.length, words, seed_);
  }
  void prefetch_slot(const TermKey& key) const { prefetch_read(slots() + (key.hash & mask_)); }
  // The first term whose slot looks like the key's, or kNoTerm if the key is certainly new.
  uint32_t candidate(const TermKey& key) const {
    if (mask_ == 0) return kNoTerm;
    for (uint32_t i = key.hash & mask_;; i = (i + 1) & mask_) {
      uint32_t slot = slots()[i];
      if (slot == 0) return kNoTerm;
      if (((slot ^ key.hash) & ~mask_) == 0) return (slot & mask_) - 1;
    }
  }
  // Whether term `id` is the key.
  template <PoolLayout L>
  bool is(uint32_t id, const TermKey& key) const {
    const TermState& s = states_[id];
    if (s.length_code != std::min(key.length, kLongTerm)) return false;
    if constexpr (L == PoolLayout::kInline) {
      if (s.text[0] != key.w0) return false;
      if (key.length <= kInlineBytes) return s.text[1] == key.w1;
      if (static_cast<uint32_t>(s.text[1] >> 32) != key.hash) return false;
      return equal_long(text_->at(static_cast<uint32_t>(s.text[1])), key);
    } else {
      const uint8_t* p = text_->at(static_cast<uint32_t>(s.text[0]));
      if (key.length > kInlineBytes) return equal_long(p, key);
      TermWords words = load_term_words(p, key.length);
      return ((words.w0 ^ key.w0) | (words.w1 ^ key.w1)) == 0;
    }
  }
  // The key's id; the term is added, with an empty stream, if it is new. The caller has checked
  // that the pools have room for the text and a slice. Throws std::bad_alloc.
  template <PoolLayout L>
  uint32_t find_or_insert(const TermKey& key) {
    uint32_t i = key.hash & mask_;
    if (mask_ != 0) {
      for (; slots()[i] != 0; i = (i + 1) & mask_) {
        uint32_t slot = slots()[i];
        if (((slot ^ key.hash) & ~mask_) != 0) continue;
        uint32_t id = (slot & mask_) - 1;
        if (is<L>(id, key)) return id;
      }
    }
    return insert<L>(key, i);
  }
  // Without adding; kNoTerm if absent.
  uint32_t find(std::span<const uint8_t> term) const;

  // ---- Terms by id ----

  TermState& state(uint32_t id) { return states_[id]; }
  const TermState& state(uint32_t id) const { return states_[id]; }
  uint32_t first_slice(uint32_t id) const { return first_slices_[id]; }
  // Begins a new, empty stream for the term; the old one's bytes stay in the pool unused.
  void restart_stream(uint32_t id) { first_slices_[id] = start_stream(*slices_, states_[id]); }
  // kTermSlack readable bytes follow. Valid until the table grows, or, once no term is added any
  // more, until the pool is reset or the table destroyed.
  std::span<const uint8_t> text(uint32_t id) const {
    const TermState& s = states_[id];
    if (layout_ == PoolLayout::kInline && s.length_code <= kInlineBytes) {
      return {reinterpret_cast<const uint8_t*>(s.text), s.length_code};
    }
    const uint8_t* p =
        text_->at(static_cast<uint32_t>(s.text[layout_ == PoolLayout::kInline ? 1 : 0]));
    if (s.length_code < kLongTerm) return {p, s.length_code};
    return {p + 2, load_le<uint16_t>(p)};
  }

  uint32_t length(uint32_t id) const {
    const TermState& s = states_[id];
    if (s.length_code < kLongTerm) return s.length_code;
    return load_le<uint16_t>(
        text_->at(static_cast<uint32_t>(s.text[layout_ == PoolLayout::kInline ? 1 : 0])));
  }
  // The first eight bytes, zero padded, as a little-endian word.
  uint64_t first_word(uint32_t id) const {
    if (layout_ == PoolLayout::kInline) return states_[id].text[0];
    const std::span<const uint8_t> t = text(id);
    return load_padded(t.data(), t.size());
  }

  template <PoolLayout L>
  POSTERN_PREFETCHING void prefetch_text(uint32_t id) const {
    if constexpr (L != PoolLayout::kInline) {
      prefetch_read(text_->at(static_cast<uint32_t>(states_[id].text[0])));
    }
  }
  POSTERN_PREFETCHING void prefetch_state(uint32_t id) const { prefetch_read(&states_[id]); }
  POSTERN_PREFETCHING void prefetch_first_slice_address(uint32_t id) const {
    prefetch_read(&first_slices_[id]);
  }
  // Text that is not in the state, which should have arrived.
  POSTERN_PREFETCHING void prefetch_text_in_pool(uint32_t id) const {
    const TermState& s = states_[id];
    if (layout_ != PoolLayout::kInline) {
      prefetch_read(text_->at(static_cast<uint32_t>(s.text[0])));
    } else if (s.length_code > kInlineBytes) {
      const uint8_t* p = text_->at(static_cast<uint32_t>(s.text[1]));
      prefetch_read(p);
      prefetch_read(p + s.length_code);
    }
  }
  POSTERN_PREFETCHING void prefetch_first_slice(uint32_t id) const {
    prefetch_read(slices_->at(first_slices_[id]));
  }
  // Of a stream that has one; the first should have arrived.
  POSTERN_PREFETCHING void prefetch_second_slice(uint32_t id) const {
    if (states_[id].level > 0) prefetch_read(slices_->at(next_slice(first_slices_[id], 0)));
  }
  // Likewise; the second should have arrived.
  POSTERN_PREFETCHING void prefetch_third_slice(uint32_t id) const {
    if (states_[id].level > 1)
      prefetch_read(slices_->at(next_slice(next_slice(first_slices_[id], 0), 1)));
  }
  POSTERN_PREFETCHING void prefetch_stream_end(uint32_t id) const {
    prefetch_write(slices_->at(states_[id].head));
  }

  // Ends adding: frees the slots, which take a tenth of a field's memory.
  void drop_slots() {
    slots_.release();
    mask_ = 0;
  }

 private:
  uint32_t next_slice(uint32_t address, uint32_t level) const {
    return load_le<uint32_t>(slices_->at(address + kSliceSize[level] - kSliceLink));
  }
  const uint32_t* slots() const { return reinterpret_cast<const uint32_t*>(slots_.data()); }
  uint32_t* slots() { return reinterpret_cast<uint32_t*>(slots_.data()); }
  static bool differ(const uint8_t* a, const uint8_t* b) {  // 16 bytes
    return ((load_le<uint64_t>(a) ^ load_le<uint64_t>(b)) |
            (load_le<uint64_t>(a + 8) ^ load_le<uint64_t>(b + 8))) != 0;
  }
  // Terms longer than kInlineBytes, the last 16 bytes once more: in line, since most are short.
  static bool equal_long(const uint8_t* p, const TermKey& key) {
    if (key.length >= kLongTerm) {
      if (load_le<uint16_t>(p) != key.length) return false;
      p += 2;
    }
    const uint32_t last = key.length - 16;
    for (uint32_t i = 0; i < last; i += 16) {
      if (differ(p + i, key.bytes + i)) return false;
    }
    return !differ(p + last, key.bytes + last);
  }
  // `slot` is empty, and is where the key belongs.
  template <PoolLayout L>
  uint32_t insert(const TermKey& key, uint32_t slot) {
    // A slice of 5 bytes a term in a pool of less than 4 GiB keeps ids below 2^30, so that the
    // table never needs more than 2^31 slots.
    const uint32_t id = count();
    if (mask_ == 0 || (uint64_t{id} + 1) * 2 > uint64_t{mask_} + 1) [[unlikely]] {
      grow_slots();
      slot = free_slot(key.hash);
    }
    states_.reserve(size_t{id} + 1);
    first_slices_.reserve(size_t{id} + 1);
    states_.resize(size_t{id} + 1);
    first_slices_.resize(size_t{id} + 1);
    TermState& state = states_[id];
    if (L == PoolLayout::kInline && key.length <= kInlineBytes) {
      state.text[0] = key.w0;
      state.text[1] = key.w1;
      state.length_code = static_cast<uint8_t>(key.length);
    } else {
      store_in_pool(state, key);
    }
    first_slices_[id] = start_stream(*slices_, state);
    state.last_doc_plus_1 = 0;
    state.last_position = 0;
    slots()[slot] = (key.hash & ~mask_) | (id + 1);
    return id;
  }
  void store_in_pool(TermState& state, const TermKey& key);
  uint32_t hash_of(uint32_t id) const {
    const TermState& s = states_[id];
    if (layout_ != PoolLayout::kInline || s.length_code > kInlineBytes) {
      return static_cast<uint32_t>(s.text[1] >> 32);
    }
    return hash_term(nullptr, s.length_code, {s.text[0], s.text[1]}, seed_);
  }
  void grow_slots();
  uint32_t free_slot(uint32_t hash) const {
    uint32_t i = hash & mask_;
    while (slots()[i] != 0) i = (i + 1) & mask_;
    return i;
  }

  BytePool* slices_;
  BytePool* text_;
  uint64_t seed_;
  GrowBytes slots_;
  GrowArray<TermState> states_;
  GrowArray<uint32_t> first_slices_;
  uint32_t mask_ = 0;  // slots - 1; 0 = no table yet
  PoolLayout layout_;
};

// Upper bound of the pool bytes that the text of a new term takes.
constexpr uint64_t max_text_bytes(uint32_t length) { return uint64_t{length} + 2; }

}  // namespace postern::memory
