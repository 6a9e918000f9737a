// Reads the positions, payloads and offsets of one term in sequence: `.pos` and `.pay`
// (docs/formats/30 §6-7).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "codec/postings_format.h"

namespace postern::codec {

// One occurrence as stored, relative to the one before it in the same document.
struct OccurrenceDeltas {
  uint32_t position = 0;
  uint32_t offset_start = 0;
  uint32_t offset_length = 0;
  std::span<const uint8_t> payload;  // valid until the next call
};

// Where the next occurrence begins, as skip entries tell it (docs/formats/30 §5.1).
struct OccurrencePlace {
  uint64_t pos_fp = 0;  // of the first block, or the tail, that is not passed yet
  uint32_t pos_upto = 0;
  uint64_t pay_fp = 0;  // the same in `.pay`; 0 if it is not used
  uint64_t pay_upto = 0;
  bool operator==(const OccurrencePlace&) const = default;
};

// Any bytes are safe: what is corrupt throws CorruptIndex.
class PositionsDecoder {
 public:
  // pos, pay: at the start of the term's list; pay is not used unless the field has offsets or
  // payloads.
  void start(ByteReader pos, ByteReader pay, const PostingsParts& parts, uint64_t occurrences);
  OccurrenceDeltas next();
  // Passes by n occurrences.
  void skip(uint64_t n);
  OccurrencePlace place() const;
  // Behind what has been loaded.
  uint64_t pos_end() const { return pos_.position(); }
  uint64_t pay_end() const { return parts_.pay() ? pay_.position() : 0; }

 private:
  void load_block();
  void load_tail(uint32_t n);
  void skip_block();

  ByteReader pos_{{}, {}};
  ByteReader pay_{{}, {}};
  PostingsParts parts_;
  uint64_t not_loaded_ = 0;
  uint32_t index_ = 0;
  uint32_t loaded_ = 0;
  size_t payload_at_ = 0;
  size_t block_pos_ = 0;  // where the loaded block, or tail, begins
  size_t block_pay_ = 0;
  std::array<uint32_t, kPostingsBlock> deltas_;
  std::array<uint32_t, kPostingsBlock> payload_lengths_;
  std::array<uint32_t, kPostingsBlock> offset_deltas_;
  std::array<uint32_t, kPostingsBlock> offset_lengths_;
  std::span<const uint8_t> payloads_;
  ByteBuffer tail_payloads_;
};

}  // namespace postern::codec
