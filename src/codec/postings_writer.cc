#include "codec/postings_writer.h"

#include "codec/pfor.h"
#include "codec/postings_doc_block.h"
#include "codec/postings_group_varint.h"
#include "store/codec_header.h"

namespace postern::codec {
namespace {

using store::IndexOutput;

// A little-endian uint16; from 2^15 on its low 15 bits under a flag, then the rest as vLong.
void write_vlong15(ByteBuffer& out, uint64_t v) {
  if (v < 0x8000) {
    out.write_le16(static_cast<uint16_t>(v));
  } else {
    out.write_le16(static_cast<uint16_t>(0x8000 | (v & 0x7fff)));
    out.write_vlong(v >> 15);
  }
}

void close_output(IndexOutput& out) {
  store::write_footer(out);
  out.close();
}

}  // namespace

PostingsWriter::PostingsWriter(const SegmentContext& context, const FieldInfos& infos)
    : context_(context),
      any_positions_(infos.any_positions()),
      any_pay_(any_positions_ && infos.any_offsets_or_payloads()) {}

void PostingsWriter::start_field(const FieldInfo& info, std::span<const uint8_t> norms) {
  parts_ = PostingsParts(info);
  norms_ = norms;
}

IndexOutput& PostingsWriter::create(std::optional<IndexOutput>& out, const char* extension,
                                    std::string_view codec) {
  files_.push_back(segment_file(context_.segment, kPostingsSuffix, extension));
  out.emplace(context_.directory, files_.back());
  store::write_index_header(*out, codec, kPostingsVersion, context_.id, kPostingsSuffix);
  return *out;
}

void PostingsWriter::open_files() {
  create(doc_, "doc", kPostingsDocCodec);
  if (any_positions_) create(pos_, "pos", kPostingsPosCodec);
  if (any_pay_) create(pay_, "pay", kPostingsPayCodec);
}

void PostingsWriter::begin_term() {
  if (!open()) open_files();
  last_doc_ = kBeforeFirst;
  total_term_freq_ = 0;
  doc_start_ = doc_->file_pointer();
  pos_start_ = parts_.positions ? pos_->file_pointer() : 0;
  pay_start_ = parts_.pay() ? pay_->file_pointer() : 0;
  for (Level* level : {&level0_, &level1_}) {
    level->last_doc = kBeforeFirst;
    level->pos_fp = pos_start_;
    level->pay_fp = pay_start_;
  }
}

TermState PostingsWriter::finish_term() {
  TermState state;
  if (doc_freq_ == 0) return state;
  state.doc_freq = doc_freq_;
  state.total_term_freq = parts_.freqs ? total_term_freq_ : doc_freq_;
  state.doc_start = doc_start_;
  state.pos_start = pos_start_;
  state.pay_start = pay_start_;
  if (doc_freq_ == 1) {
    state.singleton_doc = last_doc_;
  } else {
    if (doc_freq_ >= kPostingsBlock) {
      doc_->write(group_.data(), group_.size());
      group_.clear();
      group_blocks_ = 0;
      level1_.impacts.clear();
    }
    if (buffered_docs_ > 0) write_doc_tail();
  }
  if (parts_.positions) {
    if (state.total_term_freq > kPostingsBlock)
      state.last_pos_block_offset = pos_->file_pointer() - pos_start_;
    if (buffered_positions_ > 0) {
      if (parts_.pay()) {
        write_position_tail_with_extras();
      } else {
        write_position_tail();
      }
    }
  }
  doc_freq_ = 0;
  buffered_docs_ = 0;
  return state;
}

// ---- documents

void PostingsWriter::write_doc_tail() {
  uint32_t n = buffered_docs_;
  uint8_t* begin = doc_->reserve(max_group_varint_bytes(kPostingsBlock) + 5 * kPostingsBlock);
  uint8_t* p;
  if (parts_.freqs) {
    for (uint32_t i = 0; i < n; ++i) deltas_[i] = deltas_[i] << 1 | (freqs_[i] == 1);
    p = put_group_varint(begin, deltas_.data(), n);
    for (uint32_t i = 0; i < n; ++i) {
      if (freqs_[i] < 0x80) {
        *p = static_cast<uint8_t>(freqs_[i]);
        p += freqs_[i] != 1;
      } else {
        p = put_vint(p, freqs_[i]);
      }
    }
  } else {
    p = put_group_varint(begin, deltas_.data(), n);
  }
  doc_->advance(static_cast<size_t>(p - begin));
}

void PostingsWriter::collect_impacts() {
  uint32_t doc = level0_.last_doc;
  for (uint32_t i = 0; i < kPostingsBlock; ++i) {
    doc += deltas_[i];
    assert(norms_.empty() || doc < norms_.size());
    level0_.impacts.add(freqs_[i], norms_.empty() ? 1 : norms_[doc]);
  }
}

// Leaves the list in impacts_ and empties the level's accumulator.
void PostingsWriter::encode_impacts(Level& level) {
  impacts_.clear();
  uint32_t pairs = level.impacts.encode(impacts_);
  level.impacts.clear();
  level.max_impacts = std::max(level.max_impacts, pairs);
  level.max_impact_bytes = std::max(level.max_impact_bytes, static_cast<uint32_t>(impacts_.size()));
}

// Where the position writer stands after the last document covered.
void PostingsWriter::append_position_skip(Level& level, ByteBuffer& out) {
  if (!parts_.positions) return;
  out.write_vlong(pos_->file_pointer() - level.pos_fp);
  out.write_byte(static_cast<uint8_t>(buffered_positions_));
  level.pos_fp = pos_->file_pointer();
  if (!parts_.pay()) return;
  out.write_vlong(pay_->file_pointer() - level.pay_fp);
  out.write_vlong(payloads_.size());
  level.pay_fp = pay_->file_pointer();
}

void PostingsWriter::write_doc_block() {
  body_.clear();
  if (parts_.freqs) {
    collect_impacts();
    level1_.impacts.merge(level0_.impacts);
    encode_impacts(level0_);
    body_.write_vlong(impacts_.size());
    body_.write_bytes(impacts_.bytes());
    append_position_skip(level0_, body_);
  }
  size_t skip_bytes = body_.size();
  uint32_t range = last_doc_ - level0_.last_doc;
  codec::write_doc_block(body_, deltas_.data(), range);
  if (parts_.freqs) write_pfor(body_, freqs_.data());

  entry_.clear();
  write_vlong15(entry_, range);
  write_vlong15(entry_, body_.size());
  group_.write_vlong(entry_.size() + skip_bytes);
  group_.write_bytes(entry_.bytes());
  group_.write_bytes(body_.bytes());
  level0_.last_doc = last_doc_;
  buffered_docs_ = 0;
  if (++group_blocks_ == kLevel1Blocks) write_level1_group();
}

void PostingsWriter::write_level1_group() {
  doc_->write_vint(last_doc_ - level1_.last_doc);
  if (parts_.freqs) {
    encode_impacts(level1_);
    entry_.clear();
    entry_.write_le16(static_cast<uint16_t>(impacts_.size()));
    entry_.write_bytes(impacts_.bytes());
    append_position_skip(level1_, entry_);
    doc_->write_vlong(2 + entry_.size() + group_.size());
    doc_->write_le16(static_cast<uint16_t>(entry_.size()));
    doc_->write_bytes(entry_.bytes());
  } else {
    doc_->write_vlong(group_.size());
  }
  doc_->write_bytes(group_.bytes());
  group_.clear();
  group_blocks_ = 0;
  level1_.last_doc = last_doc_;
}

// ---- positions

void PostingsWriter::write_position_block() {
  write_pfor(*pos_, position_deltas_.data());
  if (parts_.payloads) {
    write_pfor(*pay_, payload_lengths_.data());
    pay_->write_vlong(payloads_.size());
    pay_->write_bytes(payloads_.bytes());
  }
  if (parts_.offsets) {
    write_pfor(*pay_, offset_deltas_.data());
    write_pfor(*pay_, offset_lengths_.data());
  }
  clear_positions();
}

void PostingsWriter::clear_positions() {
  if (parts_.pay()) {
    std::fill_n(payload_lengths_.begin(), buffered_positions_, 0);
    std::fill_n(offset_deltas_.begin(), buffered_positions_, 0);
    std::fill_n(offset_lengths_.begin(), buffered_positions_, 0);
    payloads_.clear();
  }
  buffered_positions_ = 0;
}

void PostingsWriter::write_position_tail() {
  uint8_t* begin = pos_->reserve(5 * kPostingsBlock + 2);
  uint8_t* p = begin;
  for (uint32_t i = 0; i < buffered_positions_; ++i) p = put_short_vint(p, position_deltas_[i]);
  pos_->advance(static_cast<size_t>(p - begin));
  buffered_positions_ = 0;
}

void PostingsWriter::write_position_tail_with_extras() {
  // No length is like these, so the first occurrence states its own.
  uint32_t payload_length = UINT32_MAX;
  uint32_t offset_length = UINT32_MAX;
  const uint8_t* payload = payloads_.data();
  for (uint32_t i = 0; i < buffered_positions_; ++i) {
    if (parts_.payloads) {
      bool changed = payload_lengths_[i] != payload_length;
      payload_length = payload_lengths_[i];
      pos_->write_vint(position_deltas_[i] << 1 | changed);
      if (changed) pos_->write_vint(payload_length);
      if (payload_length > 0) {
        pos_->write(payload, payload_length);
        payload += payload_length;
      }
    } else {
      pos_->write_vint(position_deltas_[i]);
    }
    if (parts_.offsets) {
      bool changed = offset_lengths_[i] != offset_length;
      offset_length = offset_lengths_[i];
      pos_->write_vint(offset_deltas_[i] << 1 | changed);
      if (changed) pos_->write_vint(offset_length);
    }
  }
  clear_positions();
}

// ---- files

void PostingsWriter::close() {
  if (!open()) return;
  close_output(*doc_);
  if (pos_) close_output(*pos_);
  if (pay_) close_output(*pay_);

  std::optional<IndexOutput> meta_file;
  IndexOutput& meta = create(meta_file, "psm", kPostingsMetaCodec);
  for (const Level* level : {&level0_, &level1_}) {
    meta.write_le32(level->max_impacts);
    meta.write_le32(level->max_impact_bytes);
  }
  meta.write_le64(doc_->file_pointer());
  if (pos_) meta.write_le64(pos_->file_pointer());
  if (pay_) meta.write_le64(pay_->file_pointer());
  close_output(meta);
}

}  // namespace postern::codec
