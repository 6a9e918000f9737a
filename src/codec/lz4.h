// LZ4 blocks without frame or checksum, as Lucene uses them (docs/formats/12 §3).
//
//   token u8           literal length in the high nibble, match length - 4 in the low one
//   [255]* u8          if the nibble is 15: added to the literal length
//   literals
//   u16                distance back, 1..65535 (absent behind the last literals)
//   [255]* u8          if the nibble is 15: added to the match length
//
// The length of the output is known from elsewhere. Matches may reach back into a dictionary that
// lies right before the block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "base/byte_buffer.h"
#include "base/bytes.h"

namespace postern::codec {

inline constexpr size_t kLz4MinMatch = 4;
inline constexpr size_t kLz4MaxDistance = 65535;

// Most bytes that one byte of a block can stand for.
inline constexpr uint64_t kMaxLz4Expansion = 255;

// Room that the emitters below need for a block of n bytes.
constexpr size_t lz4_bound(size_t n) { return n + n / 255 + 32; }

// Emitters: they write at `out` and return the new end. `readable_end` is the end of the memory in
// which the literals lie; up to 15 bytes more than the literals are read and written when it
// allows.

inline uint8_t* lz4_emit_length(uint8_t* out, size_t beyond_nibble) {
  for (; beyond_nibble >= 255; beyond_nibble -= 255) *out++ = 255;
  *out++ = static_cast<uint8_t>(beyond_nibble);
  return out;
}

inline uint8_t* lz4_emit_literals(uint8_t* out, const uint8_t* literals, size_t count,
                                  uint32_t match_nibble, const uint8_t* readable_end) {
  if (count < 15) {
    *out++ = static_cast<uint8_t>(count << 4 | match_nibble);
    if (readable_end - literals >= 16) {
      std::memcpy(out, literals, 16);
      return out + count;
    }
  } else {
    *out++ = static_cast<uint8_t>(0xf0 | match_nibble);
    out = lz4_emit_length(out, count - 15);
  }
  if (count != 0) std::memcpy(out, literals, count);
  return out + count;
}

// Literals, then a match of match_length >= 4 bytes, `distance` back.
inline uint8_t* lz4_emit_sequence(uint8_t* out, const uint8_t* literals, size_t count,
                                  size_t distance, size_t match_length,
                                  const uint8_t* readable_end) {
  size_t extra = match_length - kLz4MinMatch;
  out = lz4_emit_literals(out, literals, count, static_cast<uint32_t>(std::min<size_t>(extra, 15)),
                          readable_end);
  store_le(out, static_cast<uint16_t>(distance));
  out += 2;
  return extra < 15 ? out : lz4_emit_length(out, extra - 15);
}

// The end of a block whose last sequence has no match.
inline uint8_t* lz4_emit_last_literals(uint8_t* out, const uint8_t* literals, size_t count,
                                       const uint8_t* readable_end) {
  return lz4_emit_literals(out, literals, count, 0, readable_end);
}

// Bytes at which a and b (a before b) agree, up to `end` for b.
inline size_t lz4_common_length(const uint8_t* a, const uint8_t* b, const uint8_t* end) {
  const uint8_t* start = b;
  for (; end - b >= 8; a += 8, b += 8) {
    uint64_t difference = load_le<uint64_t>(a) ^ load_le<uint64_t>(b);
    if (difference != 0)
      return static_cast<size_t>(b - start) +
             (static_cast<uint32_t>(std::countr_zero(difference)) >> 3);
  }
  for (; b < end && *a == *b; ++a) ++b;
  return static_cast<size_t>(b - start);
}

// Lucene's fast compressor. Its hash table is not cleared between blocks, and what is left in it
// takes part in the choice of matches, so the bytes depend on the blocks before: use one object for
// all blocks of a file, in their order, to write what Lucene writes. Memory: 32 KiB, and 16 KiB
// more once a dictionary is shared.
class Lz4Compressor {
 public:
  Lz4Compressor();

  // Appends the block buffer[start..] to `out`, buffer[0..start) being its dictionary. At most
  // 2^31 - 1 bytes in all.
  void compress(std::span<const uint8_t> buffer, size_t start, ByteBuffer& out);

  // The same for many blocks with one dictionary: share_dictionary once, then for each block
  // compress_shared with the same bytes at the front of `buffer`.
  void share_dictionary(std::span<const uint8_t> dictionary);
  void compress_shared(std::span<const uint8_t> buffer, ByteBuffer& out);

  uint64_t ram_bytes() const;

 private:
  static constexpr uint32_t kNarrowLog = 13;  // 16-bit positions
  static constexpr uint32_t kWideLog = 12;    // 32-bit positions, blocks of 64 KiB and more

  bool prepare_table(size_t buffer_length);
  template <class Position, uint32_t kLog>
  void scan(std::span<const uint8_t> buffer, size_t start, ByteBuffer& out);
  void restore_shared(std::span<const uint8_t> buffer);

  std::unique_ptr<uint16_t[]> narrow_;
  std::unique_ptr<uint32_t[]> wide_;
  bool is_wide_ = false;
  // The narrow table as the shared dictionary alone leaves it; kAbsent where it sets nothing.
  static constexpr uint16_t kAbsent = 0xffff;
  std::unique_ptr<uint16_t[]> shared_;
  size_t shared_length_ = 0;
};

// Decodes a block into out[start..], out[0..start) being its dictionary. Returns the bytes of `in`
// that were used. Any bytes are safe; those that are not a block of that length are a CorruptIndex
// naming `file`.
size_t lz4_decompress(std::span<const uint8_t> in, std::span<uint8_t> out, size_t start,
                      std::string_view file);

}  // namespace postern::codec
