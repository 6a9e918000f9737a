// Reads one block of the terms dictionary, entry by entry (docs/formats/31 §3-5).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "codec/postings_format.h"

namespace postern::codec {

// Any bytes are safe: what is not a block throws CorruptIndex. Can be loaded again and again; keeps
// its memory.
class TermsBlock {
 public:
  // tim: the file without its footer; it and `name`, the file's, must outlive the block's use.
  void load(std::span<const uint8_t> tim, std::string_view name, uint64_t fp,
            const PostingsParts& parts);

  // To the first, then to each following entry; false at the end. Suffixes ascend strictly.
  bool next();
  // Of the current entry; valid until load.
  std::span<const uint8_t> suffix() const { return suffix_; }
  // The entry stands for a block of terms with a longer prefix, at sub_block_fp().
  bool is_block() const { return is_block_; }
  uint64_t sub_block_fp() const { return sub_block_fp_; }
  // If it is a term.
  const TermState& state() const { return state_; }

  uint64_t fp() const { return fp_; }
  // Behind the block; there begins the next floor block unless this one is the last.
  uint64_t end() const { return end_; }
  bool last_in_floor() const { return last_in_floor_; }

 private:
  uint32_t read_length_code();
  uint8_t next_length_byte();
  void read_state();
  void check_end();

  std::string_view name_;
  PostingsParts parts_;
  uint64_t fp_ = 0;
  uint64_t end_ = 0;
  bool last_in_floor_ = true;
  bool leaf_ = true;
  uint32_t entries_left_ = 0;

  ByteBuffer unpacked_;
  std::span<const uint8_t> suffixes_;
  size_t suffixes_at_ = 0;
  ByteReader lengths_{{}, {}};
  // Every byte of the lengths is this one, and so many are left; -1: lengths_ has them.
  int equal_byte_ = -1;
  uint64_t equal_left_ = 0;
  ByteReader stats_{{}, {}};
  ByteReader metadata_{{}, {}};

  std::span<const uint8_t> suffix_;
  bool first_ = true;
  bool is_block_ = false;
  uint64_t sub_block_fp_ = 0;
  TermState state_;
  bool any_term_ = false;
  uint32_t singletons_left_ = 0;  // of a run of terms with one occurrence
};

}  // namespace postern::codec
