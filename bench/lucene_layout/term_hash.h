// Lucene's term hash: open addressing over term ids, the text in a byte pool (docs/formats/01 §2.3,
// §3).
//
//   slot  | term id | the hash's bits above the table's mask |     -1 = empty, load <= 50 %
//   text  | length: 1 byte, or 2 big-endian with the top bit set | bytes |     within one block
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lucene_layout/block_pools.h"
#include "lucene_layout/murmur3.h"
#include "postern/error.h"

namespace postern::lucene_layout {

using TermBytes = std::span<const uint8_t>;

// The text stored at `address` of a term pool.
inline TermBytes text_at(const BytePool& pool, uint32_t address) {
  const uint8_t* p = pool.at(address);
  if (p[0] < 0x80) return {p + 1, p[0]};
  return {p + 2, static_cast<size_t>(p[0] & 0x7f) << 8 | p[1]};
}

class TermHash {
 public:
  static constexpr uint32_t kEmpty = ~0u;
  static constexpr uint32_t kMaxTermBytes = BytePool::kBlockSize - 2;

  // What add returns: a new id, or the one the term already has.
  struct Added {
    uint32_t id;
    bool is_new;
  };

  // `text_starts` has at least size() + 1 elements whenever add is called: the caller keeps it
  // among its parallel arrays and `grow` makes room. Both outlive the hash.
  TermHash(BytePool& pool, RamCounter& counter, uint32_t seed = 0x9747b28c)
      : pool_(pool), counter_(counter), seed_(seed), slots_(kInitialSlots, kEmpty) {
    counter_.bytes += slots_.size() * 4;
  }
  ~TermHash() { counter_.bytes -= slots_.size() * 4; }
  TermHash(const TermHash&) = delete;
  TermHash& operator=(const TermHash&) = delete;

  uint32_t size() const { return size_; }
  size_t slot_count() const { return slots_.size(); }

  // `grow(n)` is called before a new id is given out and must leave text_starts with more than n
  // elements. Throws InvalidArgument for a term above kMaxTermBytes, with nothing changed, and
  // LimitExceeded when the pool is full.
  template <class Grow>
  Added add(TermBytes term, std::vector<uint32_t>& text_starts, Grow&& grow) {
    uint32_t hash = murmur3(term, seed_);
    uint32_t slot = slot_of(term, hash, text_starts);
    if (slots_[slot] != kEmpty) return {slots_[slot] & mask_, false};
    check_length(term.size());
    uint32_t id = size_;
    grow(id);
    text_starts[id] = store(term);
    insert(slot, id, hash,
           [&](uint32_t i) { return murmur3(text_at(pool_, text_starts[i]), seed_); });
    return {id, true};
  }

  // Same table, but terms are told apart by the address of their text alone (for the chained hash
  // of the term vectors). A hash is filled either this way or by text.
  template <class Grow>
  Added add_by_pool_offset(uint32_t address, std::vector<uint32_t>& text_starts, Grow&& grow) {
    uint32_t slot = address & mask_;
    while (slots_[slot] != kEmpty && text_starts[slots_[slot]] != address)
      slot = (slot + 1) & mask_;
    if (slots_[slot] != kEmpty) return {slots_[slot], false};
    uint32_t id = size_;
    grow(id);
    text_starts[id] = address;
    bare_ids_ = true;
    insert(slot, id, 0, [&](uint32_t i) { return text_starts[i]; });
    return {id, true};
  }

  // The term's id, kEmpty if it is not there.
  uint32_t find(TermBytes term, const std::vector<uint32_t>& text_starts) const {
    uint32_t entry = slots_[slot_of(term, murmur3(term, seed_), text_starts)];
    return entry == kEmpty ? kEmpty : entry & mask_;
  }

  // Moves the ids, each once, to the front of the table and returns the table; only its first
  // size() elements are ids. The hash cannot be used again until clear.
  std::vector<uint32_t>& compact() {
    uint32_t n = 0;
    for (uint32_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i] == kEmpty) continue;
      uint32_t id = slots_[i] & mask_;
      slots_[i] = kEmpty;
      slots_[n++] = id;
    }
    return slots_;
  }

  // Forgets the terms (the pool is the caller's) and shrinks the table to what was needed last.
  void clear() {
    size_t slots = slots_.size();
    while (slots >= 8 && slots / 4 > size_) slots /= 2;
    counter_.bytes -= (slots_.size() - slots) * 4;
    slots_.assign(slots, kEmpty);
    slots_.shrink_to_fit();
    mask_ = static_cast<uint32_t>(slots - 1);
    size_ = 0;
  }

 private:
  static constexpr uint32_t kInitialSlots = 4;

  static void check_length(size_t bytes) {
    if (bytes > kMaxTermBytes) {
      throw InvalidArgument("a term of " + std::to_string(bytes) + " bytes exceeds the limit of " +
                            std::to_string(kMaxTermBytes));
    }
  }

  // The slot that holds the term or, empty, would take it.
  uint32_t slot_of(TermBytes term, uint32_t hash, const std::vector<uint32_t>& text_starts) const {
    uint32_t slot = hash & mask_;
    uint32_t high = hash & ~mask_;
    for (uint32_t entry; (entry = slots_[slot]) != kEmpty; slot = (slot + 1) & mask_) {
      if ((entry & ~mask_) != high) continue;
      TermBytes text = text_at(pool_, text_starts[entry & mask_]);
      if (text.size() == term.size() &&
          (term.empty() || std::memcmp(text.data(), term.data(), term.size()) == 0)) {
        break;
      }
    }
    return slot;
  }

  // A term never crosses a block. Room is asked for two length bytes even where one will do.
  uint32_t store(TermBytes term) {
    auto length = static_cast<uint32_t>(term.size());
    uint32_t prefix = length < 0x80 ? 1 : 2;
    uint32_t address = pool_.allocate(prefix + length, 2 + length);
    uint8_t* p = pool_.at(address);
    if (prefix == 1) {
      *p++ = static_cast<uint8_t>(length);
    } else {
      *p++ = static_cast<uint8_t>(0x80 | length >> 8);
      *p++ = static_cast<uint8_t>(length);
    }
    if (length > 0) std::memcpy(p, term.data(), length);
    return address;
  }

  template <class HashOf>
  void insert(uint32_t slot, uint32_t id, uint32_t hash, HashOf&& hash_of) {
    slots_[slot] = bare_ids_ ? id : id | (hash & ~mask_);
    if (++size_ == slots_.size() / 2) double_table(hash_of);
  }

  template <class HashOf>
  void double_table(HashOf&& hash_of) {
    std::vector<uint32_t> bigger(slots_.size() * 2, kEmpty);
    counter_.bytes += slots_.size() * 4;
    auto mask = static_cast<uint32_t>(bigger.size() - 1);
    for (uint32_t entry : slots_) {
      if (entry == kEmpty) continue;
      uint32_t id = entry & mask_;
      uint32_t hash = hash_of(id);
      uint32_t slot = hash & mask;
      while (bigger[slot] != kEmpty) slot = (slot + 1) & mask;
      bigger[slot] = bare_ids_ ? id : id | (hash & ~mask);
    }
    slots_.swap(bigger);
    mask_ = mask;
  }

  BytePool& pool_;
  RamCounter& counter_;
  uint32_t seed_;
  bool bare_ids_ = false;  // filled by pool offset: slots carry no hash bits
  uint32_t mask_ = kInitialSlots - 1;
  uint32_t size_ = 0;
  std::vector<uint32_t> slots_;
};

}  // namespace postern::lucene_layout
