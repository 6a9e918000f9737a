// One term's postings list: documents, frequencies, positions, and what readers jump by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "check/norm_column.h"
#include "codec/postings_reader.h"
#include "codec/terms_reader.h"
#include "postern/error.h"
#include "read/segment_reader.h"

namespace postern::check {

// Terms come in the order of the dictionary, field by field. Everything throws CorruptIndex naming
// field, term and document.
class TermCheck {
 public:
  // The segment must have terms.
  explicit TermCheck(read::SegmentReader& segment);

  // `norms` must outlive the field.
  void start_field(const codec::FieldTerms& field, const NormColumn& norms);
  // Calls `visit` with each document.
  template <class Visit>
  void check_term(std::span<const uint8_t> term, const codec::TermState& state, Visit visit) {
    try {
      start_term(term, state);
      while (next_doc()) visit(cursor_->doc());
      finish_term();
    } catch (const CorruptIndex& e) {
      rethrow_with_term(e);
    }
  }
  // After all fields: the recorded maxima are not too small.
  void check_maxima() const;

 private:
  // One level of what is jumped by.
  struct Level {
    codec::SkipEntry entry;
    uint64_t pos_fp = 0;  // up to the last entry
    uint64_t pay_fp = 0;
  };

  void start_term(std::span<const uint8_t> term, const codec::TermState& state);
  bool next_doc();
  void finish_term();
  void check_occurrences();
  void enter_block();
  void check_impacts(const codec::SkipEntry& entry, const char* what);
  void check_below_group();
  void check_norm_of_doc();
  void leave(Level& level, const char* what);
  std::string place() const;  // names the field and the term
  [[noreturn]] void rethrow_with_term(const CorruptIndex& error) const;
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_at_doc(const std::string& what) const;

  read::SegmentReader& segment_;
  const codec::PostingsReader& postings_;
  const codec::FieldTerms* field_ = nullptr;
  const NormColumn* norms_ = nullptr;
  std::optional<codec::TermSeeker> seeker_;
  std::optional<codec::PostingsCursor> cursor_;
  std::span<const uint8_t> term_;
  codec::TermState state_;
  uint32_t docs_ = 0;
  uint64_t freqs_ = 0;
  bool in_block_ = false;
  bool in_group_ = false;
  Level block_;
  Level group_;
  codec::ImpactMaxima maxima_;  // seen
  // Ends of the lists so far: lists of a segment do not overlap.
  uint64_t doc_end_ = 0;
  uint64_t pos_end_ = 0;
  uint64_t pay_end_ = 0;
};

}  // namespace postern::check
