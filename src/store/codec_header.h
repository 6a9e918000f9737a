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

// A fresh id: random start per process, then counted up. Thread-safe.
ObjectId new_object_id();

// 9 + |codec| + 16 + 1 + |suffix| bytes.
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
// for a newer version.
uint32_t check_index_header(ByteReader& in, const HeaderCheck& expected);
// The footer's structure; `whole` also verifies the checksum over all of `file`. Throws
// CorruptIndex.
void check_footer(std::span<const uint8_t> file, std::string_view name, bool whole);

}  // namespace postern::store
