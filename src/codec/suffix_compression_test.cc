#include "codec/suffix_compression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "codec/lz4.h"
#include "store/index_output.h"

namespace postern::codec {
namespace {

using Bytes = std::vector<uint8_t>;

class Random {
 public:
  explicit Random(uint64_t seed) : x_(seed) {}
  uint32_t below(uint32_t n) {
    x_ = x_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((x_ >> 33) % n);
  }

 private:
  uint64_t x_;
};

void append(Bytes& out, std::string_view text) { out.insert(out.end(), text.begin(), text.end()); }

// The suffixes of a block of 25 terms with the prefix `prefix`: 24 of two bytes, then one long one.
Bytes block_of(char first, char second_base, char last, const Bytes& long_suffix) {
  Bytes out;
  for (int i = 0; i < 24; ++i) append(out, std::string{first, static_cast<char>(second_base + i)});
  out.push_back(static_cast<uint8_t>(last));
  out.insert(out.end(), long_suffix.begin(), long_suffix.end());
  return out;
}

// Two far occurrences of one text, between them n others of the same hash.
Bytes colliding(uint32_t n) {
  Random random(n);
  Bytes tail;
  for (int i = 0; i < 60; ++i) tail.push_back(static_cast<uint8_t>('a' + random.below(6)));
  Bytes out;
  append(out, "wxyz");
  out.insert(out.end(), tail.begin(), tail.end());
  for (uint32_t i = 0; i < n; ++i) {
    append(out, "!(C\"");
    for (int k = 0; k < 8; ++k) out.push_back(static_cast<uint8_t>('g' + random.below(4)));
  }
  append(out, "wxyz");
  out.insert(out.end(), tail.begin(), tail.end());
  append(out, "endofterm!");
  return out;
}

// Long runs of one byte: hundreds of candidates for every match.
Bytes runs(uint32_t n) {
  Random random(n);
  Bytes out;
  while (out.size() < n) {
    bool other = random.below(20) == 0;
    out.push_back(other ? static_cast<uint8_t>(0xfd + random.below(3)) : 'q');
  }
  return out;
}

// Lower case with one capital in about `odd` letters.
Bytes letters(uint32_t n, uint32_t odd) {
  Random random(n);
  Bytes out;
  while (out.size() < n) {
    bool capital = random.below(odd) == 0;
    out.push_back(static_cast<uint8_t>((capital ? 'A' : 'a') + random.below(26)));
  }
  return out;
}

struct LuceneBlock {
  Bytes suffixes;
  SuffixCompression kind;
  size_t size;
  uint32_t crc;
};

// Lucene 10.4 wrote these terms; size and CRC are of the compressed suffixes in its `.tim`.
TEST(SuffixCompression, ChoicesAndBytesAreThoseOfLucene) {
  const auto kLz4 = SuffixCompression::kLz4;
  const auto kAscii = SuffixCompression::kLowercaseAscii;
  const LuceneBlock blocks[] = {
      {block_of('A', 'A', 'B', colliding(255)), kLz4, 1728, 0x51d21a4c},
      {block_of('A', 'A', 'B', colliding(256)), kLz4, 1753, 0x57f602b6},
      {block_of('A', 'A', 'B', runs(3000)), kLz4, 503, 0x55445447},
      {block_of('A', 'A', 'B', runs(9000)), kLz4, 1227, 0x05fdd333},
      {block_of('0', 'a', '1', letters(90, 1000000)), kAscii, 106, 0x08294261},
      {block_of('0', 'a', '1', letters(400, 60)), kAscii, 352, 0xe6b992f5},
      {block_of('0', 'a', '1', letters(1000, 60)), kAscii, 814, 0xff3bc1ab},
      {block_of('0', 'a', '1', letters(3000, 400)), kAscii, 2316, 0x73c14998},
  };
  SuffixCompressor compressor;
  for (const LuceneBlock& block : blocks) {
    auto result = compressor.compress(block.suffixes, 25, 6);
    EXPECT_EQ(result.kind, block.kind) << block.suffixes.size();
    EXPECT_EQ(result.bytes.size(), block.size) << block.suffixes.size();
    EXPECT_EQ(store::crc32(0, result.bytes), block.crc) << block.suffixes.size();
  }
}

TEST(SuffixCompression, ShortSuffixesAndShortPrefixesStayAsTheyAre) {
  SuffixCompressor compressor;
  Bytes in(100, 'a');
  EXPECT_EQ(compressor.compress(in, 50, 6).kind, SuffixCompression::kNone);
  EXPECT_EQ(compressor.compress(in, 10, 2).kind, SuffixCompression::kNone);
  EXPECT_EQ(compressor.compress(in, 49, 3).kind, SuffixCompression::kLowercaseAscii);
  EXPECT_EQ(compressor.compress(in, 10, 3).kind, SuffixCompression::kLz4);
  in.assign(100, 'A');
  EXPECT_EQ(compressor.compress(in, 49, 3).kind, SuffixCompression::kNone);
}

void round_trip(SuffixCompression kind, const Bytes& in, const ByteBuffer& packed) {
  ByteBuffer bytes;
  bytes.write_bytes(packed.bytes());
  bytes.write_byte(77);  // what follows in the block
  ByteReader reader(bytes.bytes(), "_0.tim");
  ByteBuffer out;
  decompress_suffixes(reader, kind, in.size(), out);
  RC_ASSERT(std::ranges::equal(out.bytes(), in));
  RC_ASSERT(reader.remaining() == 1u);
}

RC_GTEST_PROP(SuffixCompression, DecompressesWhatItCompresses, ()) {
  uint32_t length = *rc::gen::inRange(0u, 3000u);
  uint32_t alphabet = *rc::gen::element(1u, 2u, 4u, 26u, 256u);
  uint32_t odd = *rc::gen::element(2u, 40u, 300u, 1000u);
  Random random(*rc::gen::arbitrary<uint64_t>());
  Bytes in;
  while (in.size() < length) {
    uint32_t base = random.below(odd) == 0 ? random.below(256) : 'a';
    in.push_back(static_cast<uint8_t>(base + random.below(alphabet)));
  }
  SuffixCompressor compressor;
  ByteBuffer packed;
  compressor.lz4(in, packed);
  round_trip(SuffixCompression::kLz4, in, packed);
  packed.clear();
  compressor.lz4(in, packed);  // again, with the table of the first call
  round_trip(SuffixCompression::kLz4, in, packed);
  packed.clear();
  if (compressor.lowercase_ascii(in, packed))
    round_trip(SuffixCompression::kLowercaseAscii, in, packed);
}

// The search of docs/formats/31 §4 without chains: the longest match with an earlier position of
// the same hash, the nearest among equals; it ends 5 bytes before the end and begins 9 before it.
void plain_lz4(const Bytes& in, ByteBuffer& out) {
  auto four = [&](size_t i) { return load_le<uint32_t>(in.data() + i); };
  auto hash = [&](size_t i) { return four(i) * 2654435761u >> 17; };
  uint8_t* const begin = out.reserve(lz4_bound(in.size()));
  const uint8_t* const end = in.data() + in.size();
  uint8_t* p = begin;
  size_t anchor = 0;
  for (size_t at = 0; at + 9 < in.size();) {
    size_t best = 0;
    size_t from = 0;
    uint32_t collisions = 0;
    for (size_t i = at; i-- > 0 && collisions < 256 && at - i <= kLz4MaxDistance;) {
      if (hash(i) != hash(at)) continue;
      if (four(i) != four(at)) {
        ++collisions;
        continue;
      }
      size_t length = 4;
      while (at + length + 5 < in.size() && in[i + length] == in[at + length]) ++length;
      if (length > best) {
        best = length;
        from = i;
      }
    }
    if (best == 0) {
      ++at;
      continue;
    }
    p = lz4_emit_sequence(p, in.data() + anchor, at - anchor, at - from, best, end);
    at += best;
    anchor = at;
  }
  p = lz4_emit_last_literals(p, in.data() + anchor, in.size() - anchor, end);
  out.advance(static_cast<size_t>(p - begin));
}

RC_GTEST_PROP(SuffixCompression, MatchesAndChoiceAreThoseOfThePlainSearch, ()) {
  uint32_t length = *rc::gen::inRange(13u, 1500u);
  uint32_t words = *rc::gen::inRange(1u, 60u);
  Random random(*rc::gen::arbitrary<uint64_t>());
  Bytes in;
  while (in.size() < length) {
    // Words that come again, more or less often.
    Random word(random.below(words));
    for (uint32_t n = 2 + word.below(9); n > 0; --n)
      in.push_back(static_cast<uint8_t>('a' + word.below(26)));
  }
  SuffixCompressor compressor;
  for (int round = 0; round < 2; ++round) {  // the second with the table of the first
    ByteBuffer plain;
    plain_lz4(in, plain);
    ByteBuffer fast;
    compressor.lz4(in, fast);
    RC_ASSERT(std::ranges::equal(fast.bytes(), plain.bytes()));
    const auto result = compressor.compress(in, 2, 3);
    const bool small = plain.size() < in.size() - in.size() / 4;
    RC_ASSERT((result.kind == SuffixCompression::kLz4) == small);
    if (small) RC_ASSERT(std::ranges::equal(result.bytes, plain.bytes()));
  }
}

TEST(SuffixCompression, AClaimOfManyBytesIsRefusedBeforeTheyAreAllocated) {
  Bytes bytes(20, 0);
  for (auto kind : {SuffixCompression::kNone, SuffixCompression::kLowercaseAscii,
                    SuffixCompression::kLz4, static_cast<SuffixCompression>(3)}) {
    ByteReader in(bytes, "_0.tim");
    ByteBuffer out;
    EXPECT_THROW(decompress_suffixes(in, kind, size_t{1} << 60, out), CorruptIndex);
    EXPECT_EQ(out.capacity(), 0u);
  }
}

TEST(SuffixCompression, APatchOutsideIsCorrupt) {
  Bytes bytes(6, 0);                               // six bytes for eight suffix bytes
  bytes.insert(bytes.end(), {2, 7, 'A', 1, 'B'});  // the second patch is at 8
  ByteReader in(bytes, "_0.tim");
  ByteBuffer out;
  EXPECT_THROW(decompress_suffixes(in, SuffixCompression::kLowercaseAscii, 8, out), CorruptIndex);
}

}  // namespace
}  // namespace postern::codec
