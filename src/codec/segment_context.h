// What every format writer of one segment needs to know.
#pragma once

#include <cstdint>
#include <string>

#include "codec/field_infos.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// `_0.fdt`, `_0_Lucene104_0.doc`: suffix may be empty.
inline std::string segment_file(const std::string& segment, const std::string& suffix,
                                const char* extension) {
  return segment + (suffix.empty() ? "" : "_" + suffix) + "." + extension;
}

struct SegmentContext {
  Directory& directory;
  std::string segment;  // "_0"
  store::ObjectId id;
  uint32_t max_doc = 0;  // known at flush; 0 while documents are being added
};

}  // namespace postern::codec
