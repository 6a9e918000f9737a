#include "codec/for_util.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <vector>

#include "store/index_output.h"

namespace postern::codec {
namespace {

using Block = std::array<uint32_t, kForValues>;

Block spec_values(uint32_t bits) {
  Block v;
  uint64_t x = bits;
  for (uint32_t i = 0; i < kForValues; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    v[i] = static_cast<uint32_t>(x >> 33) & ((1u << bits) - 1);
  }
  v[17] = (1u << bits) - 1;
  return v;
}

// docs/formats/30 §3, from Lucene's encoder.
constexpr uint32_t kSpecCrcs[] = {
    0xec4de1c1, 0xbf5568fc, 0x2c16af02, 0x57f2840a, 0x037c8001, 0xe0e6ddcd, 0xddac4b6b, 0x93867994,
    0x9530e4c6, 0x71ba27df, 0x4c0f860c, 0xb1057d36, 0xcda1ad58, 0x585303c5, 0xf99de774, 0xd8e5d1f8,
    0x846b1509, 0x188a99a6, 0x4a77d9e9, 0x6457f2e1, 0xe06bd732, 0xa2c489e2, 0x7f751335, 0xb7bef79e,
    0xd5e3f9d5, 0xf24d69b0, 0xd17bae95, 0xb5c9e6f1, 0x4058dd36, 0xd3bd200a, 0x5985af3d};

TEST(ForUtil, BytesAreThoseOfLucene) {
  for (uint32_t bits = 1; bits <= kMaxForBits; ++bits) {
    std::vector<uint8_t> out(32 * bits);
    encode_for(spec_values(bits).data(), bits, out.data());
    EXPECT_EQ(store::crc32(0, out), kSpecCrcs[bits - 1]) << bits << " bits";
  }
}

TEST(ForUtil, EightBitsAreFourLanes) {
  Block v;
  for (uint32_t i = 0; i < kForValues; ++i) v[i] = i;
  std::array<uint8_t, 256> out;
  encode_for(v.data(), 8, out.data());
  for (uint32_t j = 0; j < 64; ++j) {
    EXPECT_EQ(out[4 * j + 3], j);
    EXPECT_EQ(out[4 * j], 192 + j);
  }
}

RC_GTEST_PROP(ForUtil, DecodesWhatItEncodes, ()) {
  uint32_t bits = *rc::gen::inRange(1u, kMaxForBits + 1);
  uint64_t x = *rc::gen::arbitrary<uint64_t>();
  Block v;
  for (uint32_t& value : v) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<uint32_t>(x >> 33) & ((1u << bits) - 1);
  }
  std::vector<uint8_t> out(32 * bits);
  encode_for(v.data(), bits, out.data());
  Block back;
  decode_for(out.data(), bits, back.data());
  RC_ASSERT(back == v);
}

}  // namespace
}  // namespace postern::codec
