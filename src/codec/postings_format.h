// What the writers and readers of the Lucene104 postings format share (docs/formats/30-32).
#pragma once

#include <cstdint>
#include <string_view>

#include "codec/field_infos.h"

namespace postern::codec {

inline constexpr const char* kPostingsFormatName = "Lucene104";
// Suffix of the format's seven files: `_0_Lucene104_0.doc`.
inline constexpr const char* kPostingsSuffix = "Lucene104_0";

// Attributes of exactly those fields that have a term in the segment (docs/formats/30 §1).
inline constexpr const char* kPostingsFormatKey = "PerFieldPostingsFormat.format";
inline constexpr const char* kPostingsSuffixKey = "PerFieldPostingsFormat.suffix";

// Whether the segment has the format's files: none exist, also with indexed fields, when no field
// has a term.
inline bool has_postings_files(const FieldInfos& infos) {
  for (const FieldInfo& info : infos.fields) {
    for (const auto& [key, value] : info.attributes) {
      if (key == kPostingsFormatKey && value == kPostingsFormatName) return true;
    }
  }
  return false;
}

// Documents, or positions, of one block; documents of one level-1 group (docs/formats/30 §2).
inline constexpr uint32_t kPostingsBlock = 256;
inline constexpr uint32_t kLevel1Blocks = 32;
inline constexpr uint32_t kLevel1Docs = kLevel1Blocks * kPostingsBlock;

inline constexpr uint32_t kNoSingleton = UINT32_MAX;
inline constexpr uint64_t kNoLastBlock = UINT64_MAX;

// Statistics and file pointers of one term (docs/formats/30 §9). Pointers are absolute file
// offsets.
struct TermState {
  uint32_t doc_freq = 0;
  uint32_t singleton_doc = kNoSingleton;  // the document, when doc_freq is 1
  uint64_t total_term_freq = 0;           // doc_freq when the field has no freqs
  uint64_t doc_start = 0;
  uint64_t pos_start = 0;  // 0 without positions
  uint64_t pay_start = 0;  // 0 without offsets and payloads
  uint64_t last_pos_block_offset = kNoLastBlock;

  bool operator==(const TermState&) const = default;
};

// Which parts of the format a field has (docs/formats/32 §5).
struct PostingsParts {
  bool freqs = false;
  bool positions = false;
  bool offsets = false;
  bool payloads = false;

  PostingsParts() = default;
  explicit PostingsParts(const FieldInfo& info)
      : freqs(info.has_freqs()),
        positions(info.has_positions()),
        offsets(info.has_offsets()),
        payloads(info.has_positions() && info.payloads) {}
  // The field writes to `.pay`.
  bool pay() const { return offsets || payloads; }
};

inline constexpr std::string_view kPostingsMetaCodec = "Lucene104PostingsWriterMeta";
inline constexpr std::string_view kPostingsDocCodec = "Lucene104PostingsWriterDoc";
inline constexpr std::string_view kPostingsPosCodec = "Lucene104PostingsWriterPos";
inline constexpr std::string_view kPostingsPayCodec = "Lucene104PostingsWriterPay";
inline constexpr std::string_view kPostingsTermsCodec = "Lucene104PostingsWriterTerms";
inline constexpr std::string_view kTermsDictCodec = "BlockTreeTermsDict";
inline constexpr std::string_view kTermsIndexCodec = "BlockTreeTermsIndex";
inline constexpr std::string_view kTermsMetaCodec = "BlockTreeTermsMeta";
inline constexpr uint32_t kPostingsVersion = 0;

}  // namespace postern::codec
