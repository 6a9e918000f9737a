#include "codec/live_docs.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "codec/golden_index.h"
#include "codec/segment_commit.h"
#include "store/test_files.h"

namespace postern::codec {
namespace {

using store::Bytes;

const store::ObjectId kId = {0xfe, 0xed, 0xf5, 0x53, 0xab, 0x65, 0x96, 0xa9,
                             0xfd, 0x4c, 0x54, 0x8b, 0xf4, 0x3f, 0xf4, 0xcb};

// Lucene 10.4's file for three documents, the last of them deleted.
const char kLucenes[] =
    "3fd76c17104c7563656e6539304c697665446f637300000000feedf553ab6596a9fd4c548bf43ff4cb0131"
    "0300000000000000c02893e8000000000000000033561d76";

TEST(LiveDocs, ReadsAndWritesLucenesBytes) {
  auto directory = memory_directory();
  store::put_file(*directory, "_0_1.liv", store::from_hex(kLucenes));
  std::vector<uint64_t> live = read_live_docs(*directory, "_0", kId, 1, 3, 1);
  EXPECT_TRUE(is_live(live, 0) && is_live(live, 1) && !is_live(live, 2));
  std::vector<uint64_t> ours = all_live(3);
  delete_doc(ours, 2);
  EXPECT_EQ(ours, live);
  auto copy = memory_directory();
  EXPECT_EQ(write_live_docs(*copy, "_0", kId, 1, ours, 3), "_0_1.liv");
  EXPECT_EQ(store::to_hex(store::read_file(*copy, "_0_1.liv")), kLucenes);
}

TEST(LiveDocs, GoldenFilesAreRewrittenByteForByte) {
  size_t files = 0;
  for (const std::string& name : golden_names()) {
    auto directory = open_directory(golden_index(name));
    Commit commit = read_latest_commit(*directory).value();
    for (const SegmentCommitInfo& s : commit.segments) {
      if (s.del_gen == -1) continue;
      auto gen = static_cast<uint64_t>(s.del_gen);
      auto live =
          read_live_docs(*directory, s.info.name, s.info.id, gen, s.info.max_doc, s.del_count);
      auto copy = memory_directory();
      std::string file = write_live_docs(*copy, s.info.name, s.info.id, gen, live, s.info.max_doc);
      EXPECT_EQ(store::read_file(*copy, file), store::read_file(*directory, file)) << name;
      ++files;
    }
  }
  EXPECT_GE(files, 2u);
}

RC_GTEST_PROP(LiveDocs, RoundTripAtAnySize, ()) {
  uint32_t max_doc = *rc::gen::inRange(0u, 300u);
  std::vector<uint64_t> live = all_live(max_doc);
  RC_ASSERT(count_deleted(live, max_doc) == 0u);
  uint32_t deleted = 0;
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    if (!*rc::gen::arbitrary<bool>()) continue;
    delete_doc(live, doc);
    ++deleted;
  }
  RC_ASSERT(count_deleted(live, max_doc) == deleted);
  auto directory = memory_directory();
  RC_ASSERT(write_live_docs(*directory, "_0", kId, 36, live, max_doc) == "_0_10.liv");
  RC_ASSERT(read_live_docs(*directory, "_0", kId, 36, max_doc, deleted) == live);
}

TEST(LiveDocs, DamageIsRefused) {
  auto directory = memory_directory();
  store::put_file(*directory, "_0_1.liv", store::from_hex(kLucenes));
  store::expect_damage_refused(*directory, "_0_1.liv",
                               [&] { read_live_docs(*directory, "_0", kId, 1, 3, 1); });
}

TEST(LiveDocs, DisagreementWithTheCommitIsRefused) {
  auto directory = memory_directory();
  Bytes bytes = store::from_hex(kLucenes);
  auto refused = [&](uint64_t gen, uint32_t max_doc, uint32_t del_count) {
    store::put_file(*directory, "_0_1.liv", bytes);
    return store::refusal([&] { read_live_docs(*directory, "_0", kId, gen, max_doc, del_count); });
  };
  EXPECT_NE(refused(1, 3, 2).find("deletes 1 documents, the commit says 2"), std::string::npos);
  EXPECT_NE(refused(1, 65, 1).find("8 bytes of bits for 65 documents"), std::string::npos);
  EXPECT_NE(refused(1, 0, 0).find("8 bytes of bits for 0 documents"), std::string::npos);
  EXPECT_NE(refused(1, 1, 0).find("beyond the last one"), std::string::npos);
}

TEST(LiveDocs, BitsThatDoNotFitTheSegmentAreNotWritten) {
  auto directory = memory_directory();
  std::vector<uint64_t> live = all_live(65);
  EXPECT_THROW(write_live_docs(*directory, "_0", kId, 1, live, 64), InvalidArgument);
  live[1] |= 2;
  EXPECT_THROW(write_live_docs(*directory, "_0", kId, 1, live, 65), InvalidArgument);
  EXPECT_TRUE(directory->list().empty());
}

}  // namespace
}  // namespace postern::codec
