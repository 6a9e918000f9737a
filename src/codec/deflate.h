// Raw deflate streams with a preset dictionary, as zlib level 6 writes them (docs/formats/12 §4).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/byte_buffer.h"

namespace postern::codec {

// Keeps its 256 KiB of working memory from block to block.
class Deflater {
 public:
  Deflater();
  ~Deflater();

  // Appends one finished stream of `block`; `dictionary` may be empty.
  void compress(std::span<const uint8_t> block, std::span<const uint8_t> dictionary,
                ByteBuffer& out);

  static uint64_t ram_bytes() { return 268 * 1024; }

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// Most bytes that one byte of deflate can stand for.
inline constexpr uint64_t kMaxDeflateExpansion = 1032;

// Decodes a stream of exactly out.size() bytes that takes up exactly `in`. Anything else is a
// CorruptIndex naming `file`.
void inflate_block(std::span<const uint8_t> in, std::span<const uint8_t> dictionary,
                   std::span<uint8_t> out, std::string_view file);

}  // namespace postern::codec
