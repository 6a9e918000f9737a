// Constants of the doc values format (docs/formats/22).
#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::codec {

inline constexpr const char* kDocValuesDataExtension = "dvd";
inline constexpr const char* kDocValuesMetaExtension = "dvm";
inline constexpr const char* kDocValuesDataCodec = "Lucene90DocValuesData";
inline constexpr const char* kDocValuesMetaCodec = "Lucene90DocValuesMetadata";
inline constexpr uint32_t kDocValuesVersion = 0;
inline constexpr const char* kDocValuesSuffix = "Lucene90_0";
// The attributes of every field with doc values that say where they are.
inline constexpr const char* kDocValuesFormatKey = "PerFieldDocValuesFormat.format";
inline constexpr const char* kDocValuesFormatName = "Lucene90";
inline constexpr const char* kDocValuesSuffixKey = "PerFieldDocValuesFormat.suffix";
inline constexpr const char* kDocValuesSuffixValue = "0";
// In place of a field number, behind the last entry.
inline constexpr uint32_t kDocValuesEnd = 0xffffffff;

// Kinds of entries; not the numbers of DocValuesType.
enum class DocValuesKind : uint8_t {
  kNumeric = 0,
  kBinary = 1,
  kSorted = 2,
  kSortedSet = 3,
  kSortedNumeric = 4
};

// Of every monotonic sequence of the format.
inline constexpr uint32_t kDocValuesMonotonicShift = 16;

// Numbers (docs/formats/22 §2).
inline constexpr int32_t kNoTable = -1;
inline constexpr uint32_t kMaxTable = 256;
inline constexpr uint32_t kNumberBlockShift = 14;
inline constexpr uint8_t kBlocksWidth = 0xff;  // in place of the one width

// Terms dictionaries (docs/formats/22 §4).
inline constexpr uint32_t kTermsBlock = 64;
inline constexpr uint32_t kTermsIndexShift = 10;

// Skip index (docs/formats/22 §7).
inline constexpr uint32_t kSkipIntervalDocs = 4096;
inline constexpr uint32_t kSkipLevelShift = 3;
inline constexpr uint32_t kSkipLevels = 4;
inline constexpr size_t kSkipBatch = size_t{1} << (kSkipLevelShift * (kSkipLevels - 1));
inline constexpr size_t kSkipIntervalBytes = 28;

}  // namespace postern::codec
