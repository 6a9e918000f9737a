#include "codec/terms_dict_writer.h"

#include <algorithm>
#include <cassert>

#include "codec/doc_values_format.h"

namespace postern::codec {

TermsDictWriter::TermsDictWriter(store::IndexOutput& data, store::IndexOutput& meta)
    : data_(data),
      meta_(meta),
      start_(data.file_pointer()),
      block_starts_(block_meta_, block_addresses_, kDocValuesMonotonicShift),
      key_ends_(key_meta_, key_addresses_, kDocValuesMonotonicShift) {
  key_ends_.add(0);
}

void TermsDictWriter::add(std::span<const uint8_t> term) {
  const size_t common = std::min(previous_.size(), term.size());
  const size_t prefix = lz4_common_length(previous_.data(), term.data(), term.data() + common);
  assert(count_ == 0 || (prefix < term.size() &&
                         (prefix == previous_.size() || previous_.data()[prefix] < term[prefix])));
  if (count_ % kTermsBlock == 0) {
    finish_block();
    start_block(term);
  } else {
    add_to_block(term, prefix);
  }
  if ((count_ & ((1u << kTermsIndexShift) - 1)) == 0) add_index_key(term, prefix);
  max_term_ = std::max(max_term_, term.size());
  previous_.resize(prefix);
  previous_.write_bytes(term.subspan(prefix));
  ++count_;
}

void TermsDictWriter::start_block(std::span<const uint8_t> term) {
  block_starts_.add(static_cast<int64_t>(data_.file_pointer() - start_));
  data_.write_vint(static_cast<uint32_t>(term.size()));
  data_.write_bytes(term);
  block_.clear();
  block_.write_bytes(term);
  block_start_ = term.size();
}

void TermsDictWriter::add_to_block(std::span<const uint8_t> term, size_t prefix) {
  const size_t suffix = term.size() - prefix;
  block_.write_byte(
      static_cast<uint8_t>(std::min<size_t>(prefix, 15) | std::min<size_t>(suffix - 1, 15) << 4));
  if (prefix >= 15) block_.write_vint(static_cast<uint32_t>(prefix - 15));
  if (suffix >= 16) block_.write_vint(static_cast<uint32_t>(suffix - 16));
  block_.write_bytes(term.subspan(prefix));
}

void TermsDictWriter::finish_block() {
  const size_t length = block_.size() - block_start_;
  if (length == 0) return;
  max_block_ = std::max(max_block_, length);
  data_.write_vint(static_cast<uint32_t>(length));
  compressed_.clear();
  lz4_.compress(block_.bytes(), block_start_, compressed_);
  data_.write_bytes(compressed_.bytes());
}

// The first term's key is empty; the others are the shortest prefix greater than the term before.
void TermsDictWriter::add_index_key(std::span<const uint8_t> term, size_t prefix) {
  if (count_ != 0) keys_.write_bytes(term.first(prefix + 1));
  key_ends_.add(static_cast<int64_t>(keys_.size()));
}

void TermsDictWriter::finish() {
  finish_block();
  block_starts_.finish();
  key_ends_.finish();
  auto describe_part = [&](uint64_t begin) {
    meta_.write_le64(begin);
    meta_.write_le64(data_.file_pointer() - begin);
  };
  auto write_part = [&](const ByteBuffer& part) {
    const uint64_t begin = data_.file_pointer();
    data_.write_bytes(part.bytes());
    describe_part(begin);
  };
  meta_.write_vlong(count_);
  meta_.write_le32(kDocValuesMonotonicShift);
  meta_.write_bytes(block_meta_.bytes());
  meta_.write_le32(static_cast<uint32_t>(max_term_));
  meta_.write_le32(static_cast<uint32_t>(max_block_));
  describe_part(start_);
  write_part(block_addresses_);
  meta_.write_le32(kTermsIndexShift);
  meta_.write_bytes(key_meta_.bytes());
  write_part(keys_);
  write_part(key_addresses_);
}

}  // namespace postern::codec
