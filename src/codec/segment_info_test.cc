#include "codec/segment_info.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codec/java_hash_order.h"
#include "store/test_files.h"

namespace postern::codec {
namespace {

using store::Bytes;

// A segment that Lucene 10.4 sorted by four fields, one of each kind and one more.
const char kSorted[] =
    "3fd76c17134c7563656e6539305365676d656e74496e666f000000007893c6b5817b5327063aeb3e9b790d75000a"
    "0000000400000000000000010a000000040000000000000001000000ffff08146a6176612e72756e74696d652e76"
    "657273696f6e0c32352e302e332b392d4c54530b6a6176612e76656e646f721045636c697073652041646f707469"
    "756d026f73054c696e7578076f732e6172636805616d6436340a6f732e76657273696f6e0f362e31382e34342d66"
    "632d763635370e6c7563656e652e76657273696f6e0631302e342e3006736f7572636505666c7573680974696d65"
    "7374616d700d313739363033363234353630310f065f302e6b646d055f302e7369065f302e6b6469065f302e6664"
    "6d125f305f4c7563656e653130345f302e746970065f302e666478125f305f4c7563656e653130345f302e646f63"
    "125f305f4c7563656e653130345f302e74696d065f302e666474115f305f4c7563656e6539305f302e64766d115f"
    "305f4c7563656e6539305f302e647664125f305f4c7563656e653130345f302e746d64065f302e6b6464125f305f"
    "4c7563656e653130345f302e70736d065f302e666e6d011f4c7563656e65393053746f7265644669656c6473466f"
    "726d61742e6d6f64650a424553545f53504545440409536f72744669656c6405707269636506444f55424c450100"
    "000001000000ffffffffffff0f8012536f72746564536574536f72744669656c6401740000000000000000010000"
    "0009536f72744669656c64016b06535452494e4700000000010000000000000016536f727465644e756d65726963"
    "536f72744669656c64016c044c4f4e470100000001000000010000000000000000000080c02893e8000000000000"
    "0000dd9441aa";

const store::ObjectId kId = {0x78, 0x93, 0xc6, 0xb5, 0x81, 0x7b, 0x53, 0x27,
                             0x06, 0x3a, 0xeb, 0x3e, 0x9b, 0x79, 0x0d, 0x75};

std::unique_ptr<Directory> with(const Bytes& bytes) {
  auto directory = memory_directory();
  store::put_file(*directory, "_0.si", bytes);
  return directory;
}

Bytes encoded(const SegmentInfo& info) {
  auto directory = memory_directory();
  EXPECT_EQ(write_segment_info(*directory, info), "_0.si");
  return store::read_file(*directory, "_0.si");
}

SegmentInfo example() {
  SegmentInfo info;
  info.name = "_0";
  info.id = kId;
  info.max_doc = 2;
  info.files = {"_0.fdm", "_0.fdt", "_0.fdx", "_0.fnm", "_0.si"};
  info.attributes = {{kStoredFieldsModeKey, "BEST_SPEED"}};
  return info;
}

TEST(SegmentInfo, ReadsWhatLuceneWrote) {
  SegmentInfo info = read_segment_info(*with(store::from_hex(kSorted)), "_0", kId);
  EXPECT_EQ(info.version, (LuceneVersion{10, 4, 0}));
  EXPECT_EQ(info.min_version, (LuceneVersion{10, 4, 0}));
  EXPECT_EQ(info.max_doc, 1u);
  EXPECT_FALSE(info.compound);
  EXPECT_FALSE(info.has_blocks);
  EXPECT_EQ(info.files.size(), 15u);
  EXPECT_NE(std::ranges::find(info.files, "_0_Lucene104_0.psm"), info.files.end());
  ASSERT_NE(info.attribute(kStoredFieldsModeKey), nullptr);
  EXPECT_EQ(*info.attribute(kStoredFieldsModeKey), "BEST_SPEED");
  EXPECT_EQ(info.attribute("other"), nullptr);
  EXPECT_EQ(info.index_sort.size(), 4u);
  EXPECT_EQ(info.index_sort[2].substr(0, 12), std::string("\x09SortField\x01k", 12));
}

TEST(SegmentInfo, WritesLucenesBytes) {
  SegmentInfo info = read_segment_info(*with(store::from_hex(kSorted)), "_0", kId);
  EXPECT_EQ(store::to_hex(encoded(info)), kSorted);
  // Keys of one bucket come in the order of their addition; all others do not depend on it.
  auto buckets = [](const std::vector<std::string>& files) {
    std::vector<uint32_t> out;
    for (const std::string& f : files) out.push_back(java_bucket(f, 32));
    return out;
  };
  std::vector<std::string> lucenes = info.files;
  EXPECT_TRUE(std::ranges::is_sorted(buckets(lucenes)));
  std::ranges::sort(info.files);
  SegmentInfo again = read_segment_info(*with(encoded(info)), "_0", kId);
  EXPECT_EQ(buckets(again.files), buckets(lucenes));
}

// docs/formats/11 §7; the order of the file names is free.
TEST(SegmentInfo, WritesTheSpecsExample) {
  std::string hex = store::to_hex(encoded(example()));
  std::string body = hex.substr(45 * 2, hex.size() - (45 + store::kFooterLength) * 2);
  EXPECT_TRUE(
      body.starts_with("0a0000000400000000000000010a0000000400000000000000"
                       "02000000ffff0005"))
      << body;
  EXPECT_TRUE(
      body.ends_with("011f4c7563656e65393053746f7265644669656c6473466f726d61742e6d6f6465"
                     "0a424553545f535045454400"))
      << body;
  EXPECT_NE(body.find("065f302e66646d"), std::string::npos);
}

TEST(SegmentInfo, RoundTrips) {
  SegmentInfo info = example();
  info.compound = info.has_blocks = true;
  info.min_version = LuceneVersion{9, 12, 3};
  info.max_doc = 2147483519;
  info.diagnostics = standard_diagnostics("flush");
  SegmentInfo again = read_segment_info(*with(encoded(info)), "_0", kId);
  EXPECT_TRUE(again.compound && again.has_blocks);
  EXPECT_EQ(again.min_version, info.min_version);
  EXPECT_EQ(again.max_doc, info.max_doc);
  EXPECT_EQ(again.diagnostics, info.diagnostics);
  EXPECT_EQ(again.diagnostics[0], (std::pair<std::string, std::string>("source", "flush")));
}

TEST(SegmentInfo, DamageIsRefused) {
  auto directory = with(store::from_hex(kSorted));
  store::expect_damage_refused(*directory, "_0.si",
                               [&] { read_segment_info(*directory, "_0", kId); });
}

TEST(SegmentInfo, OtherLuceneVersionsAreNamed) {
  auto message = [](LuceneVersion version, std::optional<LuceneVersion> min) {
    SegmentInfo info = example();
    info.version = version;
    info.min_version = min;
    auto directory = with(encoded(info));
    EXPECT_THROW(read_segment_info(*directory, "_0", kId), NotSupported);
    return store::refusal([&] { read_segment_info(*directory, "_0", kId); });
  };
  EXPECT_NE(message({9, 12, 0}, LuceneVersion{9, 12, 0}).find("written by Lucene 9.12.0"),
            std::string::npos);
  EXPECT_NE(message({11, 0, 0}, LuceneVersion{11, 0, 0}).find("written by Lucene 11.0.0"),
            std::string::npos);
  EXPECT_NE(message({10, 4, 0}, LuceneVersion{8, 11, 4}).find("Lucene 8 or older"),
            std::string::npos);
  EXPECT_NE(message({10, 4, 0}, std::nullopt).find("Lucene 8 or older"), std::string::npos);
}

TEST(SegmentInfo, ListsOnlyFilesOfItsOwnSegment) {
  for (const char* file : {"_1.fdt", "_0_1.tmp", "foo.txt", "_0_/../../x.y", "_00.si"}) {
    SegmentInfo info = example();
    info.files.push_back(file);
    EXPECT_THROW(encoded(info), InvalidArgument) << file;
  }
  Bytes bytes = encoded(example());
  auto at = std::ranges::search(bytes, store::from_hex("065f302e66646d"));
  at[2] = '1';  // _1.fdm
  store::reseal(bytes);
  EXPECT_NE(store::refusal([&] { read_segment_info(*with(bytes), "_0", kId); }).find("'_1.fdm'"),
            std::string::npos);
}

TEST(SegmentInfo, TooManyDocumentsAreRefused) {
  SegmentInfo info = example();
  info.max_doc = 2147483520;
  EXPECT_NE(store::refusal([&] {
              read_segment_info(*with(encoded(info)), "_0", kId);
            }).find("_0.si: has 2147483520 documents"),
            std::string::npos);
}

}  // namespace
}  // namespace postern::codec
