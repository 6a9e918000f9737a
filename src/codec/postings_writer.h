// Writes the postings lists of a segment: `.doc`, `.pos`, `.pay` and `.psm` (docs/formats/30, 32).
//
// A term's documents and positions are collected in buffers of 256. A full buffer becomes a packed
// block; what is left at the end of the term becomes a tail of variable-length integers, which for
// most terms is all there is.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_buffer.h"
#include "codec/impacts.h"
#include "codec/postings_batch.h"
#include "codec/postings_format.h"
#include "codec/segment_context.h"
#include "store/index_output.h"

namespace postern::codec {

class PostingsWriter {
 public:
  PostingsWriter(const SegmentContext& context, const FieldInfos& infos);

  // The files appear with the first document: a segment without terms has none.
  bool open() const { return doc_.has_value(); }
  void start_field(const FieldInfo& info, std::span<const uint8_t> norms);

  void start_doc(uint32_t doc) {
    if (doc_freq_ == 0) begin_term();
    assert(last_doc_ == kBeforeFirst || doc > last_doc_);
    deltas_[buffered_docs_] = doc - last_doc_;
    last_doc_ = doc;
  }
  void add_position(uint32_t delta) {
    assert(!parts_.offsets);
    position_deltas_[buffered_positions_] = delta;
    if (++buffered_positions_ == kPostingsBlock) write_position_block();
  }
  void add_position(uint32_t delta, std::span<const uint8_t> payload, uint32_t offset_start_delta,
                    uint32_t offset_length) {
    assert(payload.empty() || parts_.payloads);
    position_deltas_[buffered_positions_] = delta;
    payload_lengths_[buffered_positions_] = static_cast<uint32_t>(payload.size());
    payloads_.write(payload.data(), payload.size());
    offset_deltas_[buffered_positions_] = offset_start_delta;
    offset_lengths_[buffered_positions_] = offset_length;
    if (++buffered_positions_ == kPostingsBlock) write_position_block();
  }
  void finish_doc(uint32_t freq) {
    freqs_[buffered_docs_] = freq;
    total_term_freq_ += freq;
    ++doc_freq_;
    if (++buffered_docs_ == kPostingsBlock) write_doc_block();
  }
  // A whole term of a field with positions, but neither payloads nor offsets: each document with at
  // least one position. settle_batch: after at most kBatchRoom additions.
  PostingsBatch& begin_batch() {
    batch_.docs = batch_.positions = 0;
    return batch_;
  }
  void settle_batch() {
    // The last document may go on, so a block of documents is full when the next one has begun.
    if (batch_.docs > kPostingsBlock || batch_.positions >= kPostingsBlock) write_batch_blocks();
  }
  void end_batch();
  // doc_freq 0: the term had no documents and nothing was written.
  TermState finish_term();

  void close();
  // Names of the files created so far.
  const std::vector<std::string>& files() const { return files_; }

 private:
  static constexpr uint32_t kBeforeFirst = UINT32_MAX;  // -1, the base of the first delta

  // What the last skip entry of a level covered.
  struct Level {
    uint32_t last_doc = kBeforeFirst;
    uint64_t pos_fp = 0;
    uint64_t pay_fp = 0;
    ImpactAccumulator impacts;
    uint32_t max_impacts = 0;
    uint32_t max_impact_bytes = 0;
  };

  void begin_term();
  void open_files();
  store::IndexOutput& create(std::optional<store::IndexOutput>& out, const char* extension,
                             std::string_view codec);
  void write_batch_blocks();
  void write_batch_docs();
  void write_batch_positions();
  void write_doc_block();
  void write_level1_group();
  void write_doc_tail();
  void write_position_block();
  void write_position_tail();
  void write_position_tail_with_extras();
  void clear_positions();
  void encode_impacts(Level& level);
  void append_position_skip(Level& level, ByteBuffer& out);
  void collect_impacts();

  SegmentContext context_;
  bool any_positions_;
  bool any_pay_;
  std::optional<store::IndexOutput> doc_;
  std::optional<store::IndexOutput> pos_;
  std::optional<store::IndexOutput> pay_;
  std::vector<std::string> files_;

  PostingsParts parts_;
  std::span<const uint8_t> norms_;

  // State of the current term.
  uint32_t doc_freq_ = 0;
  uint32_t buffered_docs_ = 0;
  uint32_t last_doc_ = kBeforeFirst;
  uint32_t buffered_positions_ = 0;
  uint64_t total_term_freq_ = 0;
  uint64_t doc_start_ = 0;
  uint64_t pos_start_ = 0;
  uint64_t pay_start_ = 0;
  Level level0_;
  Level level1_;
  uint32_t group_blocks_ = 0;
  ByteBuffer group_;    // finished blocks whose group has no header yet
  ByteBuffer body_;     // the block being built
  ByteBuffer entry_;    // the skip entry being built
  ByteBuffer impacts_;  // one encoded impact list

  std::array<uint32_t, kPostingsBlock + kBatchRoom> deltas_;
  std::array<uint32_t, kPostingsBlock> freqs_;
  std::array<uint32_t, kPostingsBlock + kBatchRoom> position_deltas_;
  std::array<uint32_t, kPostingsBlock + kBatchRoom + 1> batch_starts_;
  PostingsBatch batch_{deltas_.data(), batch_starts_.data(), position_deltas_.data()};
  bool batch_has_blocks_ = false;
  // Zero beyond buffered_positions_, so that the short add_position need not touch them.
  std::array<uint32_t, kPostingsBlock> payload_lengths_{};
  std::array<uint32_t, kPostingsBlock> offset_deltas_{};
  std::array<uint32_t, kPostingsBlock> offset_lengths_{};
  ByteBuffer payloads_;  // of the buffered positions, concatenated
};

}  // namespace postern::codec
