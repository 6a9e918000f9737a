// Constants of the KNN vectors format (docs/formats/40).
#pragma once

#include <cstdint>

#include "postern/field_type.h"

namespace postern::codec {

inline constexpr const char* kVectorFormatKey = "PerFieldKnnVectorsFormat.format";
inline constexpr const char* kVectorFormatName = "Lucene99HnswVectorsFormat";
inline constexpr const char* kVectorSuffixKey = "PerFieldKnnVectorsFormat.suffix";
inline constexpr const char* kVectorSuffixValue = "0";
// Of the files and of their headers.
inline constexpr const char* kVectorSuffix = "Lucene99HnswVectorsFormat_0";

inline constexpr const char* kVectorDataExtension = "vec";
inline constexpr const char* kVectorMetaExtension = "vemf";
inline constexpr const char* kVectorDataCodec = "Lucene99FlatVectorsFormatData";
inline constexpr const char* kVectorMetaCodec = "Lucene99FlatVectorsFormatMeta";
inline constexpr uint32_t kVectorVersion = 0;

inline constexpr const char* kGraphDataExtension = "vex";
inline constexpr const char* kGraphMetaExtension = "vem";
inline constexpr const char* kGraphDataCodec = "Lucene99HnswVectorsFormatIndex";
inline constexpr const char* kGraphMetaCodec = "Lucene99HnswVectorsFormatMeta";
inline constexpr uint32_t kGraphVersion = 1;
inline constexpr uint32_t kPlainGraphVersion = 0;  // neighbours as plain vInts

inline constexpr uint32_t kVectorBlockShift = 16;  // of the monotonic arrays
// In place of a field number, behind the last entry of either metadata file.
inline constexpr uint32_t kVectorEnd = 0xffffffff;

inline constexpr uint32_t kMaxVectorDimension = 1024;

// Bytes of a component, and what a field's vectors begin at a multiple of in the file.
constexpr uint32_t component_bytes(VectorEncoding encoding) {
  return encoding == VectorEncoding::kFloat32 ? 4 : 1;
}
constexpr uint32_t vector_alignment(VectorEncoding encoding) {
  return encoding == VectorEncoding::kFloat32 ? 64 : 4;
}

}  // namespace postern::codec
