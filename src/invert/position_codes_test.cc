// Codes decoded many at once must be those that are decoded one by one.
#include "invert/position_codes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <vector>

#include "invert/inverter_test_support.h"
#include "invert/postings_decoder.h"

namespace postern::invert {
namespace {

using namespace testing_support;

constexpr uint32_t kBlock = 100;

// Collects what comes in batches; room for no more additions than allowed, so that the
// address sanitizer sees any beyond.
class BatchSink : public CollectingSink {
 public:
  struct Batch {
    uint32_t* deltas;
    uint32_t* starts;
    uint32_t* position_deltas;
    uint32_t docs = 0;
    uint32_t positions = 0;
  };
  Batch& begin_batch() { return batch_; }
  void settle_batch() {
    EXPECT_LE(batch_.docs - docs_before_ + batch_.positions - positions_before_,
              detail::kCodesAtOnce);
    if (batch_.docs > kBlock || batch_.positions > kBlock) {
      // The last document stays, as its positions may go on.
      const uint32_t last = batch_.docs - 1;
      give(last);
      const uint32_t from = batch_.starts[last];
      batch_.deltas[0] = batch_.deltas[last];
      batch_.starts[0] = 0;
      batch_.docs = 1;
      for (uint32_t i = from; i < batch_.positions; ++i)
        positions_.push_back(batch_.position_deltas[i]);
      batch_.positions = 0;
    }
    docs_before_ = batch_.docs;
    positions_before_ = batch_.positions;
  }
  void end_batch() { give(batch_.docs); }

 private:
  // The first n documents. positions_: of the first, from earlier batches.
  void give(uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
      doc_plus_1_ += batch_.deltas[i];
      const uint32_t end = i + 1 < batch_.docs ? batch_.starts[i + 1] : batch_.positions;
      for (uint32_t k = batch_.starts[i]; k < end; ++k)
        positions_.push_back(batch_.position_deltas[k]);
      start_doc(doc_plus_1_ - 1);
      for (uint32_t delta : positions_) add_position(delta);
      finish_doc(static_cast<uint32_t>(positions_.size()));
      positions_.clear();
    }
  }

  std::vector<uint32_t> deltas_ = std::vector<uint32_t>(kBlock + detail::kCodesAtOnce + 1);
  std::vector<uint32_t> starts_ = std::vector<uint32_t>(kBlock + detail::kCodesAtOnce + 1);
  std::vector<uint32_t> position_deltas_ = std::vector<uint32_t>(kBlock + detail::kCodesAtOnce + 1);
  Batch batch_{deltas_.data(), starts_.data(), position_deltas_.data()};
  uint32_t docs_before_ = 0;
  uint32_t positions_before_ = 0;
  uint32_t doc_plus_1_ = 0;
  std::vector<uint32_t> positions_;
};

RC_GTEST_PROP(PositionCodes, AtOnceAreThoseOneByOne, ()) {
  memory::MemoryCounter counter;
  memory::BytePool pool(counter, 16 << 20, "test");
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  memory::TermState state{};
  const uint32_t first = memory::start_stream(pool, state);
  auto append = [&](uint32_t code) {
    uint64_t bits = 0;
    uint32_t n = 0;
    for (; code >= 0x80; code >>= 7) bits |= uint64_t{(code & 0x7f) | 0x80} << (8 * n++);
    bits |= uint64_t{code} << (8 * n++);
    memory::append_code(pool, state, bits, n);
  };
  const uint32_t docs = *rc::gen::inRange(0u, 800u);
  const uint32_t longest = 1 + below(31);  // bits of the codes
  for (uint32_t i = 0; i < docs; ++i) {
    append((1 + below(i % 50 == 0 ? 1000 : 3)) << 1 | 1);
    uint32_t positions = 1 + below(below(20) == 0 ? 300 : 3);
    for (; positions > 0; --positions) append(below(uint64_t{1} << below(longest + 1)) << 1);
  }
  const StreamRef stream{pool, state, first};
  ByteBuffer scratch;
  CollectingSink want;
  BatchSink got;
  decode_postings(stream, StreamKind::kPositions, false, scratch, want);
  decode_postings(stream, StreamKind::kPositions, false, scratch, got);
  RC_ASSERT(want.postings.size() == docs);
  RC_ASSERT(got.postings == want.postings);
}

// Values from the definition of a vInt: seven bits a byte, the lowest first.
TEST(PositionCodes, LoadsCodesOfOneToFiveBytes) {
  const uint8_t bytes[] = {0x7f, 0x80, 0x01, 0xff, 0xff, 0x7f, 0x81, 0x80, 0x80, 0x01, 0xff,
                           0xff, 0xff, 0xff, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  EXPECT_EQ(detail::code_ends(bytes, 15), 0b100001000100101u);
  EXPECT_EQ(detail::code_ends(bytes, 6), 0b100101u);
  EXPECT_EQ(detail::load_code(bytes, 0), 127u);
  EXPECT_EQ(detail::load_code(bytes + 1, 1), 128u);
  EXPECT_EQ(detail::load_code(bytes + 3, 2), (1u << 21) - 1);
  EXPECT_EQ(detail::load_code(bytes + 6, 3), (1u << 21) + 1);
  EXPECT_EQ(detail::load_code(bytes + 10, 4), UINT32_MAX);
}

}  // namespace
}  // namespace postern::invert
