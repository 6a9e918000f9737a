// Constants of the norms format (docs/formats/21).
#pragma once

#include <cstdint>

namespace postern::codec {

inline constexpr const char* kNormsDataExtension = "nvd";
inline constexpr const char* kNormsMetaExtension = "nvm";
inline constexpr const char* kNormsDataCodec = "Lucene90NormsData";
inline constexpr const char* kNormsMetaCodec = "Lucene90NormsMetadata";
inline constexpr uint32_t kNormsVersion = 0;
// In place of a field number, behind the last entry.
inline constexpr uint32_t kNormsEnd = 0xffffffff;

}  // namespace postern::codec
