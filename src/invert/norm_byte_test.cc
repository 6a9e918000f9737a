#include "invert/norm_byte.h"

#include <gtest/gtest.h>

namespace postern::invert {
namespace {

// docs/formats/21 §2, the table.
TEST(NormOfLength, EqualsLucene) {
  for (uint32_t n = 0; n <= 40; ++n) EXPECT_EQ(norm_of_length(n), n);
  const std::pair<uint32_t, int> cases[] = {
      {41, 40},     {42, 41},     {43, 41},      {54, 47},       {55, 47},
      {56, 48},     {59, 48},     {88, 56},      {95, 56},       {100, 57},
      {120, 60},    {127, 60},    {200, 67},     {215, 67},      {256, 70},
      {500, 78},    {1000, 87},   {2000, 95},    {4096, 103},    {10000, 113},
      {32792, 128}, {65535, 135}, {100000, 140}, {1000000, 167}, {2147483647, 255}};
  for (auto [n, code] : cases) EXPECT_EQ(norm_of_length(n), code) << n;
}

}  // namespace
}  // namespace postern::invert
