#include "check/vector_walk.h"

#include <algorithm>

#include "postern/error.h"

namespace postern::check {

Comparable comparable(const TermVectors& flags, const codec::FieldInfo& field) {
  Comparable what;
  what.freqs = field.has_freqs();
  what.positions = flags.positions && field.has_positions();
  what.offsets = flags.offsets && field.has_offsets();
  what.payloads = what.positions && flags.payloads && field.payloads;
  return what;
}

uint64_t digest_of_posting(codec::PostingsCursor& docs, uint64_t term, const Comparable& what) {
  TermDigest digest(term);
  if (what.freqs) digest.add(docs.freq());
  if (!what.occurrences()) return digest.value();
  for (uint32_t i = 0; i < docs.freq(); ++i) {
    const uint32_t position = docs.next_position();
    digest.add_occurrence(what, position, docs.start_offset(), docs.end_offset(), docs.payload());
  }
  return digest.value();
}

void VectorWalk::fail(const std::string& what) const {
  throw CorruptIndex(segment_.name() + ": term vectors of document " + std::to_string(doc_) +
                     (info_ != nullptr ? ", field '" + info_->name + "': " : ": ") + what);
}

void VectorWalk::visit(uint32_t doc, const std::function<void(const VectorField&)>& visit) {
  doc_ = doc;
  visit_ = &visit;
  info_ = nullptr;
  numbers_.clear();
  segment_.term_vectors()->visit(doc, *this);
  finish_field();
}

void VectorWalk::start_field(uint32_t number, const TermVectors& flags) {
  finish_field();
  info_ = segment_.core_fields().by_number(number);
  if (info_ == nullptr) fail("field " + std::to_string(number) + " is unknown");
  if (!info_->term_vectors) fail("the field is said to have no vectors");
  if (!numbers_.insert(number).second) fail("the field is there twice");
  flags_ = flags;
  field_ = {number, comparable(flags, *info_), 0, 0};
}

void VectorWalk::start_term(std::span<const uint8_t> term, uint32_t freq) {
  const bool first = field_.terms == 0;
  if (!first && !std::ranges::lexicographical_compare(term_, term)) fail("terms are not in order");
  finish_term();
  term_.assign(term.begin(), term.end());
  ++field_.terms;
  digest_ = TermDigest(TermDigest::of(term));
  if (field_.what.freqs) digest_.add(freq);
  in_term_ = true;
  position_ = start_ = 0;
}

void VectorWalk::add_occurrence(uint32_t position_delta, uint32_t start_delta, uint32_t length,
                                std::span<const uint8_t> payload) {
  position_ += position_delta;
  start_ += start_delta;
  digest_.add_occurrence(field_.what, position_, start_, start_ + length, payload);
}

void VectorWalk::finish_term() {
  if (in_term_) field_.digest += digest_.value();
  in_term_ = false;
}

void VectorWalk::finish_field() {
  finish_term();
  if (info_ != nullptr) (*visit_)(field_);
}

}  // namespace postern::check
