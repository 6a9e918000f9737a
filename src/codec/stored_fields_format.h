// Constants and value encodings of the stored fields format (docs/formats/12).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "postern/writer.h"

namespace postern::codec {

// The value of the segment attribute kStoredFieldsModeKey (segment_info.h) that tells the mode.
const char* stored_fields_mode_name(StoredFieldsMode mode);
// "BEST_SPEED" or "BEST_COMPRESSION"; anything else is CorruptIndex naming `file`.
StoredFieldsMode stored_fields_mode(std::string_view name, std::string_view file);

// The low three bits in front of a value.
enum class StoredType : uint8_t {
  kString = 0,
  kBytes = 1,
  kInt = 2,
  kFloat = 3,
  kLong = 4,
  kDouble = 5
};

struct StoredFieldsFormat {
  const char* data_codec;
  uint32_t chunk_size;           // bytes at which a chunk is written, and of a slice
  uint32_t max_chunk_documents;  // documents at which a chunk is written
};
const StoredFieldsFormat& stored_fields_format(StoredFieldsMode mode);

inline constexpr uint32_t kStoredFieldsDataVersion = 1;
inline constexpr uint32_t kStoredFieldsMetaVersion = 1;
inline constexpr uint32_t kStoredFieldsIndexVersion = 0;
inline constexpr const char* kStoredFieldsMetaCodec = "Lucene90FieldsIndexMeta";
inline constexpr const char* kStoredFieldsIndexCodec = "Lucene90FieldsIndexIdx";

// The variable-length numbers of §1. Each writes at most 10 bytes at `out` and returns its length.
size_t encode_stored_float(float value, uint8_t* out);
size_t encode_stored_double(double value, uint8_t* out);
size_t encode_stored_long(int64_t value, uint8_t* out);

}  // namespace postern::codec
