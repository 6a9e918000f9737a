#include "codec/terms_block.h"

#include <algorithm>

#include "codec/postings_term_metadata.h"
#include "codec/suffix_compression.h"

namespace postern::codec {

void TermsBlock::load(std::span<const uint8_t> tim, std::string_view name, uint64_t fp,
                      const PostingsParts& parts) {
  name_ = name;
  parts_ = parts;
  fp_ = fp;
  ByteReader in(tim, name);
  in.seek(fp);
  uint32_t code = in.read_vint();
  entries_left_ = code >> 1;
  last_in_floor_ = code & 1;
  if (entries_left_ == 0) in.fail("a terms block without entries");

  uint64_t token = in.read_vlong();
  leaf_ = token & 4;
  unpacked_.clear();
  size_t suffix_bytes = token >> 3;
  auto kind = static_cast<SuffixCompression>(token & 3);
  if (kind == SuffixCompression::kNone) {
    suffixes_ = in.read_bytes(suffix_bytes);
  } else {
    decompress_suffixes(in, kind, suffix_bytes, unpacked_);
    suffixes_ = unpacked_.bytes();
  }
  suffixes_at_ = 0;

  auto sub_reader = [&](uint64_t size) { return ByteReader(in.read_bytes(size), name_); };
  uint32_t lengths_code = in.read_vint();
  equal_left_ = 0;
  equal_byte_ = -1;
  if (lengths_code & 1) {
    equal_byte_ = in.read_byte();
    equal_left_ = lengths_code >> 1;
  } else {
    lengths_ = sub_reader(lengths_code >> 1);
  }
  stats_ = sub_reader(in.read_vint());
  metadata_ = sub_reader(in.read_vint());
  end_ = in.position();

  suffix_ = {};
  first_ = true;
  any_term_ = false;
  singletons_left_ = 0;
}

uint8_t TermsBlock::next_length_byte() {
  if (equal_byte_ < 0) return lengths_.read_byte();
  if (equal_left_ == 0) stats_.fail("a terms block with too few suffix lengths");
  --equal_left_;
  return static_cast<uint8_t>(equal_byte_);
}

uint32_t TermsBlock::read_length_code() {
  if (equal_byte_ < 0) return lengths_.read_vint();
  // Repeated for ever, a byte with a continuation bit would be a number without end.
  if (equal_byte_ >= 0x80) stats_.fail("a terms block with an endless suffix length");
  return next_length_byte();
}

bool TermsBlock::next() {
  if (entries_left_ == 0) {
    check_end();
    return false;
  }
  --entries_left_;
  uint32_t code = read_length_code();
  is_block_ = !leaf_ && (code & 1);
  size_t length = leaf_ ? code : code >> 1;
  if (length > suffixes_.size() - suffixes_at_) stats_.fail("a terms block with too few suffixes");
  auto suffix = suffixes_.subspan(suffixes_at_, length);
  suffixes_at_ += length;
  if (!first_ && !std::ranges::lexicographical_compare(suffix_, suffix))
    stats_.fail("a terms block whose entries do not ascend");
  first_ = false;
  suffix_ = suffix;
  if (is_block_) {
    if (length == 0) stats_.fail("a terms block that contains another one of the same prefix");
    uint64_t distance = equal_byte_ < 0 ? lengths_.read_vlong() : read_length_code();
    if (distance == 0 || distance > fp_) stats_.fail("a terms block before the one it contains");
    sub_block_fp_ = fp_ - distance;
  } else {
    read_state();
  }
  return true;
}

void TermsBlock::read_state() {
  TermState state;
  if (singletons_left_ == 0) {
    uint32_t token = stats_.read_vint();
    if (token & 1) {
      singletons_left_ = (token >> 1) + 1;
    } else {
      state.doc_freq = token >> 1;
      if (state.doc_freq == 0 || state.doc_freq > INT32_MAX)
        stats_.fail("a term in " + std::to_string(state.doc_freq) + " documents");
      state.total_term_freq = state.doc_freq;
      if (parts_.freqs) state.total_term_freq += stats_.read_vlong();
    }
  }
  if (singletons_left_ > 0) {
    --singletons_left_;
    state.doc_freq = 1;
    state.total_term_freq = 1;
  }
  read_term_metadata(metadata_, state, any_term_ ? state_ : TermState(), parts_);
  state_ = state;
  any_term_ = true;
}

void TermsBlock::check_end() {
  if (suffixes_at_ != suffixes_.size() || equal_left_ != 0 ||
      (equal_byte_ < 0 && lengths_.remaining() != 0) || stats_.remaining() != 0 ||
      metadata_.remaining() != 0 || singletons_left_ != 0)
    stats_.fail("a terms block with bytes beyond its entries");
}

}  // namespace postern::codec
