#include "opensearch/id_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace postern::opensearch {
namespace {

// The reference implementation's test vectors for a 128-bit result: key 00 01 ... 0F, message of n
// bytes 00 01 ...
TEST(IdTable, TheHashIsSipHash) {
  const std::array<uint64_t, 2> key = {0x0706050403020100u, 0x0F0E0D0C0B0A0908u};
  const auto of = [&](size_t n) {
    std::string message(n, '\0');
    std::iota(message.begin(), message.end(), '\0');
    return siphash128(message, key);
  };
  // a3 81 7f 04 ba 25 a8 e6  6d f6 72 14 c7 55 02 93
  EXPECT_EQ(of(0), (std::array<uint64_t, 2>{0xE6A825BA047F81A3u, 0x930255C71472F66Du}));
  // da 87 c1 d8 6b 99 af 44  34 76 59 11 9b 22 fc 45
  EXPECT_EQ(of(1), (std::array<uint64_t, 2>{0x44AF996BD8C187DAu, 0x45FC229B11597634u}));
}

IdVerdict put(IdTable& table, std::string_view id, uint64_t line, bool create = false) {
  const IdTable::Answer answer = table.take(0, id, {.line = line}, create);
  if (answer.verdict == IdVerdict::kNew || answer.verdict == IdVerdict::kReplaces) {
    table.settle(0, id, answer, true);
  }
  return answer.verdict;
}

TEST(IdTable, TheFirstOneStays) {
  IdTable table(DuplicatePolicy::kRefuse);
  EXPECT_EQ(put(table, "a", 5), IdVerdict::kNew);
  EXPECT_EQ(put(table, "b", 6), IdVerdict::kNew);
  const IdTable::Answer repeated = table.take(0, "a", {.input = 1, .line = 2}, false);
  EXPECT_EQ(repeated.verdict, IdVerdict::kRepeats);
  EXPECT_EQ(repeated.other, (Position{.line = 5}));
  // A thread that is behind brings an earlier one.
  const IdTable::Answer earlier = table.take(0, "a", {.line = 3}, false);
  EXPECT_EQ(earlier.verdict, IdVerdict::kReplaces);
  EXPECT_TRUE(earlier.other_refused);
  EXPECT_EQ(earlier.other, (Position{.line = 5}));
}

TEST(IdTable, TheLastOneStays) {
  IdTable table(DuplicatePolicy::kLast);
  EXPECT_EQ(put(table, "a", 5), IdVerdict::kNew);
  EXPECT_EQ(put(table, "a", 9), IdVerdict::kReplaces);
  EXPECT_EQ(put(table, "a", 7), IdVerdict::kPassed);
}

TEST(IdTable, ACreateBehindAnotherIsRefused) {
  IdTable table(DuplicatePolicy::kLast);
  put(table, "a", 5);
  EXPECT_EQ(put(table, "a", 9, true), IdVerdict::kRepeats);
  EXPECT_EQ(put(table, "b", 9, true), IdVerdict::kNew);
  const IdTable::Answer earlier = table.take(0, "b", {.line = 5}, false);
  EXPECT_EQ(earlier.verdict, IdVerdict::kReplaces);
  EXPECT_TRUE(earlier.other_refused);
  EXPECT_EQ(put(table, "c", 5, true), IdVerdict::kNew);
  EXPECT_EQ(put(table, "c", 9), IdVerdict::kReplaces);
}

TEST(IdTable, ShardsHaveIdsOfTheirOwn) {
  IdTable table(DuplicatePolicy::kRefuse);
  EXPECT_EQ(put(table, "a", 1), IdVerdict::kNew);
  EXPECT_EQ(table.take(1, "a", {.line = 2}, false).verdict, IdVerdict::kNew);
}

TEST(IdTable, ARefusedDocumentLeavesTheIdFree) {
  IdTable table(DuplicatePolicy::kRefuse);
  const IdTable::Answer answer = table.take(0, "a", {.line = 1}, false);
  table.settle(0, "a", answer, false);
  EXPECT_EQ(put(table, "a", 2), IdVerdict::kNew);
  EXPECT_EQ(put(table, "a", 3), IdVerdict::kRepeats);
}

// However the documents come, what the table has in the end is what the input says.
RC_GTEST_PROP(IdTable, ThreadsMakeNoDifference, ()) {
  const auto ids = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
  const auto policy = *rc::gen::element(DuplicatePolicy::kRefuse, DuplicatePolicy::kLast);
  const auto seed = *rc::gen::arbitrary<uint32_t>();
  std::vector<size_t> order(ids.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  IdTable table(policy);
  std::vector<std::atomic<uint64_t>> there(12);  // line of the document that is there
  std::atomic<size_t> next{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        for (size_t i = next++; i < order.size(); i = next++) {
          const int id = ids[order[i]];
          const std::string text = std::to_string(id);
          const uint64_t line = order[i] + 1;
          const IdTable::Answer answer = table.take(0, text, {.line = line}, false);
          if (answer.verdict == IdVerdict::kRepeats || answer.verdict == IdVerdict::kPassed) {
            continue;
          }
          // As a writer would: a new one finds nothing, a replacement what was told.
          const uint64_t before = there[static_cast<size_t>(id)].exchange(line);
          EXPECT_EQ(before, answer.verdict == IdVerdict::kNew ? 0 : answer.other.line);
          table.settle(0, text, answer, true);
        }
      });
    }
  }
  for (int id = 0; id < 12; ++id) {
    uint64_t expected = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == id && (expected == 0 || policy == DuplicatePolicy::kLast)) expected = i + 1;
    }
    RC_ASSERT(there[static_cast<size_t>(id)].load() == expected);
  }
}

TEST(IdTable, TakesTheMemoryItSays) {
  IdTable table(DuplicatePolicy::kRefuse);
  constexpr uint64_t kIds = 100000;
  for (uint64_t i = 0; i < kIds; ++i) put(table, std::to_string(i), i + 1);
  EXPECT_GE(table.memory(), kIds * 32);
  EXPECT_LE(table.memory(), kIds * 64);
}

}  // namespace
}  // namespace postern::opensearch
