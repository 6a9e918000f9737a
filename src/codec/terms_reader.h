// Reads the terms dictionary of one segment: `.tim`, `.tip` and `.tmd` (docs/formats/31).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/byte_buffer.h"
#include "codec/postings_format.h"
#include "codec/terms_block.h"
#include "codec/trie_reader.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

class FieldTerms;

// The terms of a field in unsigned byte order. Lives no longer than the TermsReader. Any bytes are
// safe: what is corrupt throws CorruptIndex, after at most as much work as the file is long.
class TermsCursor {
 public:
  explicit TermsCursor(const FieldTerms& field);
  // To the first, then to each following term; false at the end.
  bool next();
  // Of the current term; valid until next.
  std::span<const uint8_t> term() const { return term_.bytes(); }
  const TermState& state() const { return frames_[depth_ - 1].block.state(); }

 private:
  struct Frame {
    TermsBlock block;
    size_t prefix_length = 0;
    uint64_t end_limit = 0;  // all blocks of the frame end here or before
  };
  void load(Frame& frame, uint64_t fp);
  void push(uint64_t fp, size_t prefix_length, uint64_t end_limit);
  void take_term(const Frame& frame);
  [[noreturn]] void fail(const std::string& what) const;

  const FieldTerms* field_;
  std::vector<Frame> frames_;  // the first depth_ are the path from the root block
  size_t depth_ = 0;
  ByteBuffer prefix_;  // of the deepest block
  ByteBuffer term_;
  uint64_t terms_seen_ = 0;
  uint64_t bytes_seen_ = 0;  // of all blocks so far
};

// Looks terms of one field up. Keeps the block it read last, so that terms in ascending order cost
// one pass over the blocks they are in. Lives no longer than the TermsReader.
class TermSeeker {
 public:
  explicit TermSeeker(const FieldTerms& field) : field_(&field) {}
  // Nullopt if there is no such term. Throws CorruptIndex.
  std::optional<TermState> find(std::span<const uint8_t> term);
  // For messages: the name of the file.
  std::string_view file() const;

 private:
  // Whether the entries still to come in the block can hold a suffix that is sought now.
  bool continues(uint64_t block_fp, std::span<const uint8_t> suffix) const;

  const FieldTerms* field_;
  TermsBlock block_;
  bool loaded_ = false;
  bool on_entry_ = false;  // the current entry is not below any suffix sought so far
  ByteBuffer sought_;      // the suffix sought last
};

// What the segment knows of one field's terms.
class FieldTerms {
 public:
  const std::string& name() const { return name_; }
  uint32_t number() const { return number_; }
  const PostingsParts& parts() const { return parts_; }
  uint64_t term_count() const { return term_count_; }
  // Sum over all terms; without freqs every document counts once.
  uint64_t sum_total_term_freq() const { return sum_total_term_freq_; }
  uint64_t sum_doc_freq() const { return sum_doc_freq_; }
  // Documents with at least one term.
  uint32_t doc_count() const { return doc_count_; }
  std::span<const uint8_t> min_term() const { return min_term_; }
  std::span<const uint8_t> max_term() const { return max_term_; }

  // Nullopt if there is no such term. Throws CorruptIndex.
  std::optional<TermState> find(std::span<const uint8_t> term) const;
  std::optional<TermState> find(std::string_view term) const {
    return find(std::span(reinterpret_cast<const uint8_t*>(term.data()), term.size()));
  }
  TermsCursor terms() const { return TermsCursor(*this); }

 private:
  friend class TermsReader;
  friend class TermsCursor;
  friend class TermSeeker;

  std::string name_;
  uint32_t number_ = 0;
  PostingsParts parts_;
  uint64_t term_count_ = 0;
  uint64_t sum_total_term_freq_ = 0;
  uint64_t sum_doc_freq_ = 0;
  uint32_t doc_count_ = 0;
  std::vector<uint8_t> min_term_;
  std::vector<uint8_t> max_term_;
  std::span<const uint8_t> tim_;  // without its footer
  std::string_view tim_name_;
  TrieReader trie_{{}, {}, 0};
  uint32_t max_doc_ = 0;
};

// Throws CorruptIndex, NotSupported, IoError. Safe to share between threads.
class TermsReader {
 public:
  // Only for segments with has_postings_files(infos). infos: of the segment; max_doc: its
  // documents, deleted ones included.
  TermsReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
              const FieldInfos& infos, uint32_t max_doc);
  TermsReader(TermsReader&&) = delete;

  // The fields with at least one term, in the file's order.
  const std::vector<FieldTerms>& fields() const { return fields_; }
  // Null if the field has no term.
  const FieldTerms* field(std::string_view name) const;

 private:
  void read_field(ByteReader& meta, const FieldInfos& infos, uint32_t max_doc);

  std::string tim_name_;
  std::string tip_name_;
  std::string meta_name_;
  std::unique_ptr<InputFile> tim_;
  std::unique_ptr<InputFile> tip_;
  std::vector<FieldTerms> fields_;
  std::unordered_map<std::string_view, const FieldTerms*> by_name_;
};

}  // namespace postern::codec
