// One indexed field of one segment in Lucene's layout: parallel arrays per term, stream heads in
// an int pool, one or two streams per term in the postings pool (docs/formats/01 §2.2, §4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lucene_layout/block_pools.h"
#include "lucene_layout/slices.h"
#include "lucene_layout/term_hash.h"
#include "postern/field_type.h"
#include "postern/writer.h"

namespace postern::lucene_layout {

// The pools of one segment. Postings and terms share one pool, or have one each.
class Pools {
 public:
  // Throws InvalidArgument for kInline, which Lucene's layout does not have.
  explicit Pools(PoolLayout layout);

  // Byte pools, tables and arrays; the int pool is counted apart.
  RamCounter counter;
  RamCounter int_counter;
  IntPool ints{int_counter};
  BytePool postings{counter};
  BytePool& terms() { return separate_ ? own_terms_ : postings; }
  const BytePool& terms() const { return separate_ ? own_terms_ : postings; }
  // Drops all blocks; the fields that used them must be cleared as well.
  void reset();

 private:
  BytePool own_terms_{counter};
  bool separate_;
};

// One occurrence of a term. Positions are absolute in the document; offsets count UTF-16 units.
struct Occurrence {
  TermBytes term;
  uint32_t doc = 0;
  uint32_t position = 0;
  uint32_t start_offset = 0;
  uint32_t end_offset = 0;
  std::span<const uint8_t> payload;  // empty = none
  uint32_t frequency = 1;            // other than 1 only without positions
};

class FieldPostings {
 public:
  // `pools` must outlive the field.
  FieldPostings(Pools& pools, IndexOptions options);
  ~FieldPostings();
  FieldPostings(const FieldPostings&) = delete;
  FieldPostings& operator=(const FieldPostings&) = delete;

  // Documents must not decrease. Returns the term's id and whether it is new. Throws
  // InvalidArgument (term too long, nothing changed) and LimitExceeded (pool or frequency).
  TermHash::Added add(const Occurrence& token);

  uint32_t term_count() const { return hash_.size(); }
  TermBytes term(uint32_t id) const { return text_at(pools_.terms(), text_start_[id]); }
  uint32_t find(TermBytes term) const { return hash_.find(term, text_start_); }
  // Ids in the order of their text. Afterwards only term and decode may be called.
  std::span<const uint32_t> sort_terms();

  // One occurrence as decode gives it; doc, position and offsets are absolute again.
  struct Decoded {
    uint32_t position, start_offset, end_offset;
    std::span<const uint8_t> payload;  // valid during the call
  };
  // Calls sink.start_doc(doc, frequency) for each document (frequency 1 for docs only), then
  // sink.add_occurrence(Decoded) for each position if the field has them.
  template <class Sink>
  void decode(uint32_t id, Sink&& sink) const;

  // Elements of the parallel arrays, and bytes per posting as charged to the counter.
  size_t array_size() const { return text_start_.size(); }
  uint32_t bytes_per_posting() const { return bytes_per_posting_; }
  uint32_t text_start(uint32_t id) const { return text_start_[id]; }
  uint32_t byte_start(uint32_t id) const { return byte_start_[id]; }
  uint32_t stream_head(uint32_t id, uint32_t stream) const {
    return pools_.ints.at(address_offset_[id])[stream];
  }

 private:
  static constexpr uint32_t kInitialArraySize = 2;

  void resize_arrays(uint32_t size);
  void new_term(uint32_t id, const Occurrence& token);
  void seen_term(uint32_t id, const Occurrence& token);
  void write_pending(uint32_t id);
  void write_occurrence(uint32_t id, uint32_t position_delta, const Occurrence& token);
  void put(uint32_t stream, uint32_t value) { write_vint(pools_.postings, heads_[stream], value); }

  template <class Sink>
  void decode_occurrences(SliceReader& in, uint32_t frequency, Sink&& sink,
                          std::vector<uint8_t>& payload) const;

  Pools& pools_;
  const bool has_freqs_;
  const bool has_positions_;
  const bool has_offsets_;
  const uint32_t stream_count_;
  const uint32_t bytes_per_posting_;
  TermHash hash_;
  uint32_t* heads_ = nullptr;  // of the current term, in the int pool
  std::vector<uint32_t> text_start_, address_offset_, byte_start_;
  std::vector<uint32_t> last_doc_, last_code_, freq_, last_position_, last_offset_;
};

template <class Sink>
void FieldPostings::decode(uint32_t id, Sink&& sink) const {
  SliceReader docs(pools_.postings, byte_start_[id], stream_head(id, 0));
  uint32_t positions_start = byte_start_[id] + (has_positions_ ? kFirstSliceSize : 0);
  SliceReader positions(pools_.postings, positions_start,
                        has_positions_ ? stream_head(id, 1) : positions_start);
  std::vector<uint8_t> payload;
  uint32_t doc = 0;
  auto emit = [&](uint32_t frequency) {
    sink.start_doc(doc, frequency);
    if (has_positions_) decode_occurrences(positions, frequency, sink, payload);
  };
  while (!docs.at_end()) {
    uint32_t code = docs.read_vint();
    doc += has_freqs_ ? code >> 1 : code;
    emit(!has_freqs_ || (code & 1) != 0 ? 1 : docs.read_vint());
  }
  // The entry of the last document is still in the arrays.
  doc = last_doc_[id];
  emit(has_freqs_ ? freq_[id] : 1);
}

template <class Sink>
void FieldPostings::decode_occurrences(SliceReader& in, uint32_t frequency, Sink&& sink,
                                       std::vector<uint8_t>& payload) const {
  Decoded d{};
  for (uint32_t i = 0; i < frequency; ++i) {
    uint32_t code = in.read_vint();
    d.position += code >> 1;
    payload.clear();
    if ((code & 1) != 0) {
      payload.resize(in.read_vint());
      for (uint8_t& b : payload) b = in.read_byte();
    }
    d.payload = payload;
    if (has_offsets_) {
      d.start_offset += in.read_vint();
      d.end_offset = d.start_offset + in.read_vint();
    }
    sink.add_occurrence(d);
  }
}

}  // namespace postern::lucene_layout
