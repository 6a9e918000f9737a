// Compresses and decompresses the pieces of a stored fields chunk (docs/formats/12 §3-4): a
// dictionary (the first bytes of the piece) and about ten blocks that may refer to it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "codec/deflate.h"
#include "codec/lz4.h"
#include "postern/writer.h"
#include "store/index_output.h"

namespace postern::codec {

// One object per file: the LZ4 table carries over from piece to piece.
class StoredFieldsCompressor {
 public:
  explicit StoredFieldsCompressor(StoredFieldsMode mode);

  // Appends the piece to `out`.
  void compress(std::span<const uint8_t> piece, store::IndexOutput& out);

  uint64_t ram_bytes() const;

 private:
  void compress_speed(std::span<const uint8_t> piece, store::IndexOutput& out);
  void compress_high(std::span<const uint8_t> piece, store::IndexOutput& out);

  std::unique_ptr<Lz4Compressor> lz4_;
  std::unique_ptr<Deflater> deflater_;
  ByteBuffer window_;      // dictionary and one block behind it
  ByteBuffer compressed_;  // of one piece
};

// Decompresses such pieces, of any cut. Any bytes are safe.
class PieceDecompressor {
 public:
  explicit PieceDecompressor(StoredFieldsMode mode) : mode_(mode) {}

  // Appends the `length` bytes of the piece at `in` to `out` and leaves `in` behind the piece.
  // Grows `out` only as far as the compressed bytes can account for. Throws CorruptIndex.
  void decompress(ByteReader& in, uint64_t length, ByteBuffer& out);

 private:
  void decompress_block(ByteReader& in, ByteReader& lengths, size_t dictionary, uint64_t length);

  StoredFieldsMode mode_;
  ByteBuffer window_;  // dictionary and one block behind it
};

}  // namespace postern::codec
