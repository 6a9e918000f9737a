#include "codec/indexed_disi.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::from_hex;
using testing::to_hex;

struct Written {
  Bytes bytes;
  int16_t jumps;
};
Written write(const std::vector<uint32_t>& docs) {
  const auto directory = memory_directory();
  store::IndexOutput out(*directory, "set");
  const auto jumps = static_cast<int16_t>(write_indexed_disi(docs, out));
  out.close();
  return {testing::read_file(*directory, "set"), jumps};
}

TEST(IndexedDisi, ExampleOfTheFormat) {
  const Written set = write({0, 1, 2, 4});
  EXPECT_EQ(to_hex(set.bytes), "00 00 03 00 00 00 01 00 02 00 04 00 ff 7f 00 00 ff ff");
  EXPECT_EQ(set.jumps, 0);
}

// docs/formats/20 §3.4: a set whose only block is number 1 has 3 entries; range 0 points to it.
TEST(IndexedDisi, JumpTableCoversAbsentRanges) {
  const Written set = write({65536 + 5});
  EXPECT_EQ(set.jumps, 3);
  EXPECT_EQ(to_hex(set.bytes),
            "01 00 00 00 05 00 ff 7f 00 00 ff ff "
            "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 06 00 00 00");
}

// 4096 documents are bits with 128 big-endian ranks before them.
TEST(IndexedDisi, DenseBlockHasRanks) {
  std::vector<uint32_t> docs;
  for (uint32_t i = 0; i < 4096; ++i) docs.push_back(i * 16);
  const Written set = write(docs);
  ASSERT_EQ(set.bytes.size(), 4u + 256 + 8192 + 6);
  EXPECT_EQ(to_hex(std::span(set.bytes).first(4)), "00 00 ff 0f");
  for (uint32_t k = 0; k < 128; ++k) {
    EXPECT_EQ(set.bytes[4 + 2 * k], k * 32 >> 8);
    EXPECT_EQ(set.bytes[5 + 2 * k], k * 32 & 0xff);
  }
  EXPECT_EQ(load_le<uint64_t>(set.bytes.data() + 260), 0x0001000100010001u);
}

RC_GTEST_PROP(IndexedDisi, FindsExactlyItsMembers, ()) {
  std::vector<uint32_t> docs;
  for (uint32_t block = 0; block < 5; ++block) {
    if (*rc::gen::arbitrary<bool>()) continue;
    const auto step = *rc::gen::element(1u, 2u, 15u, 16u, 17u, 5000u);
    for (uint32_t i = *rc::gen::inRange(0u, step); i < 65536; i += step)
      docs.push_back(block << 16 | i);
  }
  const Written set = write(docs);
  // The jump table is optional.
  const bool jump = *rc::gen::arbitrary<bool>();
  const auto bytes = std::span(set.bytes);
  const IndexedDisi disi(
      jump ? bytes : bytes.first(bytes.size() - 8 * static_cast<size_t>(set.jumps)),
      jump ? set.jumps : int16_t{0}, kDenseRankPower, "_0.nvd");
  std::vector<uint32_t> back;
  disi.for_each([&](uint32_t doc) { back.push_back(doc); });
  RC_ASSERT(back == docs);
  for (size_t i = 0; i < docs.size(); i += docs.size() / 500 + 1)
    RC_ASSERT(disi.index_of(docs[i]) == static_cast<uint32_t>(i));
  for (uint32_t doc = *rc::gen::inRange(0u, 1000u); doc < 8 * 65536; doc += 977)
    RC_ASSERT(disi.index_of(doc).has_value() == std::binary_search(docs.begin(), docs.end(), doc));
}

RC_GTEST_PROP(IndexedDisi, AnyBytesAreSafe, (const Bytes& bytes)) {
  const auto jumps = static_cast<int16_t>(*rc::gen::inRange(-1, 4));
  const auto power = static_cast<int8_t>(*rc::gen::inRange(-2, 17));
  try {
    const IndexedDisi disi(bytes, jumps, power, "_0.nvd");
    for (uint32_t doc : {0u, 1u, 65536u, 200000u, 2147483647u}) {
      try {
        disi.index_of(doc);
      } catch (const CorruptIndex&) {
      }
    }
    disi.for_each([](uint32_t) {});
  } catch (const CorruptIndex&) {
  }
}

}  // namespace
}  // namespace postern::codec
