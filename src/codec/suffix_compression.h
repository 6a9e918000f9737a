// How the suffixes of one terms block are compressed (docs/formats/31 §4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "base/bytes.h"

namespace postern::codec {

enum class SuffixCompression : uint8_t { kNone = 0, kLowercaseAscii = 1, kLz4 = 2 };

// Makes the same choice, and for LZ4 the same matches, as Lucene. Keeps its memory between calls.
class SuffixCompressor {
 public:
  struct Result {
    SuffixCompression kind;
    std::span<const uint8_t> bytes;  // valid until the next call; the input itself for kNone
  };
  Result compress(std::span<const uint8_t> suffixes, size_t entry_count, size_t prefix_length);

  // The single codes; the bytes are appended. False, and nothing appended, if it does not apply.
  bool lowercase_ascii(std::span<const uint8_t> in, ByteBuffer& out);
  void lz4(std::span<const uint8_t> in, ByteBuffer& out);

 private:
  struct Match {
    size_t distance;
    size_t length;
  };
  // Lucene's hash: which positions share a chain decides which matches it finds.
  static constexpr uint32_t kHashBits = 15;
  static uint32_t hash(const uint8_t* four) {
    return load_le<uint32_t>(four) * 2654435761u >> (32 - kHashBits);
  }
  void start_table(size_t size);
  uint32_t enter(const uint8_t* data, size_t at);
  Match find_match(const uint8_t* data, size_t at, uint32_t link, const uint8_t* limit) const;
  // False, and nothing appended, if the code takes `most` bytes or more.
  bool lz4_below(std::span<const uint8_t> in, size_t most, ByteBuffer& out);

  ByteBuffer out_;
  ByteBuffer patches_;  // pairs of distance and byte
  // Positions are counted on from call to call, so that the table needs no clearing: this call's
  // begin at base_ and end before end_.
  uint32_t base_ = 1;
  uint32_t end_ = 1;
  std::vector<uint32_t> heads_;     // hash of four bytes -> their latest position
  std::vector<uint32_t> previous_;  // position - base_ -> the one before of the same hash
};

// Appends exactly `length` bytes to out and leaves `in` behind the compressed form. Throws
// CorruptIndex.
void decompress_suffixes(ByteReader& in, SuffixCompression kind, size_t length, ByteBuffer& out);

}  // namespace postern::codec
