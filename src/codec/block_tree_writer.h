// Writes the terms dictionary of a segment: `.tim`, `.tip` and `.tmd` (docs/formats/31).
//
// Terms stream in; kept are only the entries that are not in a block yet (a stack) and the trie's
// nodes whose parent is not written yet (another one).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_buffer.h"
#include "codec/postings_format.h"
#include "codec/segment_context.h"
#include "codec/suffix_compression.h"
#include "codec/trie_writer.h"
#include "store/index_output.h"

namespace postern::codec {

class BlockTreeWriter {
 public:
  explicit BlockTreeWriter(const SegmentContext& context);

  void start_field(const FieldInfo& info);
  // Terms ascend in unsigned byte order; state.doc_freq > 0. The files appear with the first term.
  void add(std::span<const uint8_t> term, const TermState& state);
  // doc_count: documents with at least one term. False, and nothing written, if there was no term.
  bool finish_field(uint32_t doc_count);
  void close();
  // Names of the files created so far.
  const std::vector<std::string>& files() const { return files_; }

 private:
  // A term, or a finished block (of floor blocks the first) that stands for all terms of a prefix.
  struct Entry {
    size_t key_offset;  // in keys_
    uint32_t key_length;
    bool is_block;
    bool has_terms;     // of a block: it directly contains a term
    uint64_t block_fp;  // of a block
    TermState state;    // of a term
  };

  store::IndexOutput& create(std::optional<store::IndexOutput>& out, const char* extension,
                             std::string_view codec);
  void close_prefixes(size_t shared);
  TrieOutput write_blocks(uint32_t depth, size_t first);
  uint64_t write_block(uint32_t depth, std::span<const Entry> entries, bool last);
  void encode_entries(uint32_t depth, std::span<const Entry> entries, bool leaf, uint64_t fp);
  int lead_label(const Entry& entry, uint32_t depth) const {
    return entry.key_length > depth ? keys_.data()[entry.key_offset + depth] : -1;
  }

  SegmentContext context_;
  std::optional<store::IndexOutput> tim_;
  std::optional<store::IndexOutput> tip_;
  std::vector<std::string> files_;
  ByteBuffer field_records_;  // the per-field part of `.tmd`
  uint32_t field_count_ = 0;

  // State of the current field.
  uint32_t field_number_ = 0;
  PostingsParts parts_;
  uint64_t term_count_ = 0;
  uint64_t sum_total_term_freq_ = 0;
  uint64_t sum_doc_freq_ = 0;
  ByteBuffer min_term_;
  ByteBuffer last_term_;
  std::vector<Entry> pending_;
  ByteBuffer keys_;  // the pending entries' keys, in the same order
  // Length of the prefix the last two terms share: only prefixes up to it have several entries.
  uint32_t shared_ = 0;
  // starts_[L], 1 <= L <= shared_: index in pending_ of the first entry with the last term's first
  // L bytes.
  std::vector<size_t> starts_;
  TrieWriter trie_;

  // The block being built.
  ByteBuffer suffixes_;
  ByteBuffer lengths_;
  ByteBuffer stats_;
  ByteBuffer metadata_;
  ByteBuffer floor_;  // label and pointer per floor block but the first
  ByteBuffer floor_record_;
  uint32_t floor_blocks_ = 0;
  SuffixCompressor compressor_;
};

}  // namespace postern::codec
