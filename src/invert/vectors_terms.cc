#include "invert/vectors_terms.h"

#include <cstring>

namespace postern::invert {

// Begins a generation with n slots, all free.
void VectorTerms::use_slots(uint32_t n) {
  size_t old = slots_.size();
  if (n > old) {
    slots_.resize(n);
    std::memset(slots_.data() + old, 0, (n - old) * sizeof(Slot));
  }
  mask_ = n - 1;
  if (++generation_ == 0) {
    std::memset(slots_.data(), 0, slots_.size() * sizeof(Slot));
    generation_ = 1;
  }
}

void VectorTerms::grow() {
  use_slots(mask_ == 0 ? kFirstSlots : 2 * (mask_ + 1));
  for (uint32_t term = 0; term < count(); ++term) {
    uint32_t i = home(terms_[term].id);
    while (slots_[i].generation == generation_) i = (i + 1) & mask_;
    slots_[i] = {generation_, term};
  }
}

void VectorTerms::clear() {
  if (mask_ == 0) return;
  // As many slots as a document like this one needs, so that one large document does not spread
  // the small ones after it over many cache lines.
  uint32_t slots = mask_ + 1;
  while (slots > kFirstSlots && slots / 8 > count()) slots /= 2;
  if (terms_.capacity() > kKeptTerms) {
    terms_.release();
    slots_.release();
    mask_ = 0;
    return;
  }
  terms_.clear();
  use_slots(slots);
}

}  // namespace postern::invert
