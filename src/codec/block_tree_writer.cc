#include "codec/block_tree_writer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "codec/postings_term_metadata.h"
#include "store/codec_header.h"

namespace postern::codec {
namespace {

using store::IndexOutput;

// Entries of a block; a prefix is split when it has more than the maximum (docs/formats/31 §3.2).
constexpr size_t kMinEntries = 25;
constexpr size_t kMaxEntries = 48;

size_t common_prefix(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  size_t n = std::min(a.size(), b.size());
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t difference = load_le<uint64_t>(a.data() + i) ^ load_le<uint64_t>(b.data() + i);
    if (difference != 0) return i + (static_cast<size_t>(std::countr_zero(difference)) >> 3);
  }
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

bool all_equal(std::span<const uint8_t> bytes) {
  return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

void write_sized(IndexOutput& out, std::span<const uint8_t> bytes) {
  out.write_vlong(bytes.size());
  out.write_bytes(bytes);
}

void close_output(IndexOutput& out) {
  store::write_footer(out);
  out.close();
}

}  // namespace

BlockTreeWriter::BlockTreeWriter(const SegmentContext& context) : context_(context) {}

IndexOutput& BlockTreeWriter::create(std::optional<IndexOutput>& out, const char* extension,
                                     std::string_view codec) {
  files_.push_back(segment_file(context_.segment, kPostingsSuffix, extension));
  out.emplace(context_.directory, files_.back());
  store::write_index_header(*out, codec, kPostingsVersion, context_.id, kPostingsSuffix);
  return *out;
}

void BlockTreeWriter::start_field(const FieldInfo& info) {
  field_number_ = info.number;
  parts_ = PostingsParts(info);
  term_count_ = sum_total_term_freq_ = sum_doc_freq_ = 0;
  min_term_.clear();
  last_term_.clear();
  pending_.clear();
  keys_.clear();
  shared_ = 0;
}

void BlockTreeWriter::add(std::span<const uint8_t> term, const TermState& state) {
  if (term_count_ == 0) {
    if (!tim_) {
      create(tim_, "tim", kTermsDictCodec);
      create(tip_, "tip", kTermsIndexCodec);
    }
    trie_.start(*tip_);
    min_term_.write_bytes(term);
  } else {
    size_t shared = common_prefix(last_term_.bytes(), term);
    assert(shared < term.size() &&
           (shared == last_term_.size() || last_term_.data()[shared] < term[shared]));
    if (shared < shared_) {
      close_prefixes(shared);
    } else if (shared > shared_) {
      // So far only the last term has these prefixes.
      if (starts_.size() <= shared) starts_.resize(shared + 1);
      std::fill(starts_.begin() + shared_ + 1, starts_.begin() + static_cast<ptrdiff_t>(shared) + 1,
                pending_.size() - 1);
    }
    shared_ = static_cast<uint32_t>(shared);
  }
  pending_.push_back({keys_.size(), static_cast<uint32_t>(term.size()), false, false, 0, state});
  keys_.write_bytes(term);
  last_term_.clear();
  last_term_.write_bytes(term);
  ++term_count_;
  sum_total_term_freq_ += state.total_term_freq;
  sum_doc_freq_ += state.doc_freq;
}

// Finishes the last term's prefixes longer than `shared`, the longest first. Those longer than
// shared_ belong to that term alone: they have neither a block nor a trie node.
void BlockTreeWriter::close_prefixes(size_t shared) {
  for (uint32_t length = shared_; length > shared; --length) {
    TrieOutput output;
    if (pending_.size() - starts_[length] >= kMinEntries)
      output = write_blocks(length, starts_[length]);
    trie_.finish_node(length, last_term_.data()[length - 1], output);
  }
}

bool BlockTreeWriter::finish_field(uint32_t doc_count) {
  if (term_count_ == 0) return false;
  close_prefixes(0);
  uint64_t root = trie_.finish(write_blocks(0, 0));
  ByteBuffer& meta = field_records_;
  meta.write_vint(field_number_);
  meta.write_vlong(term_count_);
  if (parts_.freqs) meta.write_vlong(sum_total_term_freq_);
  meta.write_vlong(sum_doc_freq_);
  meta.write_vint(doc_count);
  for (const ByteBuffer* term : {&min_term_, &last_term_}) {
    meta.write_vlong(term->size());
    meta.write_bytes(term->bytes());
  }
  meta.write_vlong(trie_.start_fp());
  meta.write_vlong(root);
  meta.write_vlong(tip_->file_pointer());
  ++field_count_;
  return true;
}

// Replaces the pending entries from `first` on, which share their first `depth` bytes, by a block
// or, if they are many, several floor blocks cut between different lead labels.
TrieOutput BlockTreeWriter::write_blocks(uint32_t depth, size_t first) {
  std::span<const Entry> entries = std::span(pending_).subspan(first);
  TrieOutput output;
  output.present = true;
  floor_.clear();
  floor_blocks_ = 0;
  size_t begin = 0;
  int lead = lead_label(entries[0], depth);
  int begin_lead = lead;
  for (size_t i = 1; i <= entries.size(); ++i) {
    bool last = i == entries.size();
    if (!last) {
      int previous_lead = lead;
      lead = lead_label(entries[i], depth);
      if (lead == previous_lead || i - begin < kMinEntries || entries.size() - begin <= kMaxEntries)
        continue;
    }
    std::span<const Entry> block = entries.subspan(begin, i - begin);
    bool has_terms =
        std::any_of(block.begin(), block.end(), [](const Entry& e) { return !e.is_block; });
    uint64_t fp = write_block(depth, block, last);
    if (begin == 0) {
      output.block_fp = fp;
      output.has_terms = has_terms;
    } else {
      ++floor_blocks_;
      floor_.write_byte(static_cast<uint8_t>(begin_lead));
      floor_.write_vlong((fp - output.block_fp) << 1 | has_terms);
    }
    begin = i;
    begin_lead = lead;
  }
  if (floor_blocks_ > 0) {
    floor_record_.clear();
    floor_record_.write_vint(floor_blocks_);
    floor_record_.write_bytes(floor_.bytes());
    output.floor = floor_record_.bytes();
  }

  // The prefix is there already, as the start of the first entry's key.
  Entry block{pending_[first].key_offset, depth, true, output.has_terms, output.block_fp, {}};
  pending_.resize(first);
  pending_.push_back(block);
  keys_.resize(block.key_offset + depth);
  return output;
}

uint64_t BlockTreeWriter::write_block(uint32_t depth, std::span<const Entry> entries, bool last) {
  uint64_t fp = tim_->file_pointer();
  bool leaf =
      std::none_of(entries.begin(), entries.end(), [](const Entry& e) { return e.is_block; });
  encode_entries(depth, entries, leaf, fp);

  IndexOutput& out = *tim_;
  out.write_vlong(entries.size() << 1 | last);
  auto packed = compressor_.compress(suffixes_.bytes(), entries.size(), depth);
  out.write_vlong(suffixes_.size() << 3 | (leaf ? 4u : 0u) | static_cast<uint32_t>(packed.kind));
  out.write_bytes(packed.bytes);
  if (all_equal(lengths_.bytes())) {
    out.write_vlong(lengths_.size() << 1 | 1);
    out.write_byte(lengths_.data()[0]);
  } else {
    out.write_vlong(lengths_.size() << 1);
    out.write_bytes(lengths_.bytes());
  }
  write_sized(out, stats_.bytes());
  write_sized(out, metadata_.bytes());
  return fp;
}

// Fills suffixes_, lengths_, stats_ and metadata_. fp: where the block begins.
void BlockTreeWriter::encode_entries(uint32_t depth, std::span<const Entry> entries, bool leaf,
                                     uint64_t fp) {
  suffixes_.clear();
  lengths_.clear();
  stats_.clear();
  metadata_.clear();
  static const TermState kFirst;
  const TermState* previous = &kFirst;
  uint32_t singletons = 0;  // length of the current run of terms with one occurrence
  auto end_run = [&] {
    if (singletons > 0) stats_.write_vint((singletons - 1) << 1 | 1);
    singletons = 0;
  };
  for (const Entry& entry : entries) {
    uint32_t length = entry.key_length - depth;
    suffixes_.write(keys_.data() + entry.key_offset + depth, length);
    if (entry.is_block) {
      lengths_.write_vint(length << 1 | 1);
      lengths_.write_vlong(fp - entry.block_fp);
      continue;
    }
    lengths_.write_vint(leaf ? length : length << 1);
    const TermState& state = entry.state;
    if (state.doc_freq == 1 && state.total_term_freq == 1) {
      ++singletons;
    } else {
      end_run();
      stats_.write_vint(state.doc_freq << 1);
      if (parts_.freqs) stats_.write_vlong(state.total_term_freq - state.doc_freq);
    }
    write_term_metadata(metadata_, state, *previous, parts_);
    previous = &state;
  }
  end_run();
}

void BlockTreeWriter::close() {
  if (!tim_) return;
  close_output(*tip_);
  close_output(*tim_);
  std::optional<IndexOutput> meta_file;
  IndexOutput& meta = create(meta_file, "tmd", kTermsMetaCodec);
  store::write_index_header(meta, kPostingsTermsCodec, kPostingsVersion, context_.id,
                            kPostingsSuffix);
  meta.write_vint(kPostingsBlock);
  meta.write_vint(field_count_);
  meta.write_bytes(field_records_.bytes());
  meta.write_le64(tip_->file_pointer());
  meta.write_le64(tim_->file_pointer());
  close_output(meta);
}

}  // namespace postern::codec
