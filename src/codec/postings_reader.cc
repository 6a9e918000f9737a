#include "codec/postings_reader.h"

#include <algorithm>

#include "codec/pfor.h"
#include "codec/postings_doc_block.h"
#include "codec/postings_group_varint.h"
#include "codec/segment_context.h"

namespace postern::codec {
namespace {

uint64_t read_vlong15(ByteReader& in) {
  uint64_t low = in.read_le16();
  if (low < 0x8000) return low;
  uint64_t high = in.read_vlong();
  if (high > UINT64_MAX >> 15) in.fail("a length of more than 64 bits");
  return (low & 0x7fff) | high << 15;
}

// The end of what begins here and is `length` bytes long.
size_t end_of(ByteReader& in, uint64_t length) {
  if (length > in.remaining()) in.fail("a length of " + std::to_string(length) + " bytes");
  return in.position() + static_cast<size_t>(length);
}

}  // namespace

// ---- the segment

PostingsReader::PostingsReader(const Directory& directory, const std::string& segment,
                               const store::ObjectId& id, const FieldInfos& infos, uint32_t max_doc)
    : segment_(segment), max_doc_(max_doc) {
  doc_ = open(directory, "doc", kPostingsDocCodec, id);
  if (infos.any_positions()) {
    pos_ = open(directory, "pos", kPostingsPosCodec, id);
    if (infos.any_offsets_or_payloads()) pay_ = open(directory, "pay", kPostingsPayCodec, id);
  }
  read_meta(directory, id);
}

PostingsReader::File PostingsReader::open(const Directory& directory, const char* extension,
                                          std::string_view codec, const store::ObjectId& id) const {
  File out{segment_file(segment_, kPostingsSuffix, extension), nullptr};
  out.file = directory.open(out.name);
  store::check_footer(out.file->bytes(), out.name, false);
  ByteReader in = out.at(0);
  store::check_index_header(in, {codec, kPostingsVersion, kPostingsVersion, &id, kPostingsSuffix});
  return out;
}

void PostingsReader::read_meta(const Directory& directory, const store::ObjectId& id) {
  File meta = open(directory, "psm", kPostingsMetaCodec, id);
  store::check_footer(meta.file->bytes(), meta.name, true);
  ByteReader in = meta.at(0);
  store::check_index_header(
      in, {kPostingsMetaCodec, kPostingsVersion, kPostingsVersion, &id, kPostingsSuffix});
  for (uint32_t* maximum :
       {&maxima_.block_pairs, &maxima_.block_bytes, &maxima_.group_pairs, &maxima_.group_bytes})
    *maximum = in.read_le32();
  for (const File* file : {&doc_, &pos_, &pay_}) {
    if (file->file && in.read_le64() != file->file->bytes().size())
      in.fail("another length of " + file->name);
  }
  if (in.remaining() != 0) in.fail("bytes beyond its end");
}

ByteReader PostingsReader::File::at(uint64_t position) const {
  if (!file) throw CorruptIndex(name + ": does not exist, although terms point into it");
  ByteReader in(file->bytes().first(file->bytes().size() - store::kFooterLength), name);
  in.seek(position);
  return in;
}

// ---- documents

PostingsCursor::PostingsCursor(const PostingsReader& reader, const PostingsParts& parts,
                               const TermState& state)
    : in_(reader.doc_.at(state.doc_freq == 1 ? 0 : state.doc_start)),
      parts_(parts),
      state_(state),
      max_doc_(reader.max_doc_) {
  if (!parts.positions) return;
  ByteReader pay({}, {});
  if (parts.pay()) pay = reader.pay_.at(state.pay_start);
  positions_.start(reader.pos_.at(state.pos_start), pay, parts, state.total_term_freq);
}

void PostingsCursor::check_doc(uint64_t doc) const {
  if (doc >= max_doc_)
    in_.fail("document " + std::to_string(doc) + " of " + std::to_string(max_doc_));
}

uint32_t PostingsCursor::next_doc() {
  if (index_ == block_size_) {
    if (docs_loaded_ == state_.doc_freq) return doc_ = kNoMoreDocs;
    load_docs();
  }
  unread_before_ += unread_;
  doc_ = docs_[index_];
  freq_ = freqs_[index_];
  ++index_;
  if (parts_.positions) unread_ = freq_;
  position_ = start_offset_base_ = 0;
  return doc_;
}

void PostingsCursor::load_docs() {
  uint32_t left = state_.doc_freq - docs_loaded_;
  index_ = 0;
  if (state_.doc_freq == 1) {
    if (state_.total_term_freq > INT32_MAX) in_.fail("a frequency of more than 31 bits");
    docs_[0] = state_.singleton_doc;
    freqs_[0] = static_cast<uint32_t>(state_.total_term_freq);
    check_doc(docs_[0]);
    block_size_ = 1;
  } else if (left >= kPostingsBlock) {
    if (docs_loaded_ % kLevel1Docs == 0) {
      in_group_ = left >= kLevel1Docs;
      if (in_group_) read_level1_header();
    }
    load_full_block();
    block_size_ = kPostingsBlock;
    if ((docs_loaded_ + kPostingsBlock) % kLevel1Docs == 0) check_level1_end();
  } else {
    load_tail(left);
    block_size_ = left;
  }
  docs_loaded_ += block_size_;
  if (!parts_.freqs) {
    std::fill_n(freqs_.begin(), block_size_, 1);
  } else if (std::any_of(freqs_.begin(), freqs_.begin() + block_size_,
                         [](uint32_t f) { return f == 0 || f > INT32_MAX; })) {
    in_.fail("a frequency that is not 1 ... 2^31 - 1");
  }
}

void PostingsCursor::read_level1_header() {
  level1_base_ += in_.read_vint();
  level1_end_ = end_of(in_, in_.read_vlong());
  group_first_ = docs_loaded_;
  group_skip_begin_ = group_skip_end_ = in_.position();
  if (!parts_.freqs) return;
  const uint32_t length = in_.read_le16();
  group_skip_begin_ = in_.position();
  in_.skip(length);
  group_skip_end_ = in_.position();
}

SkipEntry PostingsCursor::block_skip_entry() const {
  ByteReader in = in_;
  in.seek(block_skip_begin_);
  return read_skip_entry(in, block_skip_end_, parts_, SkipLevel::kBlock);
}

SkipEntry PostingsCursor::group_skip_entry() const {
  ByteReader in = in_;
  in.seek(group_skip_begin_);
  return read_skip_entry(in, group_skip_end_, parts_, SkipLevel::kGroup);
}

// A group is as long, and ends with the document, that its header says.
void PostingsCursor::check_level1_end() const {
  if (in_.position() != level1_end_ || base_ != level1_base_)
    in_.fail("a group of 32 blocks that does not end where its header says");
}

void PostingsCursor::load_full_block() {
  size_t skip_end = end_of(in_, in_.read_vlong());
  uint64_t last_doc = uint64_t{base_ + 1} + read_vlong15(in_);  // plus 1
  size_t block_end = end_of(in_, read_vlong15(in_));
  if (skip_end < in_.position() || skip_end > block_end) in_.fail("a skip entry outside its block");
  block_skip_begin_ = in_.position();
  block_skip_end_ = skip_end;
  in_.seek(skip_end);
  read_doc_block(in_, base_, docs_.data());
  if (parts_.freqs) decode_pfor(in_, freqs_.data());
  base_ = docs_[kPostingsBlock - 1];
  check_doc(base_);
  if (in_.position() != block_end || uint64_t{base_} + 1 != last_doc)
    in_.fail("a block that does not end where its skip entry says");
}

void PostingsCursor::load_tail(uint32_t n) {
  read_group_varint(in_, docs_.data(), n);
  uint64_t doc = base_ == UINT32_MAX ? 0 : uint64_t{base_} + 1;  // plus 1
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t delta = parts_.freqs ? docs_[i] >> 1 : docs_[i];
    if (parts_.freqs) freqs_[i] = docs_[i] & 1;
    doc += delta;
    if (delta == 0) in_.fail("a document twice in one list");
    check_doc(doc - 1);
    docs_[i] = static_cast<uint32_t>(doc - 1);
  }
  base_ = docs_[n - 1];
  if (!parts_.freqs) return;
  for (uint32_t i = 0; i < n; ++i) {
    if (freqs_[i] == 0) freqs_[i] = in_.read_vint();
  }
}

// ---- positions

uint32_t PostingsCursor::next_position() {
  if (unread_ == 0) in_.fail("a position beyond the frequency");
  positions_.skip(unread_before_);
  unread_before_ = 0;
  --unread_;
  OccurrenceDeltas deltas = positions_.next();
  position_ += deltas.position;
  start_offset_base_ += deltas.offset_start;
  uint64_t end = start_offset_base_ + deltas.offset_length;
  if (position_ > INT32_MAX || end > INT32_MAX)
    in_.fail("a position or offset of more than 31 bits in document " + std::to_string(doc_));
  start_offset_ = static_cast<uint32_t>(start_offset_base_);
  end_offset_ = static_cast<uint32_t>(end);
  payload_ = deltas.payload;
  return static_cast<uint32_t>(position_);
}

}  // namespace postern::codec
