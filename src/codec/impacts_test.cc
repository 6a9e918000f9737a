#include "codec/impacts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace postern::codec {
namespace {

using Pairs = std::vector<std::pair<uint32_t, uint8_t>>;

// docs/formats/32 §2: by ascending unsigned norm, each pair that raises the best freq.
std::vector<Impact> frontier(Pairs pairs) {
  std::ranges::sort(pairs, [](auto a, auto b) {
    return a.second != b.second ? a.second < b.second : a.first > b.first;
  });
  std::vector<Impact> out;
  uint32_t best = 0;
  for (auto [freq, norm] : pairs) {
    if (freq > best) out.push_back({best = freq, static_cast<int8_t>(norm)});
  }
  return out;
}

std::vector<Impact> read(const ByteBuffer& bytes) {
  ByteReader in(bytes.bytes(), "impacts");
  return read_impacts(in);
}

TEST(Impacts, TheExampleOfTheSpecificationIsEncodedAsThere) {
  ImpactAccumulator impacts;
  for (auto [freq, norm] : Pairs{{1, 5}, {3, 6}, {4, 20}, {7, 128}, {2, 200}, {4, 20}})
    impacts.add(freq, norm);
  ByteBuffer out;
  EXPECT_EQ(impacts.encode(out), 4u);
  const std::vector<uint8_t> expected{0x01, 0x08, 0x02, 0x01, 0x1a, 0x05, 0xa9, 0x02};
  EXPECT_TRUE(std::ranges::equal(out.bytes(), expected));
}

TEST(Impacts, NothingIsLeftAfterClear) {
  ImpactAccumulator impacts;
  impacts.add(9, 255);
  impacts.add(2, 0x3f);
  impacts.clear();
  impacts.add(1, 1);
  ByteBuffer out;
  EXPECT_EQ(impacts.encode(out), 1u);
  EXPECT_EQ(read(out), (std::vector<Impact>{{1, 1}}));
}

TEST(Impacts, AListWithoutPairsOrOutOfOrderIsCorrupt) {
  ByteBuffer out;
  EXPECT_THROW(read(out), CorruptIndex);
  out.write_vint(1);
  out.write_zlong(4);
  out.write_vint(1);
  out.write_zlong(-3);
  EXPECT_THROW(read(out), CorruptIndex);
}

RC_GTEST_PROP(Impacts, AreTheFrontierOfAllPairs, ()) {
  auto freqs = rc::gen::oneOf(rc::gen::inRange(1u, 20u), rc::gen::inRange(1u, 0x7fffffffu));
  auto pairs = *rc::gen::nonEmpty(
      rc::gen::container<Pairs>(rc::gen::pair(freqs, rc::gen::arbitrary<uint8_t>())));
  ImpactAccumulator left;
  ImpactAccumulator right;
  for (size_t i = 0; i < pairs.size(); ++i)
    (i % 2 ? left : right).add(pairs[i].first, pairs[i].second);
  left.merge(right);
  ByteBuffer out;
  uint32_t count = left.encode(out);
  auto expected = frontier(pairs);
  RC_ASSERT(count == expected.size());
  RC_ASSERT(read(out) == expected);
}

}  // namespace
}  // namespace postern::codec
