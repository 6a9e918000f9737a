// For fuzzers of files that carry a header and a checksum: random bytes would never get past them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "postern/directory.h"
#include "postern/error.h"
#include "store/codec_header.h"

namespace postern::fuzz {

inline constexpr store::ObjectId kId = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

// Writes the input as the file `name`. If the first byte is even, the rest becomes the body of a
// file with the given header and a good footer; if it is odd, the rest is the whole file.
inline void put(Directory& directory, const std::string& name, const uint8_t* data, size_t size,
                std::string_view codec, uint32_t version, std::string_view suffix) {
  bool sealed = size == 0 || data[0] % 2 == 0;
  store::IndexOutput out(directory, name);
  if (sealed) store::write_index_header(out, codec, version, kId, suffix);
  if (size > 1) out.write_bytes(std::span(data + 1, size - 1));
  if (sealed) store::write_footer(out);
  out.close();
}

}  // namespace postern::fuzz
