#include "invert/postings_appender.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "invert/slice_reader.h"

namespace postern::invert {
namespace {

// Steps of documents and positions of every size, next to the bounds of codes' lengths above all.
TEST(PostingsAppender, DocumentsAndPositionsReadBackAsTheirCodes) {
  constexpr uint32_t kSteps[] = {0,       1, 2, 63, 64, 65, 8190, 8191, 8192, 8193, (1u << 20) - 1,
                                 1u << 20};
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    memory::MemoryCounter counter;
    memory::BytePool pool(counter, 64 << 20, "test");
    memory::TermState state{};
    const uint32_t first = memory::start_stream(pool, state);
    std::vector<uint64_t> expected;
    uint32_t doc = 0;
    uint32_t position = 0;
    const uint32_t most = seed % 2 == 0 ? 6 : std::size(kSteps);
    for (int i = 0; i < 3000; ++i) {
      const bool next_doc = i == 0 || random() % 3 == 0;
      if (next_doc) {
        const uint32_t step = 1 + kSteps[random() % most];
        doc += step;
        position = 0;
        expected.push_back(uint64_t{step} << 1 | 1);
      }
      const uint32_t delta = kSteps[random() % most];
      position += delta;
      expected.push_back(uint64_t{delta} << 1);
      EXPECT_EQ(append_occurrence<StreamKind::kPositions>(
                    pool, state, nullptr, {.doc_plus_1 = doc, .position = position}),
                next_doc);
    }
    SliceReader in(pool, first, state.head);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_FALSE(in.at_end()) << seed << " " << i;
      ASSERT_EQ(in.read_code(), expected[i]) << seed << " " << i;
    }
    EXPECT_TRUE(in.at_end());
  }
}

}  // namespace
}  // namespace postern::invert
