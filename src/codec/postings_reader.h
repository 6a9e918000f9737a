// Reads the postings lists of a segment: `.doc`, `.pos` and `.pay` (docs/formats/30).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/byte_reader.h"
#include "codec/postings_format.h"
#include "codec/postings_positions.h"
#include "codec/postings_skip.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

class PostingsReader;

// The documents of one term, ascending, and in each its occurrences. Lives no longer than the
// PostingsReader. Any bytes are safe: what is corrupt throws CorruptIndex.
class PostingsCursor {
 public:
  static constexpr uint32_t kNoMoreDocs = INT32_MAX;

  PostingsCursor(const PostingsReader& reader, const PostingsParts& parts, const TermState& state);

  // To the first, then to each following document; kNoMoreDocs at the end.
  uint32_t next_doc();
  uint32_t doc() const { return doc_; }
  // Of the term in the document; 1 if the field has no freqs.
  uint32_t freq() const { return freq_; }

  // The document's occurrences, at most freq() times; only for fields with positions. Occurrences
  // not asked for are passed by.
  uint32_t next_position();
  // Of the current occurrence, in UTF-16 units; 0 if the field has no offsets.
  uint32_t start_offset() const { return start_offset_; }
  uint32_t end_offset() const { return end_offset_; }
  // Empty if there is none; valid until the next call.
  std::span<const uint8_t> payload() const { return payload_; }

  // For checks of what readers jump by. Whether doc() is the first, or the last, of a full block,
  // and of a level-1 group.
  bool begins_block() const { return index_ == 1 && block_size_ == kPostingsBlock; }
  bool ends_block() const { return index_ == kPostingsBlock; }
  bool begins_group() const {
    return begins_block() && group_first_ + kPostingsBlock == docs_loaded_;
  }
  bool ends_group() const {
    return ends_block() && in_group_ && docs_loaded_ - group_first_ == kLevel1Docs;
  }
  // Of the block, and the group, that doc() is in. Throws CorruptIndex.
  SkipEntry block_skip_entry() const;
  SkipEntry group_skip_entry() const;
  // Once all occurrences of the documents so far were asked for.
  OccurrencePlace place() const { return positions_.place(); }
  // Behind the last byte of each file that the term has used; after the last document all of them.
  uint64_t doc_end() const { return in_.position(); }
  uint64_t pos_end() const { return positions_.pos_end(); }
  uint64_t pay_end() const { return positions_.pay_end(); }

 private:
  void load_docs();
  void load_full_block();
  void read_level1_header();
  void check_level1_end() const;
  void load_tail(uint32_t n);
  void check_doc(uint64_t doc) const;

  ByteReader in_;
  PostingsParts parts_;
  TermState state_;
  uint32_t max_doc_;
  uint32_t docs_loaded_ = 0;
  uint32_t block_size_ = 0;
  uint32_t index_ = 0;
  uint32_t base_ = UINT32_MAX;  // last document loaded
  uint32_t level1_base_ = UINT32_MAX;
  size_t level1_end_ = 0;
  bool in_group_ = false;
  uint32_t group_first_ = UINT32_MAX;  // number in the list of the group's first document
  size_t block_skip_begin_ = 0, block_skip_end_ = 0;
  size_t group_skip_begin_ = 0, group_skip_end_ = 0;
  uint32_t doc_ = UINT32_MAX;
  uint32_t freq_ = 0;
  std::array<uint32_t, kPostingsBlock> docs_;
  std::array<uint32_t, kPostingsBlock> freqs_;

  PositionsDecoder positions_;
  uint64_t unread_before_ = 0;  // occurrences of earlier documents that were not asked for
  uint32_t unread_ = 0;         // of the current document
  uint64_t position_ = 0;
  uint64_t start_offset_base_ = 0;
  uint32_t start_offset_ = 0;
  uint32_t end_offset_ = 0;
  std::span<const uint8_t> payload_;
};

// Throws CorruptIndex, NotSupported, IoError. Safe to share between threads.
class PostingsReader {
 public:
  // Only for segments with has_postings_files(infos). infos: of the segment; max_doc: its
  // documents, deleted ones included.
  PostingsReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
                 const FieldInfos& infos, uint32_t max_doc);
  PostingsReader(PostingsReader&&) = delete;

  // state, parts: from the field's FieldTerms.
  PostingsCursor postings(const PostingsParts& parts, const TermState& state) const {
    return PostingsCursor(*this, parts, state);
  }
  // Recorded maxima over all lists of the segment.
  const ImpactMaxima& impact_maxima() const { return maxima_; }

 private:
  friend class PostingsCursor;
  struct File {
    std::string name;
    std::unique_ptr<InputFile> file;  // null: the segment has none
    ByteReader at(uint64_t position) const;
  };
  File open(const Directory& directory, const char* extension, std::string_view codec,
            const store::ObjectId& id) const;
  void read_meta(const Directory& directory, const store::ObjectId& id);

  std::string segment_;
  uint32_t max_doc_;
  ImpactMaxima maxima_;
  File doc_;
  File pos_;
  File pay_;
};

}  // namespace postern::codec
