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
#include "invert/sorted_postings.h"
#include "invert/stream_kind.h"
#include "memory/grow_array.h"
#include "memory/prefetch.h"
#include "memory/term_table.h"
#include "postern/document.h"
#include "postern/limits.h"

namespace postern::invert {

class FieldVectors;
class VectorsConsumer;

// Order of calls: for each document with the field start_document, add for each value, then
// finish_document; after the last document sort_terms, term and decode. Documents ascend.
class FieldInverter {
 public:
  // `options` is not kNone. `expects_payloads`: lays the postings out for payloads at once.
  // Payloads in a field without it are indexed all the same; the field is rebuilt when the first
  // one comes. `memory` must outlive the inverter; the limits are copied.
  FieldInverter(BufferMemory& memory, const Limits& limits, std::string name, IndexOptions options,
                bool has_norms, bool expects_payloads);
  ~FieldInverter();
  FieldInverter(const FieldInverter&) = delete;
  FieldInverter& operator=(const FieldInverter&) = delete;

  const std::string& name() const { return name_; }
  // The shared terms, for chained consumers.
  const memory::TermTable& terms() const { return table_; }
  // From the next document on, values whose type has term vectors go to `vectors` as well, which
  // is queued with `consumer` when the document is finished. VectorsConsumer::chain calls it.
  void chain(VectorsConsumer& consumer, FieldVectors& vectors) {
    consumer_ = &consumer;
    chained_ = &vectors;
  }

  void start_document(uint32_t doc);
  // Inverts one value (kText, kBytes or kTokens). Throws InvalidDocument for what the value is to
  // blame for: tokens before the bad one stay indexed, nothing of the bad one is. Throws
  // LimitExceeded if a pool could run out of addresses; nothing of the current group of tokens (at
  // most 64) is indexed then. What the analyzer throws passes through; tokens of the call of
  // TokenStream::next that threw are not indexed.
  void add(const FieldValue& value);
  // Also after an add that threw: the document gets a norm, and its payloads count, if its first
  // value was inverted without error (docs/formats/01 §5.5).
  void finish_document();

  // Whether a finished document had a payload: the field info's flag.
  bool has_payloads() const { return has_payloads_; }
  // Distinct terms. Not const: short values may still be waiting for their group.
  uint32_t term_count() {
    flush_pending();
    return table_.count();
  }
  // The id of a term, kNoTerm if no document has it. Before sort_terms.
  uint32_t find(std::span<const uint8_t> term) {
    flush_pending();
    return table_.find(term);
  }
  // Documents with at least one token, refused ones included.
  uint32_t doc_count() const { return doc_count_; }

  // Fills `ids` with all term ids in byte order of the terms. No add may follow.
  void sort_terms(std::vector<uint32_t>& ids);
  // Valid until the inverter is destroyed.
  std::span<const uint8_t> term(uint32_t id) const { return table_.text(id); }

  // Loads what term and decode will need soon, step by step for the ids behind ids[i]: the state
  // and what tells the first slice, that slice and the text, the second slice, the third.
  POSTERN_PREFETCHING void prefetch(std::span<const uint32_t> ids, size_t i) const {
    if (i + 28 >= ids.size()) return;
    table_.prefetch_state(ids[i + 28]);
    table_.prefetch_first_slice_address(ids[i + 28]);
    table_.prefetch_first_slice(ids[i + 19]);
    table_.prefetch_text_in_pool(ids[i + 19]);
    table_.prefetch_second_slice(ids[i + 11]);
    table_.prefetch_third_slice(ids[i + 5]);
  }

  // Calls, per document ascending: sink.start_doc(doc), then per position (if the field has them)
  //   sink.add_position(position_delta) in fields with neither payloads nor offsets, else
  //   sink.add_position(position_delta, payload, offset_start_delta, offset_length),
  // then sink.finish_doc(freq) (1 if the field has no frequencies). Deltas restart at 0 in each
  // document; the offset delta is start minus the start before. The payload span is valid during
  // the call. After sort_terms.
  template <class Sink>
  void decode(uint32_t id, Sink& sink) const {
    decode_postings({memory_.slices(), table_.state(id), table_.first_slice(id)}, kind_,
                    has_payloads_, memory_.scratch(), sink);
  }

  // The same for a segment whose documents come in another order: document d is new_docs[d] there.
  template <class Sink>
  void decode_sorted(uint32_t id, std::span<const uint32_t> new_docs, SortedPostings& sorted,
                     Sink& sink) const {
    sorted.decode({memory_.slices(), table_.state(id), table_.first_slice(id)}, kind_,
                  has_payloads_, new_docs, memory_.scratch(), sink);
  }

  // Documents with a norm; empty if the field has none.
  const NormsBuffer& norms() const { return norms_; }

 private:
  // Java's int: offsets, and the sum of a document's frequencies.
  static constexpr uint64_t kMaxLength = 0x7fffffff;

  // Where the current document stands (docs/formats/03 §6, 01 §5).
  struct DocumentState {
    uint32_t doc = 0;
    uint32_t overlaps = 0;      // tokens of increment 0
    uint32_t unique_terms = 0;  // kept for docs-only fields
    bool value_seen = false;
    bool first_value_good = false;
    int64_t position = -1;
    int64_t last_position = 0;
    uint64_t offset_base = 0;
    uint64_t last_start = 0;
    uint64_t length = 0;  // sum of frequencies
  };

  // Of a value of one term, in its document.
  struct TermPlace {
    uint32_t position = 0;
    uint32_t start_offset = 0;
    uint32_t length = 0;  // in UTF-16 units
  };

  void start_vectors(const TermVectors& flags, bool first);
  void add_value(const FieldValue& value);
  void add_analyzed(const FieldValue& value);
  void add_token_list(const FieldValue& value);
  void add_untokenized(const FieldValue& value);
  void add_pending(std::span<const uint8_t> term, const TermPlace& place);
  // Lets the group's first n tokens wait, which are checked. False: they have to be added at once,
  // and nothing has changed but that no others may be waiting any more.
  bool let_wait(size_t n);
  // Whether the document itself needs what adding its terms tells: their ids for its vectors, their
  // number for its norm.
  bool document_needs_terms() const {
    return vectors_ != nullptr || (has_norms_ && kind_ == StreamKind::kDocs);
  }
  bool has_room_to_wait(uint64_t room) const {
    return memory_.has_room(room, memory_.layout() == PoolLayout::kShared ? 0 : room);
  }
  void flush_pending();
  void end_value(const FieldDefinition& field, uint32_t final_offset, int32_t final_increment);

  // Checks the group's first n tokens and adds them up to the first bad one, then throws.
  void add_tokens(size_t n);
  size_t check_tokens(size_t n, bool first_may_count);
  // Whether the token may follow; `s` has it in then.
  bool takes(DocumentState& s, const Token& t, bool any_frequency) const {
    const int64_t position = s.position + t.position_increment;
    const uint64_t start = s.offset_base + t.start_offset;
    const uint64_t end = s.offset_base + t.end_offset;
    const uint64_t length = s.length + t.frequency;
    if (t.position_increment < 0 || position < s.last_position ||
        position > int64_t{max_position_} || start < s.last_start || end < start ||
        end > kMaxLength || t.frequency == 0 || length > kMaxLength ||
        t.term_length > max_term_bytes_ || (t.frequency != 1 && !any_frequency)) {
      return false;
    }
    s.position = s.last_position = position;
    s.last_start = start;
    s.length = length;
    s.overlaps += t.position_increment == 0;
    return true;
  }
  bool all_good(size_t n);
  [[noreturn]] void refuse(const Token& token);
  void require_room(size_t n) const;
  void require_vectors_room(size_t n) const;
  void add_group(size_t n);
  void add_group_of_any_layout(TokenGroup& group, size_t n);
  template <PoolLayout L>
  void add_group_in(TokenGroup& group, size_t n);
  template <PoolLayout L, StreamKind K>
  void add_group_as(TokenGroup& group, size_t n);
  void rebuild_for_payloads();
  void rebuild_term(uint32_t id);
  void count_document();
  [[noreturn]] void fail(const std::string& what) const;

  BufferMemory& memory_;
  std::string name_;
  memory::TermTable table_;
  memory::GrowArray<uint32_t> last_offsets_;  // per term, in fields with offsets
  memory::GrowArray<uint8_t> pending_;
  NormsBuffer norms_;
  uint64_t pending_promise_ = 0;
  DocumentState now_;
  VectorsConsumer* consumer_ = nullptr;
  FieldVectors* chained_ = nullptr;  // null if the field never has vectors
  FieldVectors* vectors_ = nullptr;  // the same while a document with vectors is being added
  uint32_t pending_count_ = 0;
  uint32_t max_term_bytes_;
  uint32_t max_position_;
  uint32_t doc_count_ = 0;
  uint32_t last_counted_doc_plus_1_ = 0;
  StreamKind kind_;
  bool has_norms_;
  bool single_frequencies_ = false;  // the document's vectors have positions or offsets
  bool payload_seen_ = false;
  bool has_payloads_ = false;
};

}  // namespace postern::invert
