#include "memory/slices.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace postern::memory {
namespace {

struct Stream {
  TermState state{};
  uint32_t first = 0;
  std::vector<uint8_t> want;
};

std::vector<uint8_t> read(const BytePool& pool, const Stream& s) {
  std::vector<uint8_t> got;
  for (SliceWalk walk(pool, s.first, s.state.head);; walk.next()) {
    got.insert(got.end(), walk.data(), walk.data() + walk.size());
    if (walk.last()) return got;
  }
}

// The sizes and the chaining of docs/formats/01 §2.1, counted instead of marked: the first slice
// carries 5 - 4 bytes once it has a successor, the next ones size - 4.
TEST(Slices, LieAsTheLayoutSays) {
  MemoryCounter counter;
  BytePool pool(counter, 1 << 20, "test");
  Stream s;
  s.first = start_stream(pool, s.state);
  for (uint8_t i = 1; i <= 40; ++i) append_bytes(pool, s.state, &i, 1);
  const uint8_t expected[] = {1,  5,  0,  0,  0,                                      // slice 0
                              2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 19, 0,  0,  0,  // slice 1
                              12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                              26, 27, 39, 0,  0,  0,                                   // slice 2
                              28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 0};  // slice 3
  for (size_t i = 0; i < sizeof expected; ++i) {
    EXPECT_EQ(*pool.at(static_cast<uint32_t>(i)), expected[i]) << i;
  }
  EXPECT_EQ(pool.used(), 5u + 14 + 20 + 30);
  EXPECT_EQ(s.state.head, 39u + 13);
  EXPECT_EQ(s.state.left, 30u - 13);
}

TEST(Slices, AnEmptyStreamReadsAsEmpty) {
  MemoryCounter counter;
  BytePool pool(counter, 1 << 20, "test");
  pool.take(3);
  Stream s;
  s.first = start_stream(pool, s.state);
  EXPECT_TRUE(read(pool, s).empty());
}

TEST(Slices, EveryLengthReadsBackAndTakesTheComputedRoom) {
  for (uint32_t n = 0; n < 1500; ++n) {
    MemoryCounter counter;
    BytePool pool(counter, 1 << 20, "test");
    Stream s;
    s.first = start_stream(pool, s.state);
    for (uint32_t i = 0; i < n; ++i) s.want.push_back(static_cast<uint8_t>(i * 7 + 1));
    append_bytes(pool, s.state, s.want.data(), n);
    ASSERT_EQ(read(pool, s), s.want);
    ASSERT_EQ(pool.used(), slice_bytes_of_stream(n));
  }
}

TEST(Slices, RoomBoundHoldsFromEveryFill) {
  for (uint32_t before = 0; before < 700; ++before) {
    for (uint32_t n : {1u, 2u, 8u, 25u, 77u, 117u, 269u, 398u, 1000u, 33000u}) {
      uint64_t taken = slice_bytes_of_stream(before + n) - slice_bytes_of_stream(before);
      ASSERT_LE(taken, max_slice_bytes(n)) << before << " " << n;
    }
    ASSERT_LE(slice_bytes_of_stream(before), max_slice_bytes(before));
  }
}

// docs/formats/05 §2: writers interleave, in codes and in runs of any length.
TEST(Slices, InterleavedWritersKeepTheirBytes) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    MemoryCounter counter;
    auto pool = std::make_unique<BytePool>(counter, 64 << 20, "test");
    std::vector<Stream> streams(1 + random() % 40);
    for (Stream& s : streams) s.first = start_stream(*pool, s.state);
    for (int i = 0; i < 20'000; ++i) {
      Stream& s = streams[random() % streams.size()];
      if (random() % 4 != 0) {
        auto n = static_cast<uint32_t>(1 + random() % 8);
        uint64_t bits = uint64_t{random()} << 32 | random();
        if (n < 8) bits &= (uint64_t{1} << (8 * n)) - 1;
        append_code(*pool, s.state, bits, n);
        for (uint32_t k = 0; k < n; ++k) {
          s.want.push_back(static_cast<uint8_t>(bits >> (8 * k)));
        }
      } else {
        std::vector<uint8_t> run(random() % 200);
        for (uint8_t& b : run) b = static_cast<uint8_t>(random());
        append_bytes(*pool, s.state, run.data(), run.size());
        s.want.insert(s.want.end(), run.begin(), run.end());
      }
    }
    for (const Stream& s : streams) ASSERT_EQ(read(*pool, s), s.want);
  }
}

}  // namespace
}  // namespace postern::memory
