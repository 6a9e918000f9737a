// The documents of terms of one field, for callers with many terms: deletes that are being applied.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/postings_reader.h"
#include "codec/terms_reader.h"
#include "read/segment_reader.h"

namespace postern::read {

// Terms may come in any order; ascending ones cost the least, since each block of the dictionary is
// then read once. A term of one document touches no postings file. Deleted documents are listed
// like others. Nothing is allocated per term. Lives no longer than the SegmentReader.
class TermDocs {
 public:
  static constexpr uint32_t kNoMoreDocs = codec::PostingsCursor::kNoMoreDocs;

  // A field the segment does not know has no terms.
  TermDocs(SegmentReader& segment, std::string_view field);

  // Goes before the first document of the term; false if no document has it. Throws CorruptIndex.
  bool seek(std::span<const uint8_t> term);
  bool seek(std::string_view term) {
    return seek(std::span(reinterpret_cast<const uint8_t*>(term.data()), term.size()));
  }
  // Of the term: documents that have it, deleted ones included.
  uint32_t doc_freq() const { return doc_freq_; }
  // To the first, then to each following document; kNoMoreDocs at the end.
  uint32_t next_doc();

 private:
  std::optional<codec::TermSeeker> seeker_;  // none: the field has no terms
  codec::PostingsParts parts_;               // without positions
  const codec::PostingsReader* postings_ = nullptr;
  uint32_t max_doc_ = 0;
  uint32_t doc_freq_ = 0;
  uint32_t singleton_ = kNoMoreDocs;
  std::optional<codec::PostingsCursor> cursor_;  // of a term with several documents
};

}  // namespace postern::read
