// Postings given in batches must become the same bytes as those given one by one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "codec/postings_test_util.h"

namespace postern::codec {
namespace {

using testing::field_info;
using testing::Posting;
using testing::TestSegment;

void write_in_batches(PostingsFormatWriter& writer, const std::vector<Posting>& postings,
                      std::mt19937& random) {
  PostingsBatch& batch = writer.begin_batch();
  uint32_t doc = UINT32_MAX;
  uint32_t added = 0;
  auto settle_sometimes = [&] {
    if (++added < kBatchRoom && random() % 40 != 0) return;
    writer.settle_batch();
    added = 0;
  };
  for (const Posting& posting : postings) {
    batch.deltas[batch.docs] = posting.doc - doc;
    batch.starts[batch.docs++] = batch.positions;
    settle_sometimes();
    doc = posting.doc;
    uint32_t position = 0;
    for (const auto& o : posting.occurrences) {
      batch.position_deltas[batch.positions++] = o.position - position;
      position = o.position;
      settle_sometimes();
    }
  }
  writer.settle_batch();
  writer.end_batch();
}

RC_GTEST_PROP(PostingsBatch, BecomesTheBytesOfPostingsOneByOne, ()) {
  constexpr uint32_t kMaxDoc = 400000;
  const FieldInfo info = field_info(2, IndexOptions::kPositions);
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  std::vector<uint8_t> norms(kMaxDoc);
  for (uint8_t& norm : norms) norm = static_cast<uint8_t>(1 + random() % 90);
  const PostingsParts parts(info);
  TestSegment plain({{info}}, kMaxDoc);
  TestSegment batched({{info}}, kMaxDoc);
  PostingsFormatWriter a(plain.context(), plain.infos);
  PostingsFormatWriter b(batched.context(), batched.infos);
  a.start_field(info, norms);
  b.start_field(info, norms);
  constexpr uint32_t kDocs[] = {1, 2, 255, 256, 257, 512, 8192, 8193, 9000};
  for (uint32_t term = 0; term < 12; ++term) {
    const uint32_t docs = term % 3 == 0   ? 1 + static_cast<uint32_t>(random() % 3)
                          : term % 3 == 1 ? kDocs[random() % 9]
                                          : 1 + static_cast<uint32_t>(random() % 900);
    const uint32_t longest = term % 4 == 0 ? 700 : 1 + term % 3;
    std::vector<Posting> postings;
    uint32_t doc = static_cast<uint32_t>(random() % 100);
    for (uint32_t i = 0; i < docs; ++i, doc += 1 + static_cast<uint32_t>(random() % 30)) {
      Posting posting{doc, 1 + static_cast<uint32_t>(random() % (i % 9 == 0 ? longest : 2)), {}};
      uint32_t position = 0;
      for (uint32_t k = 0; k < posting.freq; ++k) {
        position += static_cast<uint32_t>(random() % (k % 60 == 0 ? 100000 : 5));
        posting.occurrences.push_back({position, 0, 0, {}});
      }
      postings.push_back(std::move(posting));
    }
    for (const Posting& posting : postings) testing::write_posting(a, parts, posting);
    write_in_batches(b, postings, random);
    const std::string text = "t" + std::string(1, static_cast<char>('A' + term));
    a.finish_term(testing::as_bytes(text));
    b.finish_term(testing::as_bytes(text));
  }
  a.finish_field(kMaxDoc);
  b.finish_field(kMaxDoc);
  a.close();
  b.close();
  for (const char* extension : {"doc", "pos", "psm", "tim", "tip", "tmd"})
    RC_ASSERT(plain.bytes(extension) == batched.bytes(extension));
}

}  // namespace
}  // namespace postern::codec
