#include "read/term_docs.h"

#include "postern/error.h"

namespace postern::read {

TermDocs::TermDocs(SegmentReader& segment, std::string_view field) : max_doc_(segment.max_doc()) {
  const codec::TermsReader* terms = segment.terms();
  const codec::FieldTerms* its_terms = terms == nullptr ? nullptr : terms->field(field);
  if (its_terms == nullptr) return;
  seeker_.emplace(*its_terms);
  parts_ = its_terms->parts();
  parts_.positions = parts_.offsets = parts_.payloads = false;
  postings_ = segment.postings();
}

bool TermDocs::seek(std::span<const uint8_t> term) {
  cursor_.reset();
  singleton_ = kNoMoreDocs;
  doc_freq_ = 0;
  if (!seeker_) return false;
  const std::optional<codec::TermState> state = seeker_->find(term);
  if (!state) return false;
  doc_freq_ = state->doc_freq;
  if (doc_freq_ != 1) {
    cursor_.emplace(postings_->postings(parts_, *state));
  } else if (state->singleton_doc < max_doc_) {
    singleton_ = state->singleton_doc;
  } else {
    throw CorruptIndex(std::string(seeker_->file()) + ": a term of document " +
                       std::to_string(state->singleton_doc) + " of " + std::to_string(max_doc_));
  }
  return true;
}

uint32_t TermDocs::next_doc() {
  if (cursor_) return cursor_->next_doc();
  return std::exchange(singleton_, kNoMoreDocs);
}

}  // namespace postern::read
