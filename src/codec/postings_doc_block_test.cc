#include "codec/postings_doc_block.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/bytes.h"
#include "codec/for_util.h"

namespace postern::codec {
namespace {

using Block = std::array<uint32_t, kForValues>;

// 256 deltas that add up to `range`: ones, and what is left spread or at one place.
Block deltas_of_range(uint32_t range, bool spread) {
  Block deltas;
  uint32_t each = spread ? range / kForValues : 1;
  deltas.fill(each);
  uint32_t rest = range - each * kForValues;
  if (spread) {
    for (uint32_t i = 0; i < rest; ++i) ++deltas[i * 7 % kForValues];
  } else {
    deltas[100] += rest;
  }
  return deltas;
}

// docs/formats/30 §5.2.
int expected_token(const Block& deltas) {
  uint64_t range = std::accumulate(deltas.begin(), deltas.end(), uint64_t{0});
  uint32_t bits = bit_length(*std::ranges::max_element(deltas));
  if (range == 256) return 0;
  if (256 * std::min(32u, bits + 1) <= range) return static_cast<int>(bits);
  return -static_cast<int>((range + 63) / 64);
}

void check(const Block& deltas, uint32_t base) {
  ByteBuffer out;
  write_doc_block(out, deltas.data(), std::accumulate(deltas.begin(), deltas.end(), uint64_t{0}));
  int token = static_cast<int8_t>(out.data()[0]);
  ASSERT_EQ(token, expected_token(deltas));
  ASSERT_EQ(out.size(), 1u + (token >= 0 ? 32 * token : -8 * token));
  Block docs;
  ByteReader in(out.bytes(), "_0.doc");
  read_doc_block(in, base, docs.data());
  ASSERT_EQ(in.remaining(), 0u);
  uint32_t doc = base;
  for (uint32_t i = 0; i < kForValues; ++i) ASSERT_EQ(docs[i], doc += deltas[i]);
}

TEST(DocBlock, EveryRangeAtTheBreakEvenOfPackingAndBitSetDecodes) {
  for (uint32_t range = 256; range <= 8192; ++range) {
    for (bool spread : {false, true}) {
      SCOPED_TRACE(range);
      check(deltas_of_range(range, spread), range % 3 ? UINT32_MAX : range);
    }
  }
}

TEST(DocBlock, ConsecutiveDocumentsTakeOneByte) {
  check(deltas_of_range(256, true), UINT32_MAX);
  check(deltas_of_range(256, true), 5000);
}

TEST(DocBlock, TheWidestBitSetOfTheChoiceHas52Words) {
  uint32_t widest = 0;
  for (uint32_t range = 256; range < 20000; ++range) {
    Block deltas = deltas_of_range(range, false);
    ByteBuffer out;
    write_doc_block(out, deltas.data(), range);
    int token = static_cast<int8_t>(out.data()[0]);
    if (token < 0) widest = std::max(widest, static_cast<uint32_t>(-token));
  }
  EXPECT_EQ(widest, 52u);
}

TEST(DocBlock, AnotherWritersBitSetOf128WordsIsRead) {
  std::vector<uint8_t> bytes(1 + 8 * 128);
  bytes[0] = 0x80;
  for (uint32_t i = 0; i < 256; ++i) bytes[1 + 4 * i + 3] = 0x80;  // every 32nd document
  ByteReader in(bytes, "_0.doc");
  Block docs;
  read_doc_block(in, 9, docs.data());
  for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(docs[i], 9 + 32 * (i + 1));
}

TEST(DocBlock, TheLargestDocumentsFit) {
  Block deltas;
  deltas.fill(1);
  deltas[0] = 0x7fffff00;
  check(deltas, UINT32_MAX);  // ends with document 2^31 - 2
}

TEST(DocBlock, ImpossibleBlocksAreCorrupt) {
  auto read = [](std::vector<uint8_t> bytes, uint32_t base) {
    ByteReader in(bytes, "_0.doc");
    Block docs;
    read_doc_block(in, base, docs.data());
  };
  EXPECT_THROW(read({32}, 0), CorruptIndex);                         // 32 bits
  EXPECT_THROW(read({0}, INT32_MAX - 255u), CorruptIndex);           // beyond 2^31 - 1
  EXPECT_THROW(read(std::vector<uint8_t>(33, 1), 0), CorruptIndex);  // a delta of 0
  std::vector<uint8_t> bits(1 + 8 * 5, 0xff);
  bits[0] = 0xfb;
  EXPECT_THROW(read(bits, 0), CorruptIndex);  // 320 documents
  std::fill(bits.begin() + 1, bits.end(), uint8_t{0});
  EXPECT_THROW(read(bits, 0), CorruptIndex);  // none
  EXPECT_THROW(read({0xfb, 1, 2}, 0), CorruptIndex);
}

RC_GTEST_PROP(DocBlock, AnyDeltasDecode, ()) {
  uint32_t bits = *rc::gen::inRange(1u, 22u);
  uint64_t x = *rc::gen::arbitrary<uint64_t>();
  Block deltas;
  for (uint32_t& delta : deltas) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    delta = 1 + (static_cast<uint32_t>(x >> 33) & ((1u << bits) - 1));
  }
  check(deltas, *rc::gen::element(UINT32_MAX, 0u, 77777u));
}

}  // namespace
}  // namespace postern::codec
