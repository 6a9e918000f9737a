#include "lucene_layout/block_pools.h"

#include <gtest/gtest.h>

#include <random>

namespace postern::lucene_layout {
namespace {

std::vector<uint8_t> random_bytes(std::mt19937& random, size_t n) {
  std::vector<uint8_t> bytes(n);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random());
  return bytes;
}

size_t piece_length(std::mt19937& random) {
  return random() % 2 == 0 ? 100 + random() % 901 : 50000 + random() % 50001;
}

TEST(ArrayGrowth, FollowsTheRuleForOddElementSizes) {
  // docs/formats/01 §3: the parallel arrays of a field.
  std::vector<uint32_t> expected = {2,  6,  10, 14, 18, 22, 26, 30, 34,
                                    39, 45, 51, 58, 66, 75, 85, 96, 109};
  std::vector<uint32_t> sizes = {2};
  while (sizes.size() < expected.size()) sizes.push_back(grown_size(sizes.back() + 1, 28));
  EXPECT_EQ(sizes, expected);
}

TEST(ArrayGrowth, RoundsSmallElementsUpToWholeWords) {
  EXPECT_EQ(grown_size(12, 4), 16u);  // 15 -> even
  EXPECT_EQ(grown_size(12, 2), 16u);  // 15 -> a multiple of 4
  EXPECT_EQ(grown_size(12, 1), 16u);  // 15 -> a multiple of 8
  EXPECT_EQ(grown_size(30, 2), 36u);  // 33
  EXPECT_EQ(grown_size(30, 1), 40u);  // 33
  EXPECT_EQ(grown_size(30, 8), 33u);  // not rounded
  EXPECT_EQ(grown_size(80, 4), 90u);  // 80 + 80/8
  EXPECT_EQ(grown_size(800, 28), 900u);
}

TEST(BytePool, ReadsBackWhatWasAppendedAcrossBlocks) {
  for (uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RamCounter counter;
    BytePool pool(counter);
    std::vector<std::pair<uint64_t, std::vector<uint8_t>>> pieces;
    for (int i = 0; i < 100; ++i) {
      auto piece = random_bytes(random, piece_length(random));
      pieces.emplace_back(pool.position(), piece);
      pool.append(piece);
      ASSERT_EQ(pool.position(), pieces.back().first + piece.size());
    }
    for (const auto& [start, piece] : pieces) {
      std::vector<uint8_t> copy(piece.size());
      pool.read(start, copy);
      ASSERT_EQ(copy, piece);
      auto view = pool.contiguous(start, piece.size());
      ASSERT_TRUE(std::equal(view.begin(), view.end(), piece.begin()));
      // A view ends with its block, not before.
      EXPECT_EQ(view.size(),
                std::min<uint64_t>(piece.size(), BytePool::kBlockSize - start % 32768));
    }
  }
}

TEST(BytePool, AppendsARangeOfAnotherPool) {
  std::mt19937 random(7);
  RamCounter counter;
  BytePool from(counter);
  auto source = random_bytes(random, 200000);
  from.append(source);
  BytePool to(counter);
  auto expected = random_bytes(random, 1234);
  to.append(expected);
  for (int i = 0; i < 50; ++i) {
    uint64_t start = random() % source.size();
    uint64_t length = random() % (source.size() - start + 1);
    to.append(from, start, length);
    expected.insert(expected.end(), source.begin() + static_cast<ptrdiff_t>(start),
                    source.begin() + static_cast<ptrdiff_t>(start + length));
  }
  ASSERT_EQ(to.position(), expected.size());
  std::vector<uint8_t> copy(expected.size());
  to.read(0, copy);
  EXPECT_EQ(copy, expected);
}

TEST(BytePool, ResetGivesBlocksBackAndThePoolWorksAgain) {
  std::mt19937 random(11);
  RamCounter counter;
  BytePool pool(counter);
  for (int round = 0; round < 4; ++round) {
    auto bytes = random_bytes(random, 100000);
    uint64_t start = pool.position();
    pool.append(bytes);
    std::vector<uint8_t> copy(bytes.size());
    pool.read(start, copy);
    ASSERT_EQ(copy, bytes);
    EXPECT_EQ(counter.bytes, 4u * 32768);
    bool reuse = round % 2 == 1;
    pool.reset(true, reuse);
    EXPECT_EQ(counter.bytes, reuse ? 32768u : 0u);
    EXPECT_EQ(pool.position(), 0u);
    if (reuse) {
      for (uint32_t i = 0; i < 32768; ++i) ASSERT_EQ(*pool.at(i), 0) << i;
    }
  }
}

TEST(BytePool, ABlockTooManyIsRefusedAndChangesNothing) {
  EXPECT_EQ(BytePool::kMaxBlocks, 65536u);  // 2 GiB
  EXPECT_EQ(IntPool::kMaxBlocks, 262144u);
  RamCounter counter;
  BytePool pool(counter, 3);
  for (int i = 0; i < 3; ++i) pool.allocate(32768);
  EXPECT_THROW(pool.next_block(), LimitExceeded);
  EXPECT_THROW(pool.allocate(1), LimitExceeded);
  EXPECT_EQ(pool.position(), 3u * 32768);
  EXPECT_EQ(counter.bytes, 3u * 32768);
}

TEST(IntPool, NeverSplitsAnAllocationBetweenBlocks) {
  RamCounter counter;
  IntPool pool(counter);
  for (int i = 0; i < 4095; ++i) pool.allocate(2);
  EXPECT_EQ(pool.allocate(1), 8190u);
  EXPECT_EQ(pool.allocate(2), 8192u);
  EXPECT_EQ(counter.bytes, 2u * 8192 * 4);
}

}  // namespace
}  // namespace postern::lucene_layout
