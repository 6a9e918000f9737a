// Everything is counted, nothing stays behind, and small fields are cheap.
#include "invert/buffer_memory.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <random>

#include "base/resident_memory.h"
#include "invert/field_inverter.h"
#include "invert/inverter_test_support.h"

namespace postern::invert {
namespace {

using namespace testing_support;

class EveryLayout : public testing::TestWithParam<PoolLayout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout,
                         testing::Values(PoolLayout::kShared, PoolLayout::kSeparate,
                                         PoolLayout::kInline));

// Indexes `documents` random documents into one field; returns what a model would say: the number
// of occurrences of every word.
void index_random(FieldInverter& inverter, const FieldDefinition& field, uint32_t seed,
                  uint32_t documents) {
  std::mt19937 random(seed);
  std::string text;
  for (uint32_t doc = 0; doc < documents; ++doc) {
    text.clear();
    for (int i = 0; i < 100; ++i) {
      text += std::to_string(random() % (random() % 2 == 0 ? 500 : 5'000'000));
      text += random() % 8 == 0 ? "a_longer_tail_of_the_word " : " ";
    }
    inverter.start_document(doc);
    inverter.add({.field = &field, .kind = ValueKind::kText, .bytes = text});
    inverter.finish_document();
  }
}

// docs/bug_reports.md row 32.
TEST_P(EveryLayout, AHundredThousandFieldsOfOneTermAreCheap) {
  BufferMemory memory(GetParam(), Limits{});
  FieldType type = type_with(IndexOptions::kPositions);
  FieldDefinition field("f", type, whitespace_analyzer());
  constexpr uint32_t kFields = 100'000;
  {
    std::vector<std::unique_ptr<FieldInverter>> fields;
    for (uint32_t i = 0; i < kFields; ++i) {
      fields.push_back(std::make_unique<FieldInverter>(
          memory, Limits{}, std::to_string(i), type.index_options, type.has_norms(), false));
      fields.back()->start_document(i);
      fields.back()->add({.field = &field, .kind = ValueKind::kText, .bytes = "word"});
      fields.back()->finish_document();
    }
    EXPECT_LE(memory.counter().bytes() / kFields, 800u);
    for (uint32_t i = 0; i < kFields; i += 997) {
      EXPECT_EQ(collect(*fields[i])["word"], (Postings{{i, 1, {{0, 0, 0, ""}}}}));
    }
  }
  memory.reset();
  EXPECT_EQ(memory.counter().bytes(), 0u);
}

TEST_P(EveryLayout, RecycledPoolsGiveTheSameIndex) {
  BufferMemory memory(GetParam(), Limits{});
  FieldDefinition field("f", type_with(IndexOptions::kPositions), whitespace_analyzer());
  Index first;
  for (int round = 0; round < 3; ++round) {
    {
      FieldInverter inverter(memory, Limits{}, "f", IndexOptions::kPositions, true, false);
      // The second round leaves other bytes behind.
      index_random(inverter, field, round == 1 ? 2 : 1, round == 1 ? 1000 : 500);
      Index index = collect(inverter);
      if (round == 0) first = std::move(index);
      if (round == 2) {
        EXPECT_TRUE(index == first);
      }
      EXPECT_GT(memory.counter().bytes(), 0u);
    }
    memory.reset();
    EXPECT_EQ(memory.counter().bytes(), 0u);
  }
}

#ifndef POSTERN_SANITIZED_MEMORY
TEST_P(EveryLayout, TheCounterCoversWhatTheProcessTakes) {
  BufferMemory memory(GetParam(), Limits{});
  FieldDefinition field("f", type_with(IndexOptions::kPositions), whitespace_analyzer());
  // What earlier tests freed would else go back to the system while this one counts.
  malloc_trim(0);
  uint64_t before = resident_bytes();
  auto inverter =
      std::make_unique<FieldInverter>(memory, Limits{}, "f", IndexOptions::kPositions, true, false);
  index_random(*inverter, field, 5, 8'000);
  uint64_t taken = resident_bytes() - before;
  uint64_t counted = memory.counter().bytes();
  // What is not counted: the analyzer, the scratch space, the heap's own pages, and what of the
  // pools' huge pages the system fills at once.
  EXPECT_LE(taken, counted + (8u << 20));
  // Not more than the last steps of growth beyond the truth.
  EXPECT_LE(counted, taken + taken / 4 + (8u << 20));
  inverter.reset();
  memory.reset();
  EXPECT_GT(memory.idle_bytes(), 4u << 20);
  uint64_t idle = resident_bytes();
  memory.trim(uint64_t{1} << 40);
  EXPECT_GT(memory.idle_bytes(), 4u << 20);
  memory.trim(0);
  EXPECT_EQ(memory.idle_bytes(), 0u);
  EXPECT_LT(resident_bytes(), idle - (3u << 20));
}
#endif

TEST(BufferMemory, APendingValueIsCountedAndItsPromiseGivenBack) {
  BufferMemory memory(PoolLayout::kInline, Limits{});
  FieldType type = type_with(IndexOptions::kDocs);
  type.tokenized = false;
  type.omit_norms = true;
  FieldDefinition field("id", type);
  {
    FieldInverter inverter(memory, Limits{}, "id", IndexOptions::kDocs, false, false);
    uint64_t empty = memory.counter().bytes();
    std::string value(900, 'v');
    inverter.start_document(0);
    inverter.add({.field = &field, .kind = ValueKind::kText, .bytes = value});
    inverter.finish_document();
    EXPECT_GE(memory.counter().bytes(), empty + 900);
    uint64_t limit = memory.slices().limit();
    EXPECT_FALSE(memory.slices().has_room(limit));
    EXPECT_EQ(memory.slices().used(), 0u);
  }
  EXPECT_TRUE(memory.slices().has_room(memory.slices().limit()));
  EXPECT_EQ(memory.counter().bytes(), 0u);
}

TEST(BufferMemory, FieldsOfOneAnalyzerShareAStream) {
  BufferMemory memory(PoolLayout::kInline, Limits{});
  auto a = whitespace_analyzer();
  auto b = whitespace_analyzer();
  EXPECT_EQ(&memory.stream(*a), &memory.stream(*a));
  EXPECT_NE(&memory.stream(*a), &memory.stream(*b));
}

// Values of untokenized fields wait for a group; tokens of a later document may not overtake them.
TEST(BufferMemory, WaitingValuesStayInOrderWithTokens) {
  TestField f;
  FieldType type = type_with(IndexOptions::kFreqs);
  type.tokenized = false;
  FieldDefinition plain("body", type);
  FieldInverter inverter(f.memory, Limits{}, "body", IndexOptions::kFreqs, false, false);
  for (uint32_t doc = 0; doc < 300; ++doc) {
    inverter.start_document(doc);
    if (doc % 3 == 0) {
      inverter.add(f.text("x x"));
    } else {
      inverter.add({.field = &plain, .kind = ValueKind::kText, .bytes = "x"});
    }
    inverter.finish_document();
  }
  Index index = collect(inverter);
  ASSERT_EQ(index["x"].size(), 300u);
  for (uint32_t doc = 0; doc < 300; ++doc) {
    EXPECT_EQ(index["x"][doc], (Posting{doc, doc % 3 == 0 ? 2u : 1, {}}));
  }
}

TEST(NormsBuffer, KeepsDocumentsOnlyWhenTheyHaveHoles) {
  memory::MemoryCounter counter;
  NormsBuffer dense(counter);
  for (uint32_t doc = 0; doc < 1000; ++doc) dense.add(doc, static_cast<uint8_t>(doc));
  EXPECT_TRUE(dense.dense());
  EXPECT_TRUE(dense.docs().empty());
  NormsBuffer sparse(counter);
  sparse.add(0, 1);
  sparse.add(1, 2);
  sparse.add(3, 4);
  EXPECT_FALSE(sparse.dense());
  EXPECT_EQ(std::vector<uint32_t>(sparse.docs().begin(), sparse.docs().end()),
            (std::vector<uint32_t>{0, 1, 3}));
  NormsBuffer late(counter);
  late.add(5, 1);
  EXPECT_EQ(late.docs()[0], 5u);
}

}  // namespace
}  // namespace postern::invert
