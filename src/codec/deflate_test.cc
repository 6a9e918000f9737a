#include "codec/deflate.h"

#include <gtest/gtest.h>

#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::from_hex;
using testing::to_hex;

Bytes text(std::string_view s) { return {s.begin(), s.end()}; }

// Fixed Huffman code, from RFC 1951 by hand: 'a' is 0x61 + 0x30 = 10010001, end of block 0000000.
TEST(Deflate, OneLetter) {
  Deflater deflater;
  ByteBuffer out;
  deflater.compress(text("a"), {}, out);
  EXPECT_EQ(to_hex(out.bytes()), "4b 04 00");
}

TEST(Deflate, StreamsAreIndependentAndUseTheirDictionary) {
  Deflater deflater;
  const Bytes dictionary = text("the quick brown fox jumps over the lazy dog");
  const Bytes block = text("the quick brown fox jumps over the lazy cat");
  ByteBuffer alone, with, again;
  deflater.compress(block, {}, alone);
  deflater.compress(block, dictionary, with);
  deflater.compress(block, {}, again);
  EXPECT_EQ(to_hex(alone.bytes()), to_hex(again.bytes()));
  EXPECT_LT(with.size(), alone.size() / 2);
  Bytes out(block.size());
  inflate_block(with.bytes(), dictionary, out, "_0.fdt");
  EXPECT_EQ(out, block);
}

TEST(Deflate, RefusesOtherLengthsAndOtherBytes) {
  const Bytes good = from_hex("4b 04 00");
  auto inflate = [](Bytes in, size_t length) {
    Bytes out(length);
    inflate_block(in, {}, out, "_0.fdt");
  };
  inflate(good, 1);
  EXPECT_THROW(inflate(good, 2), CorruptIndex);
  EXPECT_THROW(inflate(good, 0), CorruptIndex);
  EXPECT_THROW(inflate(from_hex("4b 04 00 00"), 1), CorruptIndex);
  EXPECT_THROW(inflate(from_hex("4b 04"), 1), CorruptIndex);
  EXPECT_THROW(inflate(from_hex("ff ff ff"), 1), CorruptIndex);
  EXPECT_THROW(inflate({}, 1), CorruptIndex);
}

}  // namespace
}  // namespace postern::codec
