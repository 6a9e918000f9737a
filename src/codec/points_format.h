// Constants of the points format (docs/formats/23).
#pragma once

#include <cstdint>

namespace postern::codec {

inline constexpr const char* kPointsDataExtension = "kdd";
inline constexpr const char* kPointsIndexExtension = "kdi";
inline constexpr const char* kPointsMetaExtension = "kdm";
inline constexpr const char* kPointsDataCodec = "Lucene90PointsFormatData";
inline constexpr const char* kPointsIndexCodec = "Lucene90PointsFormatIndex";
inline constexpr const char* kPointsMetaCodec = "Lucene90PointsFormatMeta";
inline constexpr uint32_t kPointsVersion = 1;
// Each tree's entry of .kdm starts with a header of its own.
inline constexpr const char* kBkdCodec = "BKD";
inline constexpr uint32_t kBkdVersion = 10;
// In place of a field number, behind the last entry.
inline constexpr uint32_t kPointsEnd = 0xffffffff;

inline constexpr uint32_t kMaxPointDimensions = 16;
inline constexpr uint32_t kMaxPointIndexDimensions = 8;
inline constexpr uint32_t kMaxPointBytes = 16;  // per dimension
inline constexpr uint32_t kPointsPerLeaf = 512;

// Encodings of the documents of a leaf (§3.1).
inline constexpr int8_t kDocsContinuous = -2;
inline constexpr int8_t kDocsBitSet = -1;
inline constexpr int8_t kDocsDelta16 = 16;
inline constexpr int8_t kDocs21 = 21;
inline constexpr int8_t kDocs24 = 24;
inline constexpr int8_t kDocs32 = 32;

// Encodings of the values of a leaf (§3.2); from 0 on: the dimension they are sorted by.
inline constexpr int8_t kValuesEqual = -1;
inline constexpr int8_t kValuesLowCardinality = -2;

// What a tree's points look like.
struct BkdShape {
  uint32_t dimensions = 1;
  uint32_t index_dimensions = 1;
  uint32_t bytes = 4;  // per dimension

  uint32_t value_bytes() const { return dimensions * bytes; }
  uint32_t index_bytes() const { return index_dimensions * bytes; }
};

// Leaves in the left subtree of a node over `leaves` >= 2 leaves (§2).
constexpr uint32_t left_leaf_count(uint32_t leaves) {
  uint32_t full = 1;
  while (full <= leaves / 2) full *= 2;
  const uint32_t extra = leaves - full;
  return full / 2 + (extra < full / 2 ? extra : full / 2);
}
static_assert(left_leaf_count(2) == 1 && left_leaf_count(3) == 2 && left_leaf_count(5) == 3 &&
              left_leaf_count(6) == 4 && left_leaf_count(7) == 4);

}  // namespace postern::codec
