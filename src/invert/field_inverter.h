// Inverts the values of one field of one document buffer: from values to terms with their postings
// in memory, and, at flush, from those to a codec (docs/formats/01 §4-6, docs/hot_path.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "invert/buffer_memory.h"
#include "invert/norms_buffer.h"
#include "invert/postings_decoder.h"
#include "invert/stream_kind.h"
#include "memory/term_table.h"
#include "postern/document.h"
#include "postern/limits.h"

namespace postern::invert {

// Order of calls: for each document with the field start_document, add for each value, then
// finish_document; after the last document sort_terms, term and decode. Documents ascend.
class FieldInverter {
 public:
  // `expects_payloads`: lays the postings out for payloads at once. Payloads in a field without it
  // are indexed all the same; the field is rebuilt when the first one comes.
  // `memory` must outlive the inverter.
  FieldInverter(BufferMemory& memory, const Limits& limits, std::string name, IndexOptions options,
                bool has_norms, bool expects_payloads);
  ~FieldInverter();
  FieldInverter(const FieldInverter&) = delete;
  FieldInverter& operator=(const FieldInverter&) = delete;

  const std::string& name() const { return name_; }

  void start_document(uint32_t doc);
  // Inverts one value (kText, kBytes or kTokens). Throws InvalidDocument for what the value is to
  // blame for: tokens before the bad one stay indexed, nothing of the bad one is. Throws
  // LimitExceeded if a pool could run out of addresses; nothing of the current group of tokens
  // (at most 64) is indexed then. What the analyzer throws passes through.
  void add(const FieldValue& value);
  // Also after an add that threw: the document gets a norm, and its payloads count, if its first
  // value was inverted without error (docs/formats/01 §5.5).
  void finish_document();

  // Whether a finished document had a payload: the field info's flag.
  bool has_payloads() const { return has_payloads_; }
  // Distinct terms. Not const: values may still wait for being added (see add_single).
  uint32_t term_count() {
    flush_pending();
    return table_.count();
  }
  // Documents with at least one token, refused ones included.
  uint32_t doc_count() const { return doc_count_; }

  // Fills `ids` with all term ids in byte order of the terms. No add may follow.
  void sort_terms(std::vector<uint32_t>& ids);
  // Valid until the buffer is reset.
  std::span<const uint8_t> term(uint32_t id) const { return table_.text(id); }

  // Loads what term and decode will need soon: the state of ids[i + 8], the first slice of
  // ids[i + 4].
  void prefetch(std::span<const uint32_t> ids, size_t i) const {
    if (i + 8 < ids.size()) prefetch_state(ids[i + 8]);
    if (i + 4 < ids.size()) prefetch_postings(ids[i + 4]);
  }
  void prefetch_state(uint32_t id) const { table_.prefetch_state(id); }
  // Reads the state, so prefetch that well before.
  void prefetch_postings(uint32_t id) const { table_.prefetch_first_slice(id); }

  // Calls, per document ascending: sink.start_doc(doc), then per position (if the field has them)
  //   sink.add_position(position_delta) in fields with neither payloads nor offsets, else
  //   sink.add_position(position_delta, payload, offset_start_delta, offset_length),
  // then sink.finish_doc(freq) (1 if the field has no frequencies). Deltas restart at 0 in each
  // document; the offset delta is start minus the start before. The payload span is valid during
  // the call.
  template <class Sink>
  void decode(uint32_t id, Sink& sink) const {
    decode_postings(table_.slices(), table_.state(id), table_.first_slice(id), kind_,
                    has_payloads_, sink);
  }

  // Documents with a norm; empty if the field has none.
  const NormsBuffer& norms() const { return norms_; }

 private:
  struct Failure;

  void add_analyzed(const FieldValue& value);
  void add_token_list(const FieldValue& value);
  void add_single(const FieldValue& value);
  void add_single_as_stream(std::span<const uint8_t> term, uint32_t end_offset);
  void flush_pending();
  void end_value(const FieldDefinition& field, uint32_t final_offset, int32_t final_increment);
  void add_tokens(const FieldDefinition& field, TokenGroup& group, size_t count);

  BufferMemory& memory_;
  const Limits& limits_;
  std::string name_;
  memory::TermTable table_;
  StreamKind kind_;
  bool has_norms_;
  bool has_payloads_ = false;
  uint32_t doc_count_ = 0;
  NormsBuffer norms_;
};

}  // namespace postern::invert
