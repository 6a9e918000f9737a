// Stored values and term vectors of a segment that will be sorted: kept in temporary files in order
// of arrival, then written to the codec's files in the order of the segment (docs/formats/01 §7).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "codec/segment_context.h"
#include "codec/stored_fields_writer.h"
#include "codec/term_vectors_writer.h"
#include "index/document_spool.h"

namespace postern::index {

// Takes the place of the StoredFieldsWriter while documents come.
class StoredArrivals : public codec::StoredValues {
 public:
  StoredArrivals(const codec::SegmentContext& context, memory::MemoryCounter& counter);

  void start_document() { start_values(spool_.documents()); }
  void finish_document();
  uint64_t ram_bytes() const { return values_.capacity() + DocumentSpool::kOutputBuffer; }

  // Writes all documents, those of `old_docs` in that order, or as they came if it is empty, and
  // removes the temporary file.
  void write(std::span<const uint32_t> old_docs, codec::StoredFieldsWriter& writer);

 private:
  DocumentSpool spool_;
};

// Takes the calls that a TermVectorsWriter takes while documents come.
class VectorArrivals {
 public:
  VectorArrivals(const codec::SegmentContext& context, memory::MemoryCounter& counter)
      : context_(context), counter_(counter) {}

  void start_document(uint32_t doc);
  void start_field(uint32_t field_number, const TermVectors& flags);
  void start_term(std::span<const uint8_t> text, uint32_t freq);
  void add_occurrence(uint32_t position_delta, uint32_t start_delta, uint32_t length,
                      std::span<const uint8_t> payload);
  void finish_document() { spool_->finish_document(); }
  uint64_t ram_bytes() const { return spool_ != nullptr ? DocumentSpool::kOutputBuffer : 0; }

  // As StoredArrivals::write; nothing if there never was a document.
  void write(std::span<const uint32_t> old_docs, codec::TermVectorsWriter& writer);

 private:
  const codec::SegmentContext& context_;
  memory::MemoryCounter& counter_;
  std::unique_ptr<DocumentSpool> spool_;
  TermVectors flags_;  // of the field being added
};

}  // namespace postern::index
