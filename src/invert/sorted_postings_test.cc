#include "invert/sorted_postings.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "invert/inverter_test_support.h"

namespace postern::invert {
namespace {

using namespace testing_support;

// A reordered list is that of decode, with other numbers: for all kinds of streams, for short lists
// (sorted) and long ones (put in place), payloads across slices included.
TEST(SortedPostings, AreThoseOfTheTermInTheOrderOfTheNewNumbers) {
  constexpr uint32_t kDocs = 700;
  for (const auto options : {IndexOptions::kDocs, IndexOptions::kFreqs, IndexOptions::kPositions,
                             IndexOptions::kOffsets}) {
    for (const bool payloads : {false, true}) {
      if (payloads && options < IndexOptions::kPositions) continue;
      std::mt19937 random(7);
      auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
      const FieldDefinition field("f", type_with(options),
                                  payloads ? delimited_analyzer() : whitespace_analyzer());
      BufferMemory memory(PoolLayout::kInline, Limits());
      FieldInverter inverter(memory, Limits(), "f", options, true, payloads);
      for (uint32_t doc = 0; doc < kDocs; ++doc) {
        std::string text;
        for (uint32_t n = below(8); n > 0; --n) {
          // Some terms are in half of the documents, others in two or three.
          const uint32_t term = below(2) != 0 ? below(3) : below(300);
          text += "t" + std::to_string(term);
          if (payloads && below(2) != 0) text += "|" + std::string(below(90), 'p');
          text += ' ';
        }
        inverter.start_document(doc);
        inverter.add({.field = &field, .kind = ValueKind::kText, .bytes = text});
        inverter.finish_document();
      }
      std::vector<uint32_t> new_docs(kDocs);
      std::iota(new_docs.begin(), new_docs.end(), 0u);
      std::shuffle(new_docs.begin(), new_docs.end(), random);
      SortedPostings sorted(memory.counter());
      std::vector<uint32_t> ids;
      inverter.sort_terms(ids);
      ASSERT_GT(ids.size(), 100u);
      for (const uint32_t id : ids) {
        CollectingSink arrived;
        inverter.decode(id, arrived);
        for (Posting& posting : arrived.postings) posting.doc = new_docs[posting.doc];
        std::ranges::sort(arrived.postings, {}, &Posting::doc);
        CollectingSink got;
        inverter.decode_sorted(id, new_docs, sorted, got);
        ASSERT_EQ(got.postings, arrived.postings) << to_string(inverter.term(id));
        ASSERT_EQ(got.plain, arrived.plain);
      }
    }
  }
}

}  // namespace
}  // namespace postern::invert
