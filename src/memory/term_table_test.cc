#include "memory/term_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "memory/term_sort.h"

namespace postern::memory {
namespace {

class Terms {
 public:
  explicit Terms(PoolLayout layout, uint64_t seed = 1)
      : layout_(layout),
        slices_(counter_, uint64_t{1} << 31, "postings"),
        text_(counter_, uint64_t{1} << 31, "term"),
        table_(counter_, slices_, layout == PoolLayout::kShared ? slices_ : text_, layout, seed) {}

  uint32_t add(const std::string& term) {
    buffer_.assign(term.begin(), term.end());
    buffer_.resize(term.size() + kTermSlack, static_cast<uint8_t>(term.size() * 31));
    TermKey key{};
    key.bytes = buffer_.data();
    key.length = static_cast<uint32_t>(term.size());
    table_.prepare(key);
    switch (layout_) {
      case PoolLayout::kShared:
        return add_as<PoolLayout::kShared>(key);
      case PoolLayout::kSeparate:
        return add_as<PoolLayout::kSeparate>(key);
      default:
        return add_as<PoolLayout::kInline>(key);
    }
  }
  std::string text(uint32_t id) const {
    auto t = table_.text(id);
    return {t.begin(), t.end()};
  }
  TermTable& table() { return table_; }
  MemoryCounter& counter() { return counter_; }

 private:
  template <PoolLayout L>
  uint32_t add_as(const TermKey& key) {
    uint32_t candidate = table_.candidate(key);
    uint32_t id = table_.find_or_insert<L>(key);
    EXPECT_TRUE(table_.is<L>(id, key));
    if (candidate != kNoTerm && candidate != id) {
      EXPECT_FALSE(table_.is<L>(candidate, key));
    }
    return id;
  }

  PoolLayout layout_;
  MemoryCounter counter_;
  BytePool slices_;
  BytePool text_;
  TermTable table_;
  std::vector<uint8_t> buffer_;
};

std::string random_bytes(std::mt19937& random, size_t n, uint32_t alphabet) {
  std::string s(n, '\0');
  for (char& c : s) c = static_cast<char>(random() % alphabet);
  return s;
}

class EveryLayout : public testing::TestWithParam<PoolLayout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout,
                         testing::Values(PoolLayout::kShared, PoolLayout::kSeparate,
                                         PoolLayout::kInline));

TEST_P(EveryLayout, IdsFollowFirstOccurrenceAndTextComesBack) {
  Terms terms(GetParam());
  std::mt19937 random(3);
  std::map<std::string, uint32_t> want;
  // Lengths around every border of the layouts; few letters, so that many are prefixes of others.
  const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 12, 15, 16, 17, 24, 254, 255, 256, 300};
  for (int i = 0; i < 60'000; ++i) {
    std::string term =
        random_bytes(random, lengths[random() % std::size(lengths)], random() % 2 == 0 ? 2 : 256);
    auto [it, fresh] = want.try_emplace(term, static_cast<uint32_t>(want.size()));
    ASSERT_EQ(terms.add(term), it->second);
  }
  EXPECT_EQ(terms.table().count(), want.size());
  for (const auto& [term, id] : want) {
    ASSERT_EQ(terms.text(id), term);
    ASSERT_EQ(terms.table().find({reinterpret_cast<const uint8_t*>(term.data()), term.size()}), id);
  }
  uint8_t absent[] = "not there";
  EXPECT_EQ(terms.table().find(absent), kNoTerm);
  EXPECT_EQ(terms.table().count(), want.size());
}

TEST_P(EveryLayout, LongestTermIsKept) {
  Terms terms(GetParam());
  std::string longest(32766, 'x');
  uint32_t id = terms.add(longest);
  longest.back() = 'y';
  EXPECT_NE(terms.add(longest), id);
  EXPECT_EQ(terms.text(id + 1), longest);
  longest.pop_back();
  EXPECT_EQ(terms.add(longest), id + 2);
}

TEST_P(EveryLayout, TermsThatDifferOnlyInZeroBytesAreDistinct) {
  Terms terms(GetParam());
  for (size_t n = 0; n < 40; ++n) EXPECT_EQ(terms.add(std::string(n, '\0')), n);
  for (size_t n = 0; n < 40; ++n) EXPECT_EQ(terms.add(std::string(n, '\0')), n);
}

// docs/bug_reports.md row 29: work stays linear, seen in the length of probe runs, not in time.
TEST_P(EveryLayout, MillionDistinctTermsKeepTheTableHalfEmpty) {
  Terms terms(GetParam());
  for (uint32_t i = 0; i < 1'000'000; ++i) ASSERT_EQ(terms.add(std::to_string(i)), i);
  uint64_t before = terms.counter().bytes();
  terms.table().drop_slots();
  uint64_t slots = (before - terms.counter().bytes()) / sizeof(uint32_t);
  EXPECT_GE(slots, 2'000'000u);
  EXPECT_LE(slots, 1u << 22);
}

TEST_P(EveryLayout, ResultsDoNotDependOnTheSeed) {
  Terms a(GetParam(), 1);
  Terms b(GetParam(), 0x123456789abcdefull);
  std::mt19937 random(9);
  for (int i = 0; i < 20'000; ++i) {
    std::string term = random_bytes(random, random() % 20, 4);
    ASSERT_EQ(a.add(term), b.add(term));
  }
}

void expect_sorted(Terms& terms, std::vector<std::string> want) {
  std::sort(want.begin(), want.end(), [](const std::string& a, const std::string& b) {
    int c = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
    return c != 0 ? c < 0 : a.size() < b.size();
  });
  uint64_t before = terms.counter().bytes();
  std::vector<uint32_t> ids;
  sort_terms(terms.table(), terms.counter(), ids);
  EXPECT_EQ(terms.counter().bytes(), before);
  ASSERT_EQ(ids.size(), want.size());
  for (size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(terms.text(ids[i]), want[i]) << i;
}

// docs/formats/05 §3, the sort's conditions.
TEST_P(EveryLayout, SortsAsMemcmpForEveryShapeOfTerms) {
  std::mt19937 random(17);
  const size_t counts[] = {0, 1, 2, 50, 51, 100, 101, 255, 256, 257, 5000, 150'000};
  for (size_t count : counts) {
    for (int shape = 0; shape < 7; ++shape) {
      if (count == 150'000 && (shape == 2 || shape == 5)) continue;
      Terms terms(GetParam());
      std::vector<std::string> want;
      std::string deep(1000, 'p');
      for (size_t tries = 0; want.size() < count && tries < count * 3; ++tries) {
        std::string term;
        switch (shape) {
          case 0:
            term = random_bytes(random, random() % 20, 256);
            break;
          case 1:
            term = "https://www.example.org/a/b/" + random_bytes(random, random() % 12, 3);
            break;
          case 2:
            term = random_bytes(random, random() % 301, 2);
            break;
          case 3:
            term = std::to_string(random());
            break;
          case 4:
            term = std::string(random() % 40, '\0') + random_bytes(random, random() % 3, 2);
            break;
          case 5:
            term = deep.substr(0, random() % 1001) + random_bytes(random, 1 + random() % 4, 9);
            break;
          default:
            term = random_bytes(random, 16, 256);
            break;
        }
        if (terms.add(term) == want.size()) want.push_back(term);
      }
      expect_sorted(terms, std::move(want));
    }
  }
}

TEST_P(EveryLayout, TermsThatComeInOrderButForOneAreSorted) {
  for (size_t exception : {size_t{0}, size_t{1}, size_t{2}, size_t{900}, size_t{1999}}) {
    for (const char* prefix : {"", "12345678", "a longer prefix of terms "}) {
      std::vector<std::string> want;
      for (size_t i = 0; i < 2000; ++i) want.push_back(prefix + std::to_string(1'000'000 + i));
      // 0: all of them in order.
      if (exception > 0) std::swap(want[exception], want[exception - 1]);
      Terms terms(GetParam());
      for (const std::string& term : want) terms.add(term);
      expect_sorted(terms, std::move(want));
    }
  }
}

TEST_P(EveryLayout, SortsTermsOfMaximalCommonPrefix) {
  Terms terms(GetParam());
  std::vector<std::string> want;
  for (int i = 0; i < 600; ++i) {
    std::string term(32762, 'a');
    term += static_cast<char>('0' + i / 100 % 10);
    term += static_cast<char>('0' + i / 10 % 10);
    term += static_cast<char>(0x80 + i % 10);
    terms.add(term);
    want.push_back(term);
  }
  expect_sorted(terms, std::move(want));
}

TEST(TermTable, AFieldOfOneTermCostsAFewHundredBytes) {
  Terms terms(PoolLayout::kInline);
  terms.add("first");  // touches the pools
  Terms other(PoolLayout::kInline);
  uint64_t pools = 2 * (32u << 10);
  EXPECT_LE(terms.counter().bytes(), pools + 200);
}

TEST(Hash, EveryByteAndTheLengthCount) {
  uint8_t bytes[64 + kTermSlack] = {};
  std::map<uint32_t, int> seen;
  for (uint32_t n = 0; n <= 64; ++n) {
    ++seen[hash_term(bytes, n, load_term_words(bytes, n), 5)];
  }
  for (uint32_t i = 0; i < 64; ++i) {
    for (uint32_t bit = 0; bit < 8; ++bit) {
      bytes[i] = static_cast<uint8_t>(1u << bit);
      ++seen[hash_term(bytes, 64, load_term_words(bytes, 64), 5)];
      bytes[i] = 0;
    }
  }
  EXPECT_EQ(seen.size(), 65u + 512);
}

TEST(Hash, BytesBehindTheTermDoNotCount) {
  uint8_t a[32 + kTermSlack] = {};
  uint8_t b[32 + kTermSlack] = {};
  for (uint32_t n = 0; n <= 32; ++n) {
    std::fill(b, b + sizeof b, uint8_t{0});
    std::fill(b + n, b + sizeof b, uint8_t{0xee});
    EXPECT_EQ(hash_term(a, n, load_term_words(a, n), 5), hash_term(b, n, load_term_words(b, n), 5));
  }
}

}  // namespace
}  // namespace postern::memory
