#include "codec/terms_reader.h"

#include <algorithm>

#include "codec/segment_context.h"
#include "codec/trie_format.h"

namespace postern::codec {
namespace {

std::span<const uint8_t> without_footer(const InputFile& file) {
  return file.bytes().first(file.bytes().size() - store::kFooterLength);
}

std::vector<uint8_t> read_term(ByteReader& in) {
  auto bytes = in.read_bytes(in.read_count());
  return {bytes.begin(), bytes.end()};
}

}  // namespace

// ---- the segment

TermsReader::TermsReader(const Directory& directory, const std::string& segment,
                         const store::ObjectId& id, const FieldInfos& infos, uint32_t max_doc)
    : tim_name_(segment_file(segment, kPostingsSuffix, "tim")),
      tip_name_(segment_file(segment, kPostingsSuffix, "tip")),
      meta_name_(segment_file(segment, kPostingsSuffix, "tmd")),
      tim_(directory.open(tim_name_)),
      tip_(directory.open(tip_name_)) {
  auto check = [&](ByteReader& in, std::string_view codec) {
    store::check_index_header(in,
                              {codec, kPostingsVersion, kPostingsVersion, &id, kPostingsSuffix});
  };
  auto open = [&](const InputFile& file, const std::string& name, std::string_view codec) {
    store::check_footer(file.bytes(), name, false);
    ByteReader in(without_footer(file), name);
    check(in, codec);
  };
  open(*tim_, tim_name_, kTermsDictCodec);
  open(*tip_, tip_name_, kTermsIndexCodec);

  auto meta_file = directory.open(meta_name_);
  store::check_footer(meta_file->bytes(), meta_name_, true);
  ByteReader meta(without_footer(*meta_file), meta_name_);
  check(meta, kTermsMetaCodec);
  check(meta, kPostingsTermsCodec);
  uint32_t block = meta.read_vint();
  if (block != kPostingsBlock)
    meta.fail("a postings block size of " + std::to_string(block) + ", expected 256");
  for (uint32_t count = meta.read_count(); count > 0; --count) read_field(meta, infos, max_doc);
  for (const FieldTerms& field : fields_) {
    if (!by_name_.emplace(field.name(), &field).second)
      meta.fail("two entries of field '" + field.name() + "'");
  }
  if (meta.read_le64() != tip_->bytes().size()) meta.fail("another length of " + tip_name_);
  if (meta.read_le64() != tim_->bytes().size()) meta.fail("another length of " + tim_name_);
  if (meta.remaining() != 0) meta.fail("bytes beyond its end");
}

void TermsReader::read_field(ByteReader& meta, const FieldInfos& infos, uint32_t max_doc) {
  FieldTerms field;
  field.number_ = meta.read_vint();
  const FieldInfo* info = infos.by_number(field.number_);
  if (info == nullptr || !info->indexed())
    meta.fail("terms of field " + std::to_string(field.number_) + ", which is not indexed");
  field.name_ = info->name;
  field.parts_ = PostingsParts(*info);
  field.term_count_ = meta.read_vlong();
  if (field.parts_.freqs) field.sum_total_term_freq_ = meta.read_vlong();
  field.sum_doc_freq_ = meta.read_vlong();
  if (!field.parts_.freqs) field.sum_total_term_freq_ = field.sum_doc_freq_;
  field.doc_count_ = meta.read_vint();
  field.min_term_ = read_term(meta);
  field.max_term_ = read_term(meta);
  uint64_t start = meta.read_vlong();
  uint64_t root = meta.read_vlong();
  uint64_t end = meta.read_vlong();

  field.tim_ = without_footer(*tim_);
  field.tim_name_ = tim_name_;
  field.max_doc_ = max_doc;
  // Every term takes at least a byte of `.tim`.
  bool possible = field.term_count_ > 0 && field.term_count_ <= field.tim_.size() &&
                  field.doc_count_ <= max_doc && field.sum_doc_freq_ >= field.doc_count_ &&
                  field.sum_total_term_freq_ >= field.sum_doc_freq_;
  if (!possible) meta.fail("impossible statistics of field '" + field.name_ + "'");
  auto tip = without_footer(*tip_);
  if (end > tip.size() || start > end || end - start < kTriePadding ||
      root >= end - start - kTriePadding)
    meta.fail("a trie of field '" + field.name_ + "' outside " + tip_name_);
  field.trie_ = TrieReader(tip.subspan(start, end - start - kTriePadding), tip_name_, root);
  fields_.push_back(std::move(field));
}

const FieldTerms* TermsReader::field(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

// ---- a field

std::optional<TermState> FieldTerms::find(std::span<const uint8_t> term) const {
  return TermSeeker(*this).find(term);
}

// ---- looking up

std::string_view TermSeeker::file() const { return field_->tim_name_; }

bool TermSeeker::continues(uint64_t block_fp, std::span<const uint8_t> suffix) const {
  return loaded_ && block_.fp() == block_fp &&
         !std::ranges::lexicographical_compare(suffix, sought_.bytes());
}

std::optional<TermState> TermSeeker::find(std::span<const uint8_t> term) {
  const TrieReader::Found found = field_->trie_.find(term);
  if (!found.has_terms) return {};
  const auto wanted = term.subspan(found.depth);
  if (!continues(found.block_fp, wanted)) {
    loaded_ = on_entry_ = false;
    block_.load(field_->tim_, field_->tim_name_, found.block_fp, field_->parts_);
    loaded_ = true;
  }
  sought_.clear();
  sought_.write_bytes(wanted);
  while (on_entry_ || block_.next()) {
    on_entry_ = true;
    if (std::ranges::lexicographical_compare(wanted, block_.suffix())) return {};
    if (!block_.is_block() && std::ranges::equal(wanted, block_.suffix())) {
      if (block_.state().doc_freq > field_->max_doc_)
        ByteReader({}, field_->tim_name_).fail("a term in more documents than there are");
      return block_.state();
    }
    on_entry_ = false;
  }
  return {};
}

// ---- iteration

TermsCursor::TermsCursor(const FieldTerms& field) : field_(&field) {}

void TermsCursor::fail(const std::string& what) const {
  throw CorruptIndex(std::string(field_->tim_name_) + ": " + what + " of field '" + field_->name_ +
                     "'");
}

void TermsCursor::load(Frame& frame, uint64_t fp) {
  frame.block.load(field_->tim_, field_->tim_name_, fp, field_->parts_);
  // A block lies whole before the one that contains it, so no two overlap.
  if (frame.block.end() > frame.end_limit) fail("overlapping terms blocks");
  bytes_seen_ += frame.block.end() - fp;
  if (bytes_seen_ > field_->tim_.size()) fail("terms blocks that are used twice");
}

void TermsCursor::push(uint64_t fp, size_t prefix_length, uint64_t end_limit) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& frame = frames_[depth_];
  frame.prefix_length = prefix_length;
  frame.end_limit = end_limit;
  load(frame, fp);
  ++depth_;
}

void TermsCursor::take_term(const Frame& frame) {
  auto suffix = frame.block.suffix();
  std::span<const uint8_t> prefix = prefix_.bytes().first(frame.prefix_length);
  // Behind the common prefix of the block only suffixes can differ; between blocks all can.
  if (terms_seen_ > 0) {
    auto last = term_.bytes();
    size_t shared = std::min(last.size(), prefix.size());
    auto order = std::lexicographical_compare_three_way(last.begin(), last.begin() + shared,
                                                        prefix.begin(), prefix.end());
    bool ascends = order < 0 || (order == 0 && std::ranges::lexicographical_compare(
                                                   last.subspan(shared), suffix));
    if (!ascends) fail("terms out of order");
  }
  if (++terms_seen_ > field_->term_count_) fail("more terms than recorded");
  if (frame.block.state().doc_freq > field_->max_doc_)
    fail("a term in more documents than there are");
  term_.clear();
  term_.write_bytes(prefix);
  term_.write_bytes(suffix);
}

bool TermsCursor::next() {
  if (depth_ == 0) {
    if (terms_seen_ > 0) return false;
    push(field_->trie_.root_block(), 0, field_->tim_.size());
  }
  for (;;) {
    Frame& frame = frames_[depth_ - 1];
    if (frame.block.next()) {
      if (!frame.block.is_block()) {
        take_term(frame);
        return true;
      }
      prefix_.resize(frame.prefix_length);
      prefix_.write_bytes(frame.block.suffix());
      push(frame.block.sub_block_fp(), prefix_.size(), frame.block.fp());
    } else if (!frame.block.last_in_floor()) {
      load(frame, frame.block.end());
    } else if (--depth_ == 0) {
      if (terms_seen_ != field_->term_count_) fail("fewer terms than recorded");
      return false;
    }
  }
}

}  // namespace postern::codec
