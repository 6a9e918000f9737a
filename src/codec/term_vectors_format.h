// Constants of the term vectors format (docs/formats/13).
#pragma once

#include <cstdint>

namespace postern::codec {

inline constexpr const char* kTermVectorsDataCodec = "Lucene90TermVectorsData";
inline constexpr const char* kTermVectorsIndexCodec = "Lucene90TermVectorsIndexIdx";
inline constexpr const char* kTermVectorsMetaCodec = "Lucene90TermVectorsIndexMeta";
inline constexpr uint32_t kTermVectorsVersion = 0;  // of all three files
inline constexpr uint32_t kPackedIntsVersion = 2;

// A chunk is written once it has one or the other (§2).
inline constexpr uint32_t kTermVectorsChunkBytes = 4096;
inline constexpr uint32_t kTermVectorsChunkDocuments = 128;

inline constexpr uint32_t kMaxVectorTermBytes = 32766;

// Flags of one field in one document.
inline constexpr uint8_t kVectorPositions = 1;
inline constexpr uint8_t kVectorOffsets = 2;
inline constexpr uint8_t kVectorPayloads = 4;
inline constexpr uint32_t kVectorFlagsWidth = 4;  // three bits, rounded up to a DirectWriter width

// What the slope accounts for of a start offset's delta: a product in single precision, truncated,
// saturating; exactly this, since readers recompute it (§3).
inline int32_t vector_offset_step(float slope, int64_t position_delta) {
  const float product = slope * static_cast<float>(position_delta);
  if (product >= 0x1p31f) return INT32_MAX;
  if (product < -0x1p31f) return INT32_MIN;
  return product == product ? static_cast<int32_t>(product) : 0;
}

}  // namespace postern::codec
