#include "codec/file_names.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postern::codec {
namespace {

// docs/formats/10 §5: generation 10 is segments_a, 36 is segments_10.
TEST(FileNames, CountInBase36) {
  EXPECT_EQ(segment_name(0), "_0");
  EXPECT_EQ(segment_name(9), "_9");
  EXPECT_EQ(segment_name(10), "_a");
  EXPECT_EQ(segment_name(35), "_z");
  EXPECT_EQ(segment_name(36), "_10");
  EXPECT_EQ(commit_file_name(10), "segments_a");
  EXPECT_EQ(commit_file_name(36), "segments_10");
  EXPECT_EQ(pending_commit_file_name(36), "pending_segments_10");
  EXPECT_EQ(generation_file("_3", 1, "liv"), "_3_1.liv");
  EXPECT_EQ(segment_file("_3", "", "fdt"), "_3.fdt");
  EXPECT_EQ(segment_file("_3", "Lucene104_0", "doc"), "_3_Lucene104_0.doc");
}

RC_GTEST_PROP(FileNames, Base36RoundTrips, ()) {
  auto value = static_cast<uint64_t>(*rc::gen::positive<int64_t>());
  RC_ASSERT(parse_base36(to_base36(value)) == value);
  RC_ASSERT(parse_commit_file_name(commit_file_name(value)) == value);
  RC_ASSERT(parse_pending_commit_file_name(pending_commit_file_name(value)) == value);
}

TEST(FileNames, OnlyTheCanonicalSpellingOfANumberCounts) {
  EXPECT_EQ(parse_base36("0"), 0u);
  EXPECT_EQ(parse_base36("1y2p0ij32e8e7"), (uint64_t{1} << 63) - 1);
  for (const char* text : {"", "A", "01", "-1", "+1", "1 ", "1y2p0ij32e8e8", "zzzzzzzzzzzzzz", "."})
    EXPECT_EQ(parse_base36(text), std::nullopt) << text;
  for (const char* name : {"segments", "segments_", "segments.gen", "segments_bad!", "segments_A",
                           "pending_segments_1", "segmentss_1"})
    EXPECT_EQ(parse_commit_file_name(name), std::nullopt) << name;
}

// The names that docs/formats/10 §9 observed, deleted and left alone.
TEST(FileNames, TellsFilesOfTheIndexFromOthers) {
  for (const char* name : {"pending_segments_z", "_7.fdt", "_9_x.tmp", "_1_5.liv", "_c.cfs.bak",
                           "segments_1", "segments.gen", "_3_Lucene104_0.doc", "_0_.x", "_0_a.b.c"})
    EXPECT_TRUE(is_index_file(name)) << name;
  for (const char* name :
       {"foo.txt", "_nodot", "_A.si", "write.lock", "", "_", "_.si", "_0", "_0_x", "0.si"})
    EXPECT_FALSE(is_index_file(name)) << name;
}

TEST(FileNames, GiveTheirSegmentAndItsNumber) {
  EXPECT_EQ(segment_of_file("_3_1.liv"), "_3");
  EXPECT_EQ(segment_of_file("_10.si"), "_10");
  EXPECT_EQ(segment_of_file("_3_Lucene104_0.doc"), "_3");
  EXPECT_EQ(segment_of_file("segments_1"), "");
  EXPECT_EQ(counter_of_file("_c.cfs.bak"), 12u);
  EXPECT_EQ(counter_of_file("_10_x.tmp"), 36u);
  EXPECT_EQ(counter_of_file("_zzzzzzzzzzzzzzzzzz.x"), std::nullopt);
  EXPECT_EQ(counter_of_file("write.lock"), std::nullopt);
}

TEST(FileNames, GiveTheirGeneration) {
  EXPECT_EQ(generation_of_file("_3_a.liv"), 10u);
  EXPECT_EQ(generation_of_file("_0_2.fnm"), 2u);
  EXPECT_EQ(generation_of_file("_0_3_Lucene90_0.dvd"), 3u);
  for (const char* name : {"_0.si", "_0_Lucene104_0.doc", "segments_1", "_0_Lucene104.x", "foo"})
    EXPECT_EQ(generation_of_file(name), std::nullopt) << name;
}

}  // namespace
}  // namespace postern::codec
