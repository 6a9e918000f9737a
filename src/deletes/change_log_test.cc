#include "deletes/change_log.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "deletes/buffered_changes.h"

namespace postern::deletes {
namespace {

uint64_t append(ChangeLog& log, std::string_view term) {
  const Change change{.field = "id", .term = term};
  return log.append({&change, 1});
}

std::vector<std::string> terms(Cursor from, uint64_t end) {
  std::vector<std::string> all;
  from.visit(end, [&](const Change& change) {
    all.emplace_back(change.term);
    return true;
  });
  return all;
}

RC_GTEST_PROP(ChangeLog, GivesBackWhatWasAppendedFromAnyPlace, ()) {
  std::atomic<uint64_t> memory{0};
  {
    ChangeLog log(0, memory);
    const auto appended = *rc::gen::container<std::vector<std::string>>(
        rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
    std::vector<std::string> all;
    std::vector<Cursor> cursors{log.cursor_at_end()};
    const int copies = *rc::gen::inRange(1, 60);
    for (int copy = 0; copy < copies; ++copy) {
      for (const std::string& term : appended) {
        append(log, term);
        all.push_back(term);
      }
      cursors.push_back(log.cursor_at_end());
    }
    RC_ASSERT(log.end() == all.size());
    for (const Cursor& cursor : cursors) {
      const auto from = static_cast<std::ptrdiff_t>(cursor.position());
      RC_ASSERT(terms(cursor, log.end()) ==
                std::vector<std::string>(all.begin() + from, all.end()));
    }
    RC_ASSERT(memory.load() >= all.size() * sizeof(Change));
  }
  RC_ASSERT(memory.load() == 0u);
}

TEST(ChangeLog, MemoryGoesWithTheLastCursorBeforeIt) {
  std::atomic<uint64_t> memory{0};
  ChangeLog log(0, memory);
  Cursor cursor = log.cursor_at_end();
  for (int i = 0; i < 100'000; ++i) append(log, "term " + std::to_string(i));
  const uint64_t full = memory.load();
  EXPECT_GT(full, uint64_t{100'000} * sizeof(Change));
  cursor = cursor.advanced_to(log.end() / 2);
  EXPECT_LT(memory.load(), full * 6 / 10);
  cursor = log.cursor_at_end();
  EXPECT_LT(memory.load(), full / 10);
}

TEST(ChangeLog, KeepsTargetsAndValues) {
  std::atomic<uint64_t> memory{0};
  ChangeLog log(40, memory);
  const Cursor start = log.cursor_at_end();
  const Target m{"m", 3, DocValuesType::kNumeric, false};
  const Target b{"b", 4, DocValuesType::kBinary, false};
  {
    const std::string bytes("x\0y", 3);
    const Change changes[]{{.field = "f", .term = "t", .target = &m, .integer = -5},
                           {.field = "f", .term = "t", .target = &b, .bytes = bytes}};
    EXPECT_EQ(log.append(changes), 41u);
  }
  log.end_packet();
  EXPECT_EQ(append(log, "u"), 42u);
  std::vector<const Change*> seen;
  Cursor at = start;
  at.visit(log.end(), [&](const Change& change) {
    seen.push_back(&change);
    return true;
  });
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(*seen[0]->target, m);
  EXPECT_EQ(seen[0]->integer, -5);
  EXPECT_EQ(*seen[1]->target, b);
  EXPECT_EQ(seen[1]->bytes, std::string_view("x\0y", 3));
  EXPECT_EQ(seen[1]->number, 41u);
  EXPECT_EQ(seen[2]->target, nullptr);
  EXPECT_NE(seen[1]->packet, seen[2]->packet);
}

// Whoever has a number sees every change with a smaller one, and numbers order changes.
TEST(ChangeLogThreads, NumbersAndPlacesAgree) {
  std::atomic<uint64_t> memory{0};
  ChangeLog log(0, memory);
  const Cursor start = log.cursor_at_end();
  constexpr int kEach = 20'000;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) append(log, "x");
    });
  }
  std::atomic<int> wrong{0};
  threads.emplace_back([&] {
    Cursor seen = start;
    for (int i = 0; i < kEach; ++i) {
      const uint64_t number = log.next_number();
      uint64_t last = 0;
      seen.visit(log.end(), [&](const Change& change) {
        if (change.number > number) return false;
        if (change.number < last) ++wrong;
        last = change.number;
        return true;
      });
      // Nothing with a smaller number may come behind.
      bool late = false;
      Cursor rest = seen;
      rest.visit(log.end(), [&](const Change& change) {
        late |= change.number < number;
        return false;
      });
      if (late) ++wrong;
    }
  });
  threads.clear();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(log.end(), uint64_t{2} * kEach);
  EXPECT_EQ(log.last_number(), uint64_t{3} * kEach);
}

TEST(BufferedChanges, ALaterChangeMayHitMoreDocuments) {
  std::atomic<uint64_t> memory{0};
  const auto log = std::make_shared<ChangeLog>(0, memory);
  append(*log, "before");
  BufferedChanges changes(log);
  std::vector<std::pair<std::string, uint32_t>> hits;
  const uint64_t a = append(*log, "a");
  append(*log, "b");
  changes.limit(a, 3);  // a document with a number between the two
  changes.limit(UINT64_MAX, 4);
  append(*log, "c");
  const Cursor end = changes.finish(9);
  append(*log, "after");
  changes.for_each(
      [&](const Change& change, uint32_t limit) { hits.emplace_back(change.term, limit); });
  const std::vector<std::pair<std::string, uint32_t>> kExpected{{"a", 3}, {"b", 4}, {"c", 9}};
  EXPECT_EQ(hits, kExpected);
  EXPECT_EQ(terms(end, log->end()), std::vector<std::string>{"after"});
}

}  // namespace
}  // namespace postern::deletes
