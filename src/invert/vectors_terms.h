// The terms of one field in one document, for its term vector: the second hash table of
// docs/formats/01 §4.2. A term is the id that the field's TermTable gave it, so nothing of the
// shared terms is copied, moved or reset.
#pragma once

#include <cstdint>

#include "memory/grow_array.h"
#include "memory/memory_counter.h"
#include "memory/term_state.h"

namespace postern::invert {

// `stream`: the term's occurrences in the vectors' own pool, in the codes of stream_kind.h without
// the document's. Its text fields are not used.
struct VectorTerm {
  memory::TermState stream;
  uint32_t first_slice;
  uint32_t last_offset;
  uint32_t id;  // in the field's TermTable
  uint32_t freq;
};

// Slots are open addressed with linear probing, at most half of them used. A slot counts only if it
// carries the current generation, so clearing costs nothing however large the table has become.
class VectorTerms {
 public:
  explicit VectorTerms(memory::MemoryCounter& counter) : slots_(counter), terms_(counter) {}

  uint32_t count() const { return static_cast<uint32_t>(terms_.size()); }
  VectorTerm& operator[](uint32_t i) { return terms_[i]; }
  const VectorTerm& operator[](uint32_t i) const { return terms_[i]; }

  // Index of term `id`. A new one is appended, with only its id set.
  uint32_t find_or_add(uint32_t id) {
    if (2 * terms_.size() >= used_slots()) grow();
    for (uint32_t i = home(id);; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.generation != generation_) {
        slot = {generation_, count()};
        terms_.resize(terms_.size() + 1);
        terms_[slot.term].id = id;
        return slot.term;
      }
      if (terms_[slot.term].id == id) return slot.term;
    }
  }

  void clear();

 private:
  struct Slot {
    uint32_t generation;
    uint32_t term;
  };
  static constexpr uint32_t kFirstSlots = 16;
  // Arrays of more terms than this are freed when cleared.
  static constexpr size_t kKeptTerms = size_t{1} << 15;

  uint32_t used_slots() const { return mask_ == 0 ? 0 : mask_ + 1; }
  // Ids of one document are often neighbours: they spread over the whole table.
  uint32_t home(uint32_t id) const {
    return static_cast<uint32_t>((uint64_t{id} * 0x9e3779b97f4a7c15u) >> 32) & mask_;
  }
  void grow();
  void use_slots(uint32_t n);

  memory::GrowArray<Slot> slots_;  // the first mask_ + 1 of them are in use
  memory::GrowArray<VectorTerm> terms_;
  uint32_t generation_ = 0;
  uint32_t mask_ = 0;  // 0 = no table yet
};

}  // namespace postern::invert
