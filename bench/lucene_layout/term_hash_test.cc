#include "lucene_layout/term_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <unordered_map>

#include "lucene_layout/term_sort.h"

namespace postern::lucene_layout {
namespace {

TermBytes bytes_of(const std::string& s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}
std::string string_of(TermBytes b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

// A hash with the array its owner keeps.
struct Table {
  RamCounter counter;
  BytePool pool{counter};
  TermHash hash{pool, counter};
  std::vector<uint32_t> starts;

  TermHash::Added add(const std::string& term) {
    return hash.add(bytes_of(term), starts, [this](uint32_t id) {
      if (id >= starts.size()) starts.resize(id + 1);
    });
  }
  std::string get(uint32_t id) const { return string_of(text_at(pool, starts[id])); }
};

std::string random_term(std::mt19937& random, size_t max_length) {
  std::string s(random() % (max_length + 1), 0);
  for (char& c : s) c = static_cast<char>(random());
  return s;
}

TEST(Murmur3, GivesThePublishedValues) {
  auto hash = [](const std::string& s, uint32_t seed) { return murmur3(bytes_of(s), seed); };
  EXPECT_EQ(hash("", 0), 0u);
  EXPECT_EQ(hash("", 1), 0x514e28b7u);
  EXPECT_EQ(hash("", 0xffffffff), 0x81f16f39u);
  EXPECT_EQ(hash("\xff\xff\xff\xff", 0), 0x76293b50u);
  EXPECT_EQ(hash("!Ce\x87", 0), 0xf55b516bu);
  EXPECT_EQ(hash("!Ce", 0), 0x7e4a8634u);
  EXPECT_EQ(hash("!C", 0), 0xa0f7b07au);
  EXPECT_EQ(hash("!", 0), 0x72661cf4u);
}

TEST(TermHash, GivesIdsInOrderOfArrivalAndResolvesThem) {
  for (uint32_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Table table;
    std::unordered_map<std::string, uint32_t> model;
    for (int i = 0; i < 5000; ++i) {
      std::string term = random_term(random, i % 10 == 0 ? 1000 : 2);
      auto [entry, is_new] = model.emplace(term, static_cast<uint32_t>(model.size()));
      EXPECT_EQ(table.hash.find(bytes_of(term), table.starts),
                is_new ? TermHash::kEmpty : entry->second);
      TermHash::Added added = table.add(term);
      ASSERT_EQ(added.is_new, is_new);
      ASSERT_EQ(added.id, entry->second);
      ASSERT_EQ(table.hash.size(), model.size());
      ASSERT_GE(table.hash.slot_count(), 2 * model.size());
    }
    for (const auto& [term, id] : model) {
      ASSERT_EQ(table.hash.find(bytes_of(term), table.starts), id);
      ASSERT_EQ(table.get(id), term);
    }
  }
}

TEST(TermHash, DoublesAtHalfLoadAndIsCharged) {
  Table table;
  EXPECT_EQ(table.hash.slot_count(), 4u);
  EXPECT_EQ(table.counter.bytes, 16u);
  table.add("a");
  EXPECT_EQ(table.hash.slot_count(), 4u);
  table.add("b");
  EXPECT_EQ(table.hash.slot_count(), 8u);
  table.add("c");
  table.add("d");
  EXPECT_EQ(table.hash.slot_count(), 16u);
  EXPECT_EQ(table.counter.bytes, 32768u + 64);
}

TEST(TermHash, ClearShrinksToWhatWasNeededLast) {
  Table table;
  for (int i = 0; i < 100; ++i) table.add(std::to_string(i));
  EXPECT_EQ(table.hash.slot_count(), 256u);
  table.hash.clear();  // 256 / 4 is not above 100
  EXPECT_EQ(table.hash.slot_count(), 256u);
  table.add("x");
  table.hash.clear();  // while slots / 4 > 1
  EXPECT_EQ(table.hash.slot_count(), 4u);
  EXPECT_EQ(table.hash.find(bytes_of("x"), table.starts), TermHash::kEmpty);
  EXPECT_EQ(table.add("y").id, 0u);
}

TEST(TermHash, TermsTakeTheLengthTheyNeedAndDoNotCrossBlocks) {
  Table table;
  for (size_t length : {0u, 1u, 2u, 3u, 4u, 127u, 128u, 32766u}) {
    auto added = table.add(std::string(length, 'q'));
    EXPECT_TRUE(added.is_new);
    EXPECT_EQ(table.get(added.id), std::string(length, 'q')) << length;
  }
  EXPECT_EQ(table.starts[6] - table.starts[5], 128u);  // one length byte for 127
  EXPECT_EQ(table.starts[7], 32768u);                  // the longest fills a block of its own
  EXPECT_EQ(table.pool.position(), 65536u);
  EXPECT_EQ(*table.pool.at(table.starts[6]), 0x80);
  EXPECT_EQ(*table.pool.at(table.starts[6] + 1), 128);
}

TEST(TermHash, RefusesLongerTermsAndStaysUsable) {
  Table table;
  table.add("before");
  uint64_t position = table.pool.position();
  EXPECT_THROW(table.add(std::string(32767, 'x')), InvalidArgument);
  EXPECT_THROW(table.add(std::string(100000, 'x')), InvalidArgument);
  EXPECT_EQ(table.pool.position(), position);
  EXPECT_EQ(table.hash.size(), 1u);
  EXPECT_EQ(table.add("after").id, 1u);
  EXPECT_EQ(table.add("before").id, 0u);
}

TEST(TermHash, AChainedHashByPoolOffsetGivesTheSameIds) {
  std::mt19937 random(3);
  Table first;
  RamCounter counter;
  TermHash second(first.pool, counter);
  std::vector<uint32_t> starts;
  auto grow = [&](uint32_t id) {
    if (id >= starts.size()) starts.resize(id + 1);
  };
  for (int i = 0; i < 5000; ++i) {
    auto added = first.add(random_term(random, 2));
    auto chained = second.add_by_pool_offset(first.starts[added.id], starts, grow);
    ASSERT_EQ(chained.id, added.id);
    ASSERT_EQ(chained.is_new, added.is_new);
    ASSERT_EQ(string_of(text_at(first.pool, starts[chained.id])), first.get(added.id));
  }
}

TEST(TermHash, AFinishedHashAnswersSeveralThreads) {
  Table table;
  for (int i = 0; i < 10000; ++i) table.add("term" + std::to_string(i));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < 10000; ++i) {
        uint32_t id = table.hash.find(bytes_of("term" + std::to_string(i)), table.starts);
        wrong[t] += id != i;
      }
    });
  }
  for (auto& t : threads) t.join();
  for (int w : wrong) EXPECT_EQ(w, 0);
}

TEST(TermHash, CompactYieldsEachIdOnce) {
  Table table;
  for (int i = 0; i < 1000; ++i) table.add(std::to_string(i * 7919 % 700));
  uint32_t n = table.hash.size();
  std::vector<uint32_t>& ids = table.hash.compact();
  EXPECT_GT(ids.size(), n);
  std::vector<uint32_t> seen(ids.begin(), ids.begin() + n);
  std::sort(seen.begin(), seen.end());
  for (uint32_t i = 0; i < n; ++i) EXPECT_EQ(seen[i], i);
}

void expect_sorts_like_memcmp(const std::vector<std::string>& terms) {
  Table table;
  for (const auto& t : terms) table.add(t);
  uint32_t n = table.hash.size();
  std::vector<std::string> expected(terms);
  std::sort(expected.begin(), expected.end());  // char_traits<char> compares unsigned bytes
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  std::vector<uint32_t>& ids = table.hash.compact();
  TermSort sorter(table.pool, table.starts);
  sorter.sort(ids, n);
  ASSERT_EQ(expected.size(), n);
  for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(table.get(ids[i]), expected[i]) << i;
  for (size_t i = ids.size() / 2; i < ids.size(); ++i) ASSERT_EQ(ids[i], TermHash::kEmpty);
  // The comparison sort alone gives the same from any order.
  std::vector<uint32_t> other(n);
  for (uint32_t i = 0; i < n; ++i) other[i] = i;
  sorter.introsort(other, 0);
  ASSERT_TRUE(std::equal(other.begin(), other.end(), ids.begin()));
}

TEST(TermSort, FewTermsAroundTheRadixBorder) {
  std::mt19937 random(5);
  for (size_t count : {0u, 1u, 2u, 16u, 17u, 40u, 41u, 50u, 51u, 100u, 101u}) {
    SCOPED_TRACE(count);
    std::vector<std::string> terms;
    while (terms.size() < count) terms.push_back(random_term(random, 6) + std::to_string(count));
    expect_sorts_like_memcmp(terms);
  }
}

TEST(TermSort, ManyRandomTerms) {
  std::mt19937 random(6);
  std::vector<std::string> terms;
  while (terms.size() < 120000) terms.push_back(random_term(random, 9));
  expect_sorts_like_memcmp(terms);
}

TEST(TermSort, AllLengthsAndPrefixesOfOthers) {
  std::mt19937 random(7);
  std::vector<std::string> terms;
  std::string stem = random_term(random, 300) + std::string(300, '\xfe');
  for (size_t length = 0; length <= 300; ++length) {
    terms.push_back(stem.substr(0, length));
    terms.push_back(stem.substr(0, length) + '\0');
    terms.push_back(stem.substr(0, length) + random_term(random, 300 - length));
  }
  expect_sorts_like_memcmp(terms);
}

TEST(TermSort, LongEqualPrefixes) {
  // Longer than the 24 bytes one pass looks ahead, and split into several groups.
  std::mt19937 random(8);
  std::vector<std::string> terms;
  for (int i = 0; i < 20000; ++i) {
    terms.push_back(std::string(20 + random() % 4 * 13, static_cast<char>('a' + random() % 3)) +
                    random_term(random, 3));
  }
  expect_sorts_like_memcmp(terms);
  for (auto& t : terms) t.insert(0, std::string(100, '\x80'));
  expect_sorts_like_memcmp(terms);
}

TEST(TermSort, SortedReversedAndEqualSteps) {
  std::vector<std::string> terms;
  for (int i = 100000; i < 130000; ++i) terms.push_back(std::to_string(i));
  expect_sorts_like_memcmp(terms);
  std::reverse(terms.begin(), terms.end());
  expect_sorts_like_memcmp(terms);
}

}  // namespace
}  // namespace postern::lucene_layout
