#include "codec/postings_positions.h"

#include <numeric>

#include "codec/pfor.h"

namespace postern::codec {

void PositionsDecoder::start(ByteReader pos, ByteReader pay, const PostingsParts& parts,
                             uint64_t occurrences) {
  pos_ = pos;
  pay_ = pay;
  parts_ = parts;
  not_loaded_ = occurrences;
  index_ = loaded_ = 0;
  payload_at_ = 0;
  payloads_ = {};
}

void PositionsDecoder::load_block() {
  if (not_loaded_ == 0) pos_.fail("more occurrences of a term than its total frequency");
  index_ = 0;
  payload_at_ = 0;
  block_pos_ = pos_.position();
  block_pay_ = pay_.position();
  if (not_loaded_ < kPostingsBlock) {
    load_tail(static_cast<uint32_t>(not_loaded_));
    return;
  }
  decode_pfor(pos_, deltas_.data());
  if (parts_.payloads) {
    decode_pfor(pay_, payload_lengths_.data());
    payloads_ = pay_.read_bytes(pay_.read_vint());
    uint64_t sum = std::accumulate(payload_lengths_.begin(), payload_lengths_.end(), uint64_t{0});
    if (sum != payloads_.size()) pay_.fail("payloads whose lengths are not those of their bytes");
  }
  if (parts_.offsets) {
    decode_pfor(pay_, offset_deltas_.data());
    decode_pfor(pay_, offset_lengths_.data());
  }
  loaded_ = kPostingsBlock;
  not_loaded_ -= kPostingsBlock;
}

void PositionsDecoder::load_tail(uint32_t n) {
  tail_payloads_.clear();
  uint32_t payload_length = 0;
  uint32_t offset_length = 0;
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t code = pos_.read_vint();
    if (parts_.payloads) {
      if (code & 1) {
        payload_length = pos_.read_vint();
      } else if (i == 0) {
        pos_.fail("a payload without a length");
      }
      code >>= 1;
      payload_lengths_[i] = payload_length;
      tail_payloads_.write_bytes(pos_.read_bytes(payload_length));
    }
    deltas_[i] = code;
    if (parts_.offsets) {
      uint32_t offset_code = pos_.read_vint();
      if (offset_code & 1) {
        offset_length = pos_.read_vint();
      } else if (i == 0) {
        pos_.fail("an offset without a length");
      }
      offset_deltas_[i] = offset_code >> 1;
      offset_lengths_[i] = offset_length;
    }
  }
  payloads_ = tail_payloads_.bytes();
  loaded_ = n;
  not_loaded_ = 0;
}

OccurrencePlace PositionsDecoder::place() const {
  if (loaded_ == 0 || index_ == kPostingsBlock) return {pos_end(), 0, pay_end(), 0};
  return {block_pos_, index_, parts_.pay() ? block_pay_ : 0, parts_.payloads ? payload_at_ : 0};
}

OccurrenceDeltas PositionsDecoder::next() {
  if (index_ == loaded_) load_block();
  OccurrenceDeltas out;
  out.position = deltas_[index_];
  if (parts_.payloads) {
    out.payload = payloads_.subspan(payload_at_, payload_lengths_[index_]);
    payload_at_ += payload_lengths_[index_];
  }
  if (parts_.offsets) {
    out.offset_start = offset_deltas_[index_];
    out.offset_length = offset_lengths_[index_];
  }
  ++index_;
  return out;
}

void PositionsDecoder::skip_block() {
  skip_pfor(pos_);
  if (parts_.payloads) {
    skip_pfor(pay_);
    pay_.skip(pay_.read_vint());
  }
  if (parts_.offsets) {
    skip_pfor(pay_);
    skip_pfor(pay_);
  }
  not_loaded_ -= kPostingsBlock;
}

void PositionsDecoder::skip(uint64_t n) {
  while (n > 0) {
    uint32_t here = loaded_ - index_;
    if (here == 0) {
      if (n >= kPostingsBlock && not_loaded_ >= kPostingsBlock) {
        skip_block();
        n -= kPostingsBlock;
        continue;
      }
      load_block();
      here = loaded_;
    }
    uint32_t step = static_cast<uint32_t>(std::min<uint64_t>(n, here));
    for (uint32_t i = 0; parts_.payloads && i < step; ++i)
      payload_at_ += payload_lengths_[index_ + i];
    index_ += step;
    n -= step;
  }
}

}  // namespace postern::codec
