// Writes postings and terms dictionary of one segment, seven files that belong together
// (docs/formats/30-32), byte for byte as Lucene 10.4 does.
//
//   for each field, in the order of its name's UTF-16 code units:
//     start_field
//     for each term, in unsigned byte order:
//       for each document, ascending:  start_doc, add_position..., finish_doc
//       finish_term
//     finish_field
//   close
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/block_tree_writer.h"
#include "codec/postings_writer.h"

namespace postern::codec {

// Errors: IoError. After one the object can only be destroyed; its files are incomplete.
class PostingsFormatWriter {
 public:
  // infos: of the whole segment, with the final payloads flags; they decide whether `.pos` and
  // `.pay` exist. No file is created before the first document: a segment without terms has none.
  PostingsFormatWriter(const SegmentContext& context, const FieldInfos& infos)
      : postings_(context, infos), terms_(context) {}

  // norms: one byte per document of the segment, 1 for a document without a norm; empty: 1
  // everywhere. Must stay valid until finish_field.
  void start_field(const FieldInfo& info, std::span<const uint8_t> norms) {
    postings_.start_field(info, norms);
    terms_.start_field(info);
  }

  void start_doc(uint32_t doc) { postings_.start_doc(doc); }
  // Difference to the previous position of the term in the same document, 0 the first time. For
  // fields without offsets.
  void add_position(uint32_t position_delta) { postings_.add_position(position_delta); }
  // payload: empty for none; copied. offset_start_delta: to the previous start offset of the term
  // in the same document; ignored, like offset_length, if the field has no offsets.
  void add_position(uint32_t position_delta, std::span<const uint8_t> payload,
                    uint32_t offset_start_delta, uint32_t offset_length) {
    postings_.add_position(position_delta, payload, offset_start_delta, offset_length);
  }
  // freq: 1 ... 2^31 - 1, for a field with positions their number; ignored without freqs.
  void finish_doc(uint32_t freq) { postings_.finish_doc(freq); }
  // A whole term of a field with positions, but neither payloads nor offsets, in place of
  // start_doc, add_position and finish_doc: begin_batch, settle_batch after what is added,
  // end_batch.
  PostingsBatch& begin_batch() { return postings_.begin_batch(); }
  void settle_batch() { postings_.settle_batch(); }
  void end_batch() { postings_.end_batch(); }
  // A term without documents is not written.
  void finish_term(std::span<const uint8_t> term) {
    TermState state = postings_.finish_term();
    if (state.doc_freq != 0) terms_.add(term, state);
  }
  // doc_count: documents with at least one term of the field. Returns whether the field had a term:
  // exactly those fields carry the attributes `PerFieldPostingsFormat.format` = `Lucene104` and
  // `PerFieldPostingsFormat.suffix` = `0` in `.fnm`.
  bool finish_field(uint32_t doc_count) { return terms_.finish_field(doc_count); }

  // Writes `.psm`, `.tmd` and all footers.
  void close() {
    postings_.close();
    terms_.close();
  }
  // Names of the files created so far.
  std::vector<std::string> files() const;

 private:
  PostingsWriter postings_;
  BlockTreeWriter terms_;
};

}  // namespace postern::codec
