#include "base/sortable_bits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>

namespace postern {
namespace {

std::array<uint8_t, 4> packed(int32_t v) {
  std::array<uint8_t, 4> out;
  pack_int(v, out.data());
  return out;
}
std::array<uint8_t, 8> packed(int64_t v) {
  std::array<uint8_t, 8> out;
  pack_long(v, out.data());
  return out;
}
std::array<uint8_t, 4> packed(float v) {
  std::array<uint8_t, 4> out;
  pack_float(v, out.data());
  return out;
}
std::array<uint8_t, 8> packed(double v) {
  std::array<uint8_t, 8> out;
  pack_double(v, out.data());
  return out;
}

// By the rules of docs/formats/23 §6.
TEST(SortableBits, BytesOfNumbers) {
  EXPECT_EQ(packed(int32_t{-4}), (std::array<uint8_t, 4>{0x7f, 0xff, 0xff, 0xfc}));
  EXPECT_EQ(packed(int32_t{8}), (std::array<uint8_t, 4>{0x80, 0, 0, 8}));
  EXPECT_EQ(packed(std::numeric_limits<int64_t>::min()), (std::array<uint8_t, 8>{}));
  EXPECT_EQ(packed(0.0f), (std::array<uint8_t, 4>{0x80, 0, 0, 0}));
  EXPECT_EQ(packed(-0.0f), (std::array<uint8_t, 4>{0x7f, 0xff, 0xff, 0xff}));
  EXPECT_EQ(packed(1.0f), (std::array<uint8_t, 4>{0xbf, 0x80, 0, 0}));
  EXPECT_EQ(packed(-1.0), (std::array<uint8_t, 8>{0x40, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}));
}

TEST(SortableBits, OrderOfSpecialValues) {
  using D = std::numeric_limits<double>;
  const double doubles[] = {
      -D::infinity(),  D::lowest(), -1.0, -D::min(), -D::denorm_min(), -0.0,          0.0,
      D::denorm_min(), D::min(),    1.0,  D::max(),  D::infinity(),    D::quiet_NaN()};
  for (size_t i = 1; i < std::size(doubles); ++i)
    EXPECT_LT(packed(doubles[i - 1]), packed(doubles[i])) << i;
  using F = std::numeric_limits<float>;
  const float floats[] = {
      -F::infinity(),  F::lowest(), -1.0f, -F::min(), -F::denorm_min(), -0.0f,         0.0f,
      F::denorm_min(), F::min(),    1.0f,  F::max(),  F::infinity(),    F::quiet_NaN()};
  for (size_t i = 1; i < std::size(floats); ++i)
    EXPECT_LT(packed(floats[i - 1]), packed(floats[i])) << i;
}

// lucenenet PR 129: whatever its sign and payload, a NaN is Java's canonical one.
TEST(SortableBits, EveryNanIsTheSame) {
  for (uint64_t bits : {0x7ff8000000000000u, 0x7ff0000000000001u, 0xfff8000000000000u,
                        0xffffffffffffffffu, 0x7ff123456789abcdu})
    EXPECT_EQ(sortable_double_bits(std::bit_cast<double>(bits)), 0x7ff8000000000000);
  for (uint32_t bits : {0x7fc00000u, 0x7f800001u, 0xffc00000u, 0xffffffffu})
    EXPECT_EQ(sortable_float_bits(std::bit_cast<float>(bits)), 0x7fc00000);
}

RC_GTEST_PROP(SortableBits, OrderIsThatOfTheNumbers, (double a, double b, int64_t x, int64_t y)) {
  if (a != b) RC_ASSERT((a < b) == (packed(a) < packed(b)));
  RC_ASSERT((x < y) == (packed(x) < packed(y)));
  const auto i = static_cast<int32_t>(x);
  const auto j = static_cast<int32_t>(y);
  RC_ASSERT((i < j) == (packed(i) < packed(j)));
}

}  // namespace
}  // namespace postern
