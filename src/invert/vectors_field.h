// The term vector of one field while its document is being inverted (docs/formats/01 §4.2): what
// the field's FieldInverter adds to its postings is added here too, under the same term ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "invert/postings_decoder.h"
#include "invert/stream_kind.h"
#include "invert/token_group.h"
#include "invert/vectors_terms.h"
#include "memory/byte_pool.h"
#include "memory/term_table.h"
#include "postern/field_type.h"

namespace postern::invert {

// What the vectors of a document add up to, over all its fields: the file format has Java's int for
// each.
struct VectorTotals {
  uint64_t text_bytes = 0;  // of distinct terms, and of payloads
  uint64_t occurrences = 0;
};

// Made by VectorsConsumer; told of documents, values and tokens by the FieldInverter it is chained
// to.
class FieldVectors {
 public:
  // The references must outlive it. `pool` and `totals` are reset by their owner after each
  // document.
  FieldVectors(memory::MemoryCounter& counter, memory::BytePool& pool, VectorTotals& totals,
               const memory::TermTable& shared, std::string name, uint32_t number)
      : pool_(pool),
        totals_(totals),
        shared_(shared),
        terms_(counter),
        name_(std::move(name)),
        number_(number) {}

  const std::string& name() const { return name_; }
  uint32_t number() const { return number_; }

  // The first value of a document: forgets the document before, which may have failed half-way.
  void start_document(const TermVectors& flags);
  const TermVectors& flags() const { return flags_; }
  // Whether custom term frequencies have no place in this document's vector.
  bool needs_single_frequencies() const { return flags_.positions || flags_.offsets; }

  // Throws LimitExceeded, with nothing changed, if tokens with this many bytes of text and payloads
  // could pass a limit. `what` says for whom.
  void require_room(size_t tokens, uint64_t text_bytes, uint64_t payload_bytes,
                    const std::string& what) const;
  // Adds the group's first n tokens, whose entries have their term ids. require_room was called.
  void add_group(const TokenGroup& group, size_t n);

  // The document's terms, in the order in which they first came.
  uint32_t term_count() const { return terms_.count(); }
  std::span<const uint8_t> text(uint32_t term) const { return shared_.text(terms_[term].id); }
  // The flags as they go into the file: payloads only if some token had one.
  TermVectors kept_flags() const {
    TermVectors kept = flags_;
    kept.payloads = payload_seen_;
    return kept;
  }

  // Calls writer.start_term(text, freq) and, for fields with positions or offsets,
  // writer.add_occurrence(position_delta, start_delta, length, payload) for each occurrence.
  template <class Writer>
  void write_term(uint32_t term, ByteBuffer& scratch, Writer& writer) const {
    const VectorTerm& t = terms_[term];
    writer.start_term(shared_.text(t.id), t.freq);
    if (!has_stream()) return;
    OccurrenceSink<Writer> sink{writer};
    decode_postings({pool_, t.stream, t.first_slice}, kind_, payload_seen_, scratch, sink);
  }

  // Forgets the document.
  void clear() { terms_.clear(); }

 private:
  // Takes what decode_postings gives.
  template <class Writer>
  struct OccurrenceSink {
    void start_doc(uint32_t) {}
    void add_position(uint32_t delta) { writer.add_occurrence(delta, 0, 0, {}); }
    void add_position(uint32_t delta, std::span<const uint8_t> payload, uint32_t start,
                      uint32_t length) {
      writer.add_occurrence(delta, start, length, payload);
    }
    void finish_doc(uint32_t) {}
    Writer& writer;
  };

  bool has_stream() const { return flags_.positions || flags_.offsets; }
  VectorTerm& term_of(uint32_t id);
  template <StreamKind K>
  void add_occurrences(const TokenGroup& group, size_t n);

  memory::BytePool& pool_;
  VectorTotals& totals_;
  const memory::TermTable& shared_;
  VectorTerms terms_;
  std::string name_;
  uint32_t number_;
  TermVectors flags_;
  StreamKind kind_ = StreamKind::kPositions;  // of the streams, if there are any
  bool payload_seen_ = false;
};

}  // namespace postern::invert
