// The header and footer that every index file carries (docs/formats/10 §3).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/byte_reader.h"
#include "store/index_output.h"

namespace postern::store {

inline constexpr uint32_t kHeaderMagic = 0x3FD76C17;
inline constexpr uint32_t kFooterMagic = 0xC02893E8;
inline constexpr size_t kFooterLength = 16;

using ObjectId = std::array<uint8_t, 16>;

// A fresh id from the system's random source. Thread-safe. Errors: IoError.
ObjectId new_object_id();

// Bytes of an index header: magic, codec, version, id, suffix.
constexpr size_t index_header_length(std::string_view codec, std::string_view suffix) {
  return 9 + codec.size() + 16 + 1 + suffix.size();
}

// index_header_length(codec, suffix) bytes; codec < 128 and suffix < 256 bytes of ASCII.
void write_index_header(IndexOutput& out, std::string_view codec, uint32_t version,
                        const ObjectId& id, std::string_view suffix);
// Also closes nothing: call out.close() afterwards.
void write_footer(IndexOutput& out);

struct HeaderCheck {
  std::string_view codec;
  uint32_t min_version;
  uint32_t max_version;
  const ObjectId* id;  // null: any
  std::string_view suffix;
};
// Leaves the reader behind the header and returns the version. Throws CorruptIndex, or NotSupported
// for a version outside the range.
uint32_t check_index_header(ByteReader& in, const HeaderCheck& expected);
// The footer's structure; `whole` also verifies the checksum over all of `file`. Throws
// CorruptIndex.
void check_footer(std::span<const uint8_t> file, std::string_view name, bool whole);
// The CRC-32 that the footer records. The footer's structure must have been checked.
uint32_t footer_checksum(std::span<const uint8_t> file);

// For files that are read whole: verifies footer and checksum, then the header, and returns a
// reader over what is between them. `name` must outlive the reader. `version` may be null.
ByteReader open_whole(std::span<const uint8_t> file, std::string_view name,
                      const HeaderCheck& expected, uint32_t* version = nullptr);
// Throws CorruptIndex unless the reader is at its end: nothing may stand between body and footer.
void check_at_end(const ByteReader& in);

}  // namespace postern::store
