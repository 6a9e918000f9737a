// Writes the term vectors of one segment (docs/formats/13): `.tvd` vectors, `.tvx` index, `.tvm`
// metadata, with the bytes Lucene 10.4 would write.
//
// The numbers of a chunk's documents are kept in one list per kind, as the format has them, and
// written with the chunk; so memory stays near one chunk however large the segment is (a single
// larger document excepted).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/byte_buffer.h"
#include "codec/lz4.h"
#include "codec/segment_context.h"
#include "codec/stored_fields_index.h"
#include "codec/term_vectors_format.h"
#include "postern/field_type.h"
#include "store/index_output.h"

namespace postern::codec {

// Calls: for each document with vectors start_document; per field start_field; per term, ascending
// in unsigned byte order, start_term, then for fields with positions or offsets add_occurrence
// `freq` times; finish_document. Documents ascend; those left out are empty. Errors: IoError.
class TermVectorsWriter {
 public:
  // Creates no file: the first start_document does. `context.directory` must outlive the writer;
  // `context.max_doc` is not used.
  explicit TermVectorsWriter(const SegmentContext& context);
  ~TermVectorsWriter();

  // Whether there are files.
  bool open() const { return files_ != nullptr; }

  void start_document(uint32_t doc);
  // `flags.payloads` only where some occurrence of the field has one, and with positions.
  void start_field(uint32_t field_number, const TermVectors& flags);
  // A document's suffix bytes of terms and its payload bytes together must stay below 2 GiB - 8192;
  // its occurrences, below 2^31 - 2^16.
  void start_term(std::span<const uint8_t> text, uint32_t freq);
  // `position_delta` from the term's occurrence before, 0 for the first; `start_delta` likewise;
  // `length` is the end offset less the start offset. What the field's flags leave out is ignored.
  void add_occurrence(uint32_t position_delta, uint32_t start_delta, uint32_t length,
                      std::span<const uint8_t> payload);
  void finish_document();

  // If open: adds empty documents up to `max_doc`, writes the index and the metadata and closes the
  // files. `max_doc` must not be less than documents().
  void finish(uint32_t max_doc);

  // Finished documents, empty ones between them included.
  uint32_t documents() const { return chunk_base_ + chunk_documents(); }
  // Bytes of memory held by the buffers, output buffers included; 0 if not open.
  uint64_t ram_bytes() const;
  // None if not open.
  std::vector<std::string> files() const;

 private:
  struct Files;
  // A field of a document.
  struct Pair {
    uint32_t number;
    uint32_t terms;
    uint32_t occurrences;
    uint32_t place;  // of its number among the chunk's distinct numbers; set when written
    uint8_t flags;
  };
  // A distinct field number of the chunk.
  struct Number {
    uint32_t number = 0;
    int flags = -1;  // of its pairs; -1 before the first
    float slope = 0;
    // Over the last occurrence of each term of its pairs with positions and offsets (§3).
    uint64_t last_positions = 0;
    uint64_t last_starts = 0;
  };

  uint32_t chunk_documents() const { return static_cast<uint32_t>(field_counts_.size()); }
  void write_chunk(bool dirty);
  void write_field_numbers();
  void write_pairs();
  bool find_slopes();
  void write_offsets();
  template <class Value>
  void write_blocks(const std::vector<Value>& values);
  void clear_chunk();

  Directory& directory_;
  std::string segment_;
  store::ObjectId id_;
  std::unique_ptr<Files> files_;
  StoredFieldsIndexWriter chunks_;
  uint32_t chunk_base_ = 0;  // number of the chunk's first document

  // The chunk.
  std::vector<uint32_t> field_counts_;  // per finished document
  std::vector<Pair> pairs_;
  std::vector<uint32_t> prefix_lengths_;  // per term, as the next two
  std::vector<uint32_t> suffix_lengths_;
  std::vector<uint32_t> more_freqs_;       // frequency - 1
  std::vector<uint32_t> positions_;        // deltas, per occurrence in fields with positions
  std::vector<uint32_t> starts_;           // deltas, per occurrence in fields with offsets
  std::vector<int64_t> lengths_;           // likewise, less the term's bytes
  std::vector<uint32_t> payload_lengths_;  // per occurrence in fields with payloads
  ByteBuffer content_;
  // Made when it is written:
  std::vector<Number> numbers_;  // distinct, ascending
  std::vector<uint64_t> scratch_;

  // The document, field and term being added.
  uint32_t document_fields_ = 0;
  ByteBuffer payloads_;  // of the document
  ByteBuffer last_term_;
};

}  // namespace postern::codec
