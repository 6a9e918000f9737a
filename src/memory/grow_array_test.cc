#include "memory/grow_array.h"

#include <gtest/gtest.h>

namespace postern::memory {
namespace {

TEST(GrowArray, KeepsItsContentFromTinyToMapped) {
  MemoryCounter counter;
  {
    GrowArray<uint32_t> array(counter);
    EXPECT_EQ(counter.bytes(), 0u);
    constexpr uint32_t kCount = 20'000'000;
    for (uint32_t i = 0; i < kCount; ++i) array.push_back(i * 2654435761u);
    for (uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(array[i], i * 2654435761u);
    EXPECT_GE(counter.bytes(), kCount * sizeof(uint32_t));
    EXPECT_LE(counter.bytes(), kCount * sizeof(uint32_t) * 5 / 4);
    // Growing in pages copies nothing, so the peak is not above the end.
    EXPECT_EQ(counter.peak(), counter.bytes());
    array.release();
    EXPECT_EQ(counter.bytes(), 0u);
    array.push_back(7);
    EXPECT_EQ(array[0], 7u);
  }
  EXPECT_EQ(counter.bytes(), 0u);
}

TEST(GrowArray, OneElementCostsFewBytes) {
  MemoryCounter counter;
  GrowArray<uint32_t> array(counter);
  array.push_back(1);
  EXPECT_LE(counter.bytes(), 32u);
}

TEST(GrowArray, RecordsOf32BytesDoNotCrossCacheLines) {
  struct Record {
    uint64_t words[4];
  };
  MemoryCounter counter;
  GrowArray<Record> array(counter);
  for (int i = 0; i < 100'000; ++i) {
    array.push_back({});
    ASSERT_EQ(reinterpret_cast<uintptr_t>(array.data()) % sizeof(Record), 0u);
  }
}

TEST(GrowBytes, AssignsZeroesSmallAndLarge) {
  MemoryCounter counter;
  GrowBytes bytes(counter);
  for (size_t n : {16u, 1000u, 1u << 19, 1u << 20, 5u << 20, 64u}) {
    bytes.assign_zero(n);
    ASSERT_GE(bytes.capacity(), n);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(bytes.data()[i], 0);
    std::fill_n(bytes.data(), n, uint8_t{0xff});
  }
  bytes.release();
  EXPECT_EQ(counter.bytes(), 0u);
}

}  // namespace
}  // namespace postern::memory
