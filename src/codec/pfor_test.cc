#include "codec/pfor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/bytes.h"

namespace postern::codec {
namespace {

using Block = std::array<uint32_t, kForValues>;
using Bytes = std::vector<uint8_t>;

Bytes encode(const Block& v) {
  Bytes out(kMaxPforBytes);
  out.resize(encode_pfor(v.data(), out.data()));
  return out;
}

// The four steps of docs/formats/30 §4, word for word.
Bytes spec_encode(const Block& v) {
  auto width = [](uint32_t x) { return std::max(1u, bit_length(x)); };
  uint32_t widest = 1;
  for (uint32_t x : v) widest = std::max(widest, width(x));
  uint32_t bits = widest;
  auto at_least = [&](uint32_t b) {
    return std::ranges::count_if(v, [&](uint32_t x) { return width(x) >= b; });
  };
  while (bits > (widest > 9 ? widest - 8 : 1) && at_least(bits) <= 7) --bits;
  Bytes exceptions;
  Block low;
  for (uint32_t i = 0; i < kForValues; ++i) {
    low[i] = v[i] & ((1u << bits) - 1);
    if (width(v[i]) <= bits) continue;
    exceptions.push_back(static_cast<uint8_t>(i));
    exceptions.push_back(static_cast<uint8_t>(v[i] >> bits));
  }
  bool constant = widest <= 8 && std::ranges::all_of(low, [&](uint32_t x) { return x == low[0]; });
  size_t count = exceptions.size() / 2;
  Bytes out{static_cast<uint8_t>(count << 5 | (constant ? 0 : bits))};
  if (constant) {
    ByteBuffer value;
    value.write_vint(low[0]);
    out.insert(out.end(), value.data(), value.data() + value.size());
    for (size_t i = 1; i < exceptions.size(); i += 2)
      exceptions[i] = static_cast<uint8_t>(exceptions[i] << bits);
  } else {
    out.resize(1 + 32 * bits);
    encode_for(low.data(), bits, out.data() + 1);
  }
  out.insert(out.end(), exceptions.begin(), exceptions.end());
  return out;
}

Block decode(const Bytes& bytes) {
  ByteReader in(bytes, "block");
  Block v;
  decode_pfor(in, v.data());
  EXPECT_EQ(in.remaining(), 0u);
  ByteReader again(bytes, "block");
  skip_pfor(again);
  EXPECT_EQ(again.remaining(), 0u);
  return v;
}

Block filled(uint32_t value) {
  Block v;
  v.fill(value);
  return v;
}

TEST(Pfor, AConstantBlockIsTwoBytesUpTo127AndThreeUpTo255) {
  EXPECT_EQ(encode(filled(0)), (Bytes{0, 0}));
  EXPECT_EQ(encode(filled(1)), (Bytes{0, 1}));
  EXPECT_EQ(encode(filled(127)), (Bytes{0, 127}));
  EXPECT_EQ(encode(filled(128)), (Bytes{0, 0x80, 1}));
  EXPECT_EQ(encode(filled(255)), (Bytes{0, 0xff, 1}));
}

TEST(Pfor, AWiderConstantBlockIsNotCollapsed) {
  EXPECT_EQ(encode(filled(256)).size(), 1 + 32 * 9u);
  EXPECT_EQ(decode(encode(filled(256))), filled(256));
}

TEST(Pfor, AnExceptionToAConstantBlockKeepsItsPlaceInTheByte) {
  Block v = filled(1);
  v[9] = 201;  // 11001001: the high bits 1100100 and the low bit 1
  EXPECT_EQ(encode(v), (Bytes{1 << 5, 1, 9, 200}));
  EXPECT_EQ(decode(encode(v)), v);
}

TEST(Pfor, EightWideValuesAreTooManyForExceptions) {
  Block v = filled(1);
  for (uint32_t i = 0; i < 7; ++i) v[i * 30] = 1000;
  EXPECT_EQ(encode(v).size(), 1 + 32 * 2 + 2 * 7u);  // 10 bits, less the 8 of the high bytes
  v[250] = 1000;
  EXPECT_EQ(encode(v).size(), 1 + 32 * 10u);
}

TEST(Pfor, TheWidestValuesSurvive) {
  EXPECT_EQ(decode(encode(filled(INT32_MAX))), filled(INT32_MAX));
  Block v = filled(0);
  v[255] = INT32_MAX;
  EXPECT_EQ(encode(v).size(), 1 + 32 * 23 + 2u);
  EXPECT_EQ(decode(encode(v)), v);
}

TEST(Pfor, ATruncatedBlockIsCorrupt) {
  Block v = filled(3);
  v[1] = 700;
  Bytes bytes = encode(v);
  for (size_t n = 0; n < bytes.size(); ++n) {
    ByteReader in({bytes.data(), n}, "_0.pos");
    EXPECT_THROW(decode_pfor(in, v.data()), CorruptIndex);
  }
}

RC_GTEST_PROP(Pfor, ChoosesAsTheSpecificationSaysAndDecodes, ()) {
  uint32_t common = *rc::gen::inRange(0u, 32u);
  uint32_t rare = *rc::gen::inRange(0u, 32u);
  uint32_t rare_count = *rc::gen::inRange(0u, 12u);
  bool constant = *rc::gen::arbitrary<bool>();
  uint64_t x = *rc::gen::arbitrary<uint64_t>();
  auto next = [&](uint32_t bits) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(x >> 33) & static_cast<uint32_t>((uint64_t{1} << bits) - 1);
  };
  Block v;
  uint32_t value = next(std::min(common, 31u));
  for (uint32_t& slot : v) slot = constant ? value : next(std::min(common, 31u));
  for (uint32_t i = 0; i < rare_count; ++i) v[next(8)] = next(std::min(rare, 31u));
  Bytes bytes = encode(v);
  RC_ASSERT(bytes == spec_encode(v));
  RC_ASSERT(decode(bytes) == v);
}

}  // namespace
}  // namespace postern::codec
