#include "codec/lz4.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#ifdef POSTERN_LIBLZ4
#include <lz4.h>
#endif

#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::from_hex;
using testing::to_hex;

Bytes text(std::string_view s) { return {s.begin(), s.end()}; }

Bytes compress(Lz4Compressor& lz4, const Bytes& dictionary, const Bytes& block) {
  Bytes buffer = dictionary;
  buffer.insert(buffer.end(), block.begin(), block.end());
  ByteBuffer out;
  lz4.compress(buffer, dictionary.size(), out);
  return {out.bytes().begin(), out.bytes().end()};
}

Bytes decompress(const Bytes& dictionary, const Bytes& compressed, size_t length) {
  Bytes out = dictionary;
  out.resize(dictionary.size() + length);
  EXPECT_EQ(lz4_decompress(compressed, out, dictionary.size(), "_0.fdt"), compressed.size());
  EXPECT_TRUE(std::equal(dictionary.begin(), dictionary.end(), out.begin()));
  return {out.begin() + static_cast<ptrdiff_t>(dictionary.size()), out.end()};
}

// Bytes with repetitions near and far.
rc::Gen<Bytes> some_bytes(size_t most) {
  return rc::gen::exec([most] {
    Bytes out;
    const auto pieces = *rc::gen::inRange<size_t>(0, 40);
    for (size_t i = 0; i < pieces && out.size() < most; ++i) {
      const auto length = *rc::gen::inRange<size_t>(0, 40);
      if (out.empty() || *rc::gen::inRange(0, 3) == 0) {
        const auto fresh = *rc::gen::container<Bytes>(length, rc::gen::arbitrary<uint8_t>());
        out.insert(out.end(), fresh.begin(), fresh.end());
      } else {
        const auto from = *rc::gen::inRange<size_t>(0, out.size());
        for (size_t k = 0; k < length; ++k) out.push_back(out[from + k]);
      }
    }
    return out;
  });
}

TEST(Lz4, EmptyBlockIsOneToken) {
  Lz4Compressor lz4;
  EXPECT_EQ(to_hex(compress(lz4, {}, {})), "00");
  EXPECT_TRUE(decompress({}, {0}, 0).empty());
}

TEST(Lz4, NineBytesAreLiterals) {
  Lz4Compressor lz4;
  EXPECT_EQ(to_hex(compress(lz4, {}, text("aaaaaaaaa"))), "90 61 61 61 61 61 61 61 61 61");
}

// At 1 the same four bytes as at 0; the match ends five bytes before the end (20 - 5 - 1 = 14).
TEST(Lz4, MatchOverlapsItselfAndStopsBeforeTheLastFiveBytes) {
  Lz4Compressor lz4;
  EXPECT_EQ(to_hex(compress(lz4, {}, Bytes(20, 'a'))), "1a 61 01 00 50 61 61 61 61 61");
}

TEST(Lz4, LongLengthsGoOnIn255s) {
  Lz4Compressor lz4;
  // One literal, a match of 400 - 1 - 5 = 394 = 4 + 15 + 255 + 120, five literals.
  EXPECT_EQ(to_hex(compress(lz4, {}, Bytes(400, 'a'))), "1f 61 01 00 ff 78 50 61 61 61 61 61");
}

TEST(Lz4, MatchReachesIntoTheDictionary) {
  Lz4Compressor lz4;
  // 8 bytes at distance 11, then the rest: no match starts in the last 9 bytes.
  EXPECT_EQ(to_hex(compress(lz4, text("hello world"), text("hello woXXXXX"))),
            "04 0b 00 50 58 58 58 58 58");
}

// In the second block "wwwX" at 5 lies inside a match and is not entered; a fresh table does not
// find it again at 10, one that met it at 5 of an earlier block does (docs/formats/12 §3).
TEST(Lz4, TableOutlivesTheBlock) {
  const Bytes earlier = text("abcdewwwX0123456789");
  const Bytes block = text("wwwwwwwwX.wwwX!123456789");
  Lz4Compressor fresh, used;
  EXPECT_EQ(to_hex(compress(fresh, {}, block)),
            "13 77 01 00 f0 01 58 2e 77 77 77 58 21 31 32 33 34 35 36 37 38 39");
  compress(used, {}, earlier);
  EXPECT_EQ(to_hex(compress(used, {}, block)),
            "13 77 01 00 20 58 2e 05 00 a0 21 31 32 33 34 35 36 37 38 39");
}

RC_GTEST_PROP(Lz4, DecodesToWhatWasCompressed, ()) {
  Lz4Compressor lz4;
  for (int i = 0; i < 4; ++i) {
    const Bytes dictionary = *some_bytes(600);
    const Bytes block = *some_bytes(1200);
    const Bytes compressed = compress(lz4, dictionary, block);
    RC_ASSERT(compressed.size() <= lz4_bound(block.size()));
    RC_ASSERT(decompress(dictionary, compressed, block.size()) == block);
#ifdef POSTERN_LIBLZ4
    // Partial decoding, because Lucene's blocks may end their last match nearer to the end than
    // the library's own.
    Bytes out(block.size());
    const int n = LZ4_decompress_safe_partial_usingDict(
        reinterpret_cast<const char*>(compressed.data()), reinterpret_cast<char*>(out.data()),
        static_cast<int>(compressed.size()), static_cast<int>(block.size()),
        static_cast<int>(block.size()), reinterpret_cast<const char*>(dictionary.data()),
        static_cast<int>(dictionary.size()));
    RC_ASSERT(n == static_cast<int>(block.size()));
    RC_ASSERT(out == block);
#endif
  }
}

#ifdef POSTERN_LIBLZ4
RC_GTEST_PROP(Lz4, DecodesWhatTheLibraryCompresses, ()) {
  const Bytes block = *some_bytes(3000);
  Bytes compressed(static_cast<size_t>(LZ4_compressBound(static_cast<int>(block.size()))));
  const int n = LZ4_compress_default(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(compressed.data()),
      static_cast<int>(block.size()), static_cast<int>(compressed.size()));
  RC_ASSERT(n > 0);
  compressed.resize(static_cast<size_t>(n));
  RC_ASSERT(decompress({}, compressed, block.size()) == block);
}
#endif

// Both ways of naming the dictionary must give the same bytes, whatever is left in the table.
RC_GTEST_PROP(Lz4, SharedDictionaryChangesNothing, ()) {
  Lz4Compressor plain, shared;
  for (int piece = 0; piece < 3; ++piece) {
    Bytes dictionary = *some_bytes(4000);
    const auto wanted = *rc::gen::inRange<size_t>(0, 3000);
    for (size_t i = 0; !dictionary.empty() && dictionary.size() < wanted; ++i)
      dictionary.push_back(static_cast<uint8_t>(dictionary[i] + dictionary.size() / 97));
    shared.share_dictionary(dictionary);
    for (int i = 0; i < 4; ++i) {
      Bytes block = *some_bytes(1500);
      if (*rc::gen::arbitrary<bool>())
        block.insert(block.end(), dictionary.begin(), dictionary.end());
      Bytes buffer = dictionary;
      buffer.insert(buffer.end(), block.begin(), block.end());
      ByteBuffer out;
      shared.compress_shared(buffer, out);
      const Bytes expected = compress(plain, dictionary, block);
      RC_ASSERT(Bytes(out.bytes().begin(), out.bytes().end()) == expected);
    }
  }
}

// 64 KiB and more take the other table, and distances stay within 16 bits.
TEST(Lz4, BlocksBeyond64KiB) {
  Lz4Compressor lz4;
  Bytes big;
  for (uint32_t i = 0; big.size() < 300'000; ++i)
    big.push_back(static_cast<uint8_t>(i * i >> 7 ^ (i % 70'000 < 100 ? 'x' : i >> 3)));
  const Bytes small(5000, 'q');
  for (const Bytes* block : std::initializer_list<const Bytes*>{&big, &small, &big, &big, &small})
    EXPECT_EQ(decompress({}, compress(lz4, {}, *block), block->size()), *block);
}

TEST(Lz4, RefusesWhatIsNotABlock) {
  struct Case {
    const char* bytes;
    size_t length;
  } cases[] = {
      {"", 0},                  // no token
      {"10", 1},                // no literal
      {"20 61 62", 1},          // more literals than output
      {"10 61", 5},             // no match
      {"10 61 01", 5},          // half a distance
      {"10 61 00 00", 5},       // distance 0
      {"10 61 02 00", 5},       // before the start
      {"11 61 01 00", 5},       // match of 5 into 4
      {"f0 ff ff", 600},        // length without end
      {"1f 61 01 00 ff", 600},  // likewise
      {"10 61 01 00", 6},       // ends before the output does
  };
  for (const auto& c : cases) {
    Bytes out(c.length);
    EXPECT_THROW(lz4_decompress(from_hex(c.bytes), out, 0, "_0.fdt"), CorruptIndex) << c.bytes;
  }
}

RC_GTEST_PROP(Lz4, AnyBytesAreSafe, (const Bytes& bytes)) {
  Bytes out(*rc::gen::inRange<size_t>(0, 2000));
  try {
    lz4_decompress(bytes, out, out.size() / 3, "_0.fdt");
  } catch (const CorruptIndex&) {
  }
}

}  // namespace
}  // namespace postern::codec
