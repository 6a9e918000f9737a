#include "memory/byte_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/resident_memory.h"
#include "postern/error.h"

namespace postern::memory {
namespace {

constexpr uint64_t kMega = 1 << 20;

void fill(BytePool& pool, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes; done += kMega) {
    std::memset(pool.at(pool.take(kMega)), 0xab, kMega);
  }
}

// docs/formats/05 §1.
TEST(BytePool, PiecesOfAnySizeReadBackByAddress) {
  MemoryCounter counter;
  BytePool pool(counter, 1 << 30, "test");
  std::mt19937 random(1);
  std::vector<std::pair<uint32_t, std::string>> pieces;
  uint64_t total = 0;
  for (int i = 0; i < 100; ++i) {
    auto n = static_cast<uint32_t>(i % 2 == 0 ? 100 + random() % 900 : 50000 + random() % 50000);
    std::string piece(n, '\0');
    for (char& c : piece) c = static_cast<char>(random());
    uint32_t address = pool.take(n);
    EXPECT_EQ(address, total);
    std::memcpy(pool.at(address), piece.data(), n);
    total += n;
    EXPECT_EQ(pool.used(), total);
    pieces.emplace_back(address, std::move(piece));
  }
  for (const auto& [address, piece] : pieces) {
    EXPECT_EQ(std::memcmp(pool.at(address), piece.data(), piece.size()), 0);
  }
}

TEST(BytePool, ChargesWhatItTouchesAndNothingAfterReset) {
  MemoryCounter counter;
  {
    BytePool pool(counter, 1 << 30, "test");
    EXPECT_EQ(counter.bytes(), 0u);
    pool.take(1);
    EXPECT_EQ(counter.bytes(), 32u << 10);
    fill(pool, 10 * kMega);
    EXPECT_GE(counter.bytes(), 10 * kMega);
    EXPECT_LE(counter.bytes(), 14 * kMega);
    pool.reset();
    EXPECT_EQ(counter.bytes(), 0u);
    EXPECT_GE(pool.idle_bytes(), 10 * kMega);
    EXPECT_GE(counter.peak(), 10 * kMega);
    pool.take(100);
    EXPECT_EQ(counter.bytes(), 32u << 10);
  }
  EXPECT_EQ(counter.bytes(), 0u);
}

TEST(BytePool, RecycledBytesAreZero) {
  MemoryCounter counter;
  BytePool pool(counter, 1 << 30, "test");
  fill(pool, 5 * kMega);
  pool.reset();
  for (int i = 0; i < 6; ++i) {
    uint32_t address = pool.take(kMega);
    for (uint32_t k = 0; k < kMega; ++k) ASSERT_EQ(*pool.at(address + k), 0);
  }
}

TEST(BytePool, ReleasedMemoryGoesBackToTheSystem) {
  MemoryCounter counter;
  BytePool pool(counter, 1 << 30, "test");
  fill(pool, 200 * kMega);
  uint64_t full = resident_bytes();
  pool.reset();
  pool.take(100);
  pool.release_idle(100 * kMega);
  uint64_t idle = pool.idle_bytes();
  EXPECT_LE(idle, 102 * kMega);
  EXPECT_GE(idle, 96 * kMega);
  EXPECT_LT(resident_bytes(), full - 90 * kMega);
  pool.release_idle(~uint64_t{0});
  EXPECT_EQ(pool.idle_bytes(), 0u);
  EXPECT_LT(resident_bytes(), full - 180 * kMega);
  uint32_t address = pool.take(kMega);
  EXPECT_EQ(*pool.at(address), 0);
}

// docs/bug_reports.md row 25.
TEST(BytePool, StopsAtItsLimitInsteadOfWrapping) {
  MemoryCounter counter;
  BytePool pool(counter, 1000, "postings");
  pool.take(700);
  EXPECT_FALSE(pool.nearly_full());
  pool.take(51);
  EXPECT_TRUE(pool.nearly_full());
  pool.promise(100);
  EXPECT_TRUE(pool.has_room(149));
  EXPECT_FALSE(pool.has_room(150));
  try {
    pool.require_room(150, "field 'body' of document 7");
    FAIL();
  } catch (const LimitExceeded& e) {
    EXPECT_STREQ(e.what(),
                 "field 'body' of document 7: the postings pool holds 751 bytes and may need 150 "
                 "more, over its limit of 1000");
  }
  pool.unpromise(100);
  EXPECT_NO_THROW(pool.require_room(249, ""));
}

TEST(BytePool, LimitStaysBelowFourGiB) {
  MemoryCounter counter;
  BytePool pool(counter, ~uint64_t{0}, "test");
  EXPECT_EQ(pool.limit(), (uint64_t{1} << 32) - kMega);
  EXPECT_FALSE(pool.has_room(uint64_t{1} << 32));
}

}  // namespace
}  // namespace postern::memory
