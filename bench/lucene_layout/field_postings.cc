#include "lucene_layout/field_postings.h"

#include <limits>

#include "lucene_layout/array_growth.h"
#include "lucene_layout/term_sort.h"

namespace postern::lucene_layout {

Pools::Pools(PoolLayout layout) : separate_(layout == PoolLayout::kSeparate) {
  if (layout == PoolLayout::kInline) {
    throw InvalidArgument("Lucene's layout has the pools shared or separate, not inline");
  }
}

void Pools::reset() {
  ints.reset(false, false);
  postings.reset(false, false);
  own_terms_.reset(false, false);
}

FieldPostings::FieldPostings(Pools& pools, IndexOptions options)
    : pools_(pools),
      has_freqs_(options >= IndexOptions::kFreqs),
      has_positions_(options >= IndexOptions::kPositions),
      has_offsets_(options >= IndexOptions::kOffsets),
      stream_count_(has_positions_ ? 2 : 1),
      // Three addresses, last document and code; then frequency, last position, last offset.
      bytes_per_posting_(20 + 4 * (uint32_t{has_freqs_} + has_positions_ + has_offsets_)),
      hash_(pools.terms(), pools.counter) {
  resize_arrays(kInitialArraySize);
}

FieldPostings::~FieldPostings() { resize_arrays(0); }

void FieldPostings::resize_arrays(uint32_t size) {
  pools_.counter.bytes += uint64_t{size} * bytes_per_posting_;
  pools_.counter.bytes -= uint64_t{text_start_.size()} * bytes_per_posting_;
  auto resize = [size](std::vector<uint32_t>& array) {
    std::vector<uint32_t> other(size);
    if (!array.empty() && size > 0) {
      std::memcpy(other.data(), array.data(), std::min<size_t>(array.size(), size) * 4);
    }
    array.swap(other);
  };
  for (auto* array : {&text_start_, &address_offset_, &byte_start_, &last_doc_, &last_code_}) {
    resize(*array);
  }
  if (has_freqs_) resize(freq_);
  if (has_positions_) resize(last_position_);
  if (has_offsets_) resize(last_offset_);
}

TermHash::Added FieldPostings::add(const Occurrence& token) {
  TermHash::Added added = hash_.add(token.term, text_start_, [this](uint32_t id) {
    if (id == text_start_.size()) resize_arrays(grown_size(id + 1, bytes_per_posting_));
  });
  if (added.is_new) {
    new_term(added.id, token);
  } else {
    heads_ = pools_.ints.at(address_offset_[added.id]);
    seen_term(added.id, token);
  }
  return added;
}

void FieldPostings::new_term(uint32_t id, const Occurrence& token) {
  address_offset_[id] = pools_.ints.allocate(stream_count_);
  heads_ = pools_.ints.at(address_offset_[id]);
  // The first slices of a term are adjacent.
  if (pools_.postings.free_in_block() < 2 * stream_count_ * kFirstSliceSize) {
    pools_.postings.next_block();
  }
  for (uint32_t i = 0; i < stream_count_; ++i) {
    heads_[i] = new_slice(pools_.postings, kFirstSliceSize);
  }
  byte_start_[id] = heads_[0];
  last_doc_[id] = token.doc;
  last_code_[id] = has_freqs_ ? token.doc << 1 : token.doc;
  if (has_freqs_) freq_[id] = token.frequency;
  if (has_positions_) write_occurrence(id, token.position, token);
}

void FieldPostings::seen_term(uint32_t id, const Occurrence& token) {
  if (token.doc != last_doc_[id]) {
    write_pending(id);
    uint32_t delta = token.doc - last_doc_[id];
    last_code_[id] = has_freqs_ ? delta << 1 : delta;
    last_doc_[id] = token.doc;
    if (has_freqs_) freq_[id] = token.frequency;
    if (has_offsets_) last_offset_[id] = 0;
    if (has_positions_) write_occurrence(id, token.position, token);
  } else if (has_freqs_) {
    if (freq_[id] > std::numeric_limits<int32_t>::max() - token.frequency) {
      throw LimitExceeded("the frequency of a term in document " + std::to_string(token.doc) +
                          " exceeds 2147483647");
    }
    freq_[id] += token.frequency;
    if (has_positions_) write_occurrence(id, token.position - last_position_[id], token);
  }
}

void FieldPostings::write_pending(uint32_t id) {
  if (!has_freqs_) {
    put(0, last_code_[id]);
  } else if (freq_[id] == 1) {
    put(0, last_code_[id] | 1);
  } else {
    put(0, last_code_[id]);
    put(0, freq_[id]);
  }
}

void FieldPostings::write_occurrence(uint32_t id, uint32_t position_delta,
                                     const Occurrence& token) {
  if (token.payload.empty()) {
    put(1, position_delta << 1);
  } else {
    put(1, position_delta << 1 | 1);
    put(1, static_cast<uint32_t>(token.payload.size()));
    write_bytes(pools_.postings, heads_[1], token.payload);
  }
  last_position_[id] = token.position;
  if (has_offsets_) {
    put(1, token.start_offset - last_offset_[id]);
    put(1, token.end_offset - token.start_offset);
    last_offset_[id] = token.start_offset;
  }
}

std::span<const uint32_t> FieldPostings::sort_terms() {
  std::vector<uint32_t>& table = hash_.compact();
  TermSort(pools_.terms(), text_start_).sort(table, hash_.size());
  return std::span<const uint32_t>(table).first(hash_.size());
}

}  // namespace postern::lucene_layout
