// Reads the term vectors of one segment (docs/formats/13).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "codec/stored_fields_index_reader.h"
#include "codec/term_vectors_format.h"
#include "postern/directory.h"
#include "postern/field_type.h"
#include "store/codec_header.h"

namespace postern::codec {

// One decoded chunk. Any bytes are safe; memory stays in proportion to them.
class TermVectorsChunk {
 public:
  // Replaces the content by the chunk at `in`, which must end with it. Throws CorruptIndex.
  void decode(ByteReader& in);

  uint32_t doc_base() const { return doc_base_; }
  uint32_t documents() const { return documents_; }
  bool dirty() const { return dirty_; }

  // Hands document `place` < documents() to `sink` in the calls that TermVectorsWriter takes, from
  // start_field on. Spans are valid during the call. Throws CorruptIndex naming `file`.
  template <class Sink>
  void visit(uint32_t place, std::string_view file, Sink& sink);

 private:
  // A field of a document, and where its part of each list begins.
  struct Pair {
    uint32_t number = 0;
    uint8_t flags = 0;
    float slope = 0;
    uint64_t terms = 0;  // how many
    uint64_t term = 0;
    uint64_t position = 0;
    uint64_t offset = 0;
    uint64_t payload = 0;
    uint64_t suffix_bytes = 0;  // in content_
    uint64_t payload_bytes = 0;
  };
  // What a term's occurrences have come to.
  struct Occurrence {
    int64_t position = 0;
    int64_t start = 0;
  };

  void read_field_counts(ByteReader& in);
  void read_numbers(ByteReader& in);
  void read_pairs(ByteReader& in);
  void read_terms(ByteReader& in);
  void read_content(ByteReader& in);
  uint64_t occurrences(const Pair& pair) const;
  std::vector<uint64_t> read_direct(ByteReader& in, uint64_t count, uint32_t width);
  template <class Sink>
  void visit_field(const Pair& pair, std::string_view file, Sink& sink);
  template <class Sink>
  void visit_occurrences(const Pair& pair, uint64_t first, uint64_t freq, uint64_t& payload_at,
                         std::string_view file, Sink& sink);
  [[noreturn]] static void fail(std::string_view file, const std::string& what);

  uint32_t doc_base_ = 0;
  uint32_t documents_ = 0;
  bool dirty_ = false;
  std::vector<uint64_t> first_pairs_;  // of each document, then the number of pairs
  std::vector<uint32_t> numbers_;      // distinct
  std::vector<Pair> pairs_;
  std::vector<int64_t> prefix_lengths_;
  std::vector<int64_t> suffix_lengths_;
  std::vector<int64_t> more_freqs_;
  std::vector<int64_t> positions_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> lengths_;
  std::vector<int64_t> payload_lengths_;
  ByteBuffer content_;
  std::vector<uint8_t> term_;
};

// One thread at a time: the last chunk stays decoded. Throws CorruptIndex, IoError, NotSupported.
class TermVectorsReader {
 public:
  // `max_doc`: documents of the segment. Checks headers and footers' structure, not the checksum of
  // `.tvd`.
  TermVectorsReader(const Directory& directory, const std::string& segment,
                    const store::ObjectId& id, uint32_t max_doc);

  // Hands the vectors of document `doc` < max_doc to `sink`, as TermVectorsChunk::visit does.
  template <class Sink>
  void visit(uint32_t doc, Sink& sink) {
    if (!holds(doc)) load_chunk(doc);
    content_.visit(doc - content_.doc_base(), index_.data_name(), sink);
  }

  // Totals from the metadata.
  uint64_t chunk_count() const { return index_.chunk_count(); }
  uint64_t dirty_chunk_count() const { return index_.dirty_chunk_count(); }
  uint64_t dirty_document_count() const { return index_.dirty_document_count(); }

 private:
  bool holds(uint32_t doc) const {
    return decoded_ && doc >= content_.doc_base() &&
           doc - content_.doc_base() < content_.documents();
  }
  void load_chunk(uint32_t doc);

  StoredFieldsIndexReader index_;
  bool decoded_ = false;  // content_ is a chunk
  TermVectorsChunk content_;
};

template <class Sink>
void TermVectorsChunk::visit(uint32_t place, std::string_view file, Sink& sink) {
  for (uint64_t i = first_pairs_[place]; i < first_pairs_[place + 1]; ++i)
    visit_field(pairs_[i], file, sink);
}

template <class Sink>
void TermVectorsChunk::visit_field(const Pair& pair, std::string_view file, Sink& sink) {
  TermVectors flags;
  flags.enabled = true;
  flags.positions = (pair.flags & kVectorPositions) != 0;
  flags.offsets = (pair.flags & kVectorOffsets) != 0;
  flags.payloads = (pair.flags & kVectorPayloads) != 0;
  sink.start_field(pair.number, flags);
  term_.clear();
  const uint8_t* suffix = content_.data() + pair.suffix_bytes;
  uint64_t payload_at = pair.payload_bytes;
  uint64_t occurrence = 0;
  for (uint64_t t = pair.term; t < pair.term + pair.terms; ++t) {
    const auto prefix = static_cast<uint64_t>(prefix_lengths_[t]);
    const auto length = static_cast<uint64_t>(suffix_lengths_[t]);
    if (prefix > term_.size() || prefix + length > kMaxVectorTermBytes)
      fail(file, "a term of " + std::to_string(prefix) + " + " + std::to_string(length) +
                     " bytes behind one of " + std::to_string(term_.size()));
    term_.resize(prefix);
    term_.insert(term_.end(), suffix, suffix + length);
    suffix += length;
    const auto freq = static_cast<uint64_t>(more_freqs_[t]) + 1;
    sink.start_term(std::span<const uint8_t>(term_), static_cast<uint32_t>(freq));
    if ((pair.flags & (kVectorPositions | kVectorOffsets)) == 0) continue;
    visit_occurrences(pair, occurrence, freq, payload_at, file, sink);
    occurrence += freq;
  }
}

template <class Sink>
void TermVectorsChunk::visit_occurrences(const Pair& pair, uint64_t first, uint64_t freq,
                                         uint64_t& payload_at, std::string_view file, Sink& sink) {
  constexpr int64_t kMax = 0x7fffffff;
  Occurrence now;
  for (uint64_t i = first; i < first + freq; ++i) {
    int64_t position_delta = 0;
    int64_t start_delta = 0;
    int64_t length = 0;
    std::span<const uint8_t> payload;
    if ((pair.flags & kVectorPositions) != 0) {
      position_delta = positions_[pair.position + i];
      if (position_delta < 0 || position_delta > kMax - now.position)
        fail(file, "a position " + std::to_string(position_delta) + " behind " +
                       std::to_string(now.position));
      now.position += position_delta;
    }
    if ((pair.flags & kVectorOffsets) != 0) {
      // Lists hold 64 bits; what is out of range of 32 cannot be right.
      const int64_t coded = starts_[pair.offset + i];
      const int64_t beyond = lengths_[pair.offset + i];
      if (coded < -kMax - 1 || coded > kMax || beyond < -kMax || beyond > kMax)
        fail(file, "an offset coded as " + std::to_string(coded) + ", " + std::to_string(beyond));
      start_delta = coded + vector_offset_step(pair.slope, position_delta);
      length = beyond + static_cast<int64_t>(term_.size());
      if (start_delta < 0 || length < 0 || now.start + start_delta + length > kMax)
        fail(file, "an offset " + std::to_string(start_delta) + " behind " +
                       std::to_string(now.start) + " of length " + std::to_string(length));
      now.start += start_delta;
    }
    if ((pair.flags & kVectorPayloads) != 0) {
      payload = content_.bytes().subspan(payload_at,
                                         static_cast<uint64_t>(payload_lengths_[pair.payload + i]));
      payload_at += payload.size();
    }
    sink.add_occurrence(static_cast<uint32_t>(position_delta), static_cast<uint32_t>(start_delta),
                        static_cast<uint32_t>(length), payload);
  }
}

}  // namespace postern::codec
