#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/sortable_bits.h"
#include "codec/bkd_doc_ids.h"
#include "codec/points_reader.h"
#include "codec/points_test_support.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::FieldPoints;
using testing::Point;
using testing::read_points;
using testing::test_id;
using testing::to_hex;

constexpr uint32_t kMaxDoc = 0x7fffffff;

std::string ints(std::initializer_list<int32_t> values) {
  std::string out;
  for (int32_t value : values) {
    uint8_t bytes[4];
    pack_int(value, bytes);
    out.append(reinterpret_cast<const char*>(bytes), sizeof bytes);
  }
  return out;
}

struct Written {
  Bytes data;
  Bytes index;
  Bytes meta;
};
Written write(const std::vector<FieldPoints>& fields) {
  const auto directory = memory_directory();
  testing::write_points(*directory, "_0", test_id(), fields);
  auto body = [&](const char* file, const char* codec) {
    return testing::body_of(testing::read_file(*directory, file), codec);
  };
  return {body("_0.kdd", kPointsDataCodec), body("_0.kdi", kPointsIndexCodec),
          body("_0.kdm", kPointsMetaCodec)};
}

std::vector<Point> read_back(const FieldPoints& field) {
  const auto directory = memory_directory();
  testing::write_points(*directory, "_0", test_id(), {field});
  const PointsReader reader(*directory, "_0", test_id(), kMaxDoc);
  EXPECT_EQ(reader.entries().size(), 1u);
  const PointsEntry* entry = reader.find(field.number);
  return entry == nullptr ? std::vector<Point>() : read_points(reader, *entry);
}

// The examples of docs/formats/23 §5, which are Lucene's bytes.
TEST(PointsWriter, OneDimensionOfTheSpecification) {
  const FieldPoints field{
      0,
      {1, 1, 4},
      {{ints({-4}), 0}, {ints({-1}), 1}, {ints({2}), 2}, {ints({5}), 3}, {ints({8}), 4}}};
  const Written written = write({field});
  EXPECT_EQ(to_hex(written.data),
            "05 fe 00 00 00 7f 02 ff ff fc ff ff ff 80 03 00 00 02 00 00 05 00 00 08");
  EXPECT_EQ(to_hex(written.index), "32");
}

TEST(PointsWriter, TwoDimensionsOfTheSpecification) {
  FieldPoints field{0, {2, 2, 4}, {}};
  for (int32_t doc = 0; doc < 5; ++doc)
    field.points.push_back({ints({doc % 2, 7}), static_cast<uint32_t>(doc)});
  EXPECT_EQ(to_hex(write({field}).data),
            "05 10 00 04 00 00 00 01 00 02 00 03 00 03 80 00 00 04 80 00 00 07 fe 00 01 03 00 02 "
            "01");
}

TEST(PointsWriter, EntryOfTheMetadata) {
  const FieldPoints field{7, {2, 1, 2}, {{"abxy", 3}, {"aacd", 3}, {"zzzz", 9}}};
  const auto data_start = store::index_header_length(kPointsDataCodec, "");
  EXPECT_EQ(data_start, 0x32u);
  // Field, header, dimensions 2 of 1 indexed, 512 a leaf, 2 bytes, 1 leaf, bounds, 3 points in 2
  // documents, 1 byte of index, where leaf and index start; end; lengths of .kdi and .kdd.
  const Written written = write({field});
  const std::string expected =
      "07 00 00 00 3f d7 6c 17 03 42 4b 44 00 00 00 0a 02 01 80 04 02 01 61 61 7a 7a 03 02 01 "
      "32 00 00 00 00 00 00 00 33 00 00 00 00 00 00 00 ff ff ff ff 44 00 00 00 00 00 00 00 ";
  const std::string got = to_hex(written.meta);
  EXPECT_EQ(got.substr(0, expected.size()), expected);
  EXPECT_EQ(written.meta.size(), (expected.size() / 3) + 8);
  EXPECT_EQ(load_le<uint64_t>(written.meta.data() + written.meta.size() - 8),
            written.data.size() + data_start + store::kFooterLength);
}

RC_GTEST_PROP(Points, RoundTrip, ()) {
  const BkdShape shape = *testing::any_shape();
  std::vector<Point> points = *testing::random_points(shape, 3000);
  RC_PRE(!points.empty());
  std::vector<Point> got = read_back({3, shape, points});
  std::ranges::sort(got);
  std::ranges::sort(points);
  RC_ASSERT(got == points);
}

// Ends of leaves, and points that nothing but their documents tells apart (apache/lucene PR 91).
TEST(Points, EqualPointsKeepTheOrderOfDocuments) {
  for (const uint32_t dimensions : {1u, 2u, 8u}) {
    for (const uint32_t count : {1u, 511u, 512u, 513u, 1024u, 10000u}) {
      FieldPoints field{0, {dimensions, dimensions, 4}, {}};
      for (uint32_t i = 0; i < count; ++i)
        field.points.push_back({std::string(4 * dimensions, 'e'), i * 3 + i % 2});
      EXPECT_EQ(read_back(field), field.points) << dimensions << " dimensions, " << count;
    }
  }
}

TEST(Points, DocumentsAscendInsideEqualValues) {
  FieldPoints field{0, {1, 1, 8}, {}};
  for (uint32_t doc = 0; doc < 5000; ++doc)
    field.points.push_back({std::string(7, 'v') + static_cast<char>(doc * 7 % 5), doc});
  std::vector<Point> expected = field.points;
  std::ranges::sort(expected);
  EXPECT_EQ(read_back(field), expected);
}

TEST(Points, SeveralFieldsInTheOrderGiven) {
  const auto directory = memory_directory();
  const std::vector<FieldPoints> fields = {{5, {1, 1, 1}, {{"b", 0}, {"a", 1}}},
                                           {2, {3, 2, 1}, {{"abc", 4}}}};
  testing::write_points(*directory, "_0", test_id(), fields);
  const PointsReader reader(*directory, "_0", test_id(), 5);
  ASSERT_EQ(reader.entries().size(), 2u);
  EXPECT_EQ(reader.entries()[0].field_number, 5u);
  EXPECT_EQ(reader.entries()[1].field_number, 2u);
  EXPECT_EQ(reader.find(3), nullptr);
  EXPECT_EQ(read_points(reader, *reader.find(5)), (std::vector<Point>{{"a", 1}, {"b", 0}}));
  EXPECT_EQ(read_points(reader, *reader.find(2)), (std::vector<Point>{{"abc", 4}}));
}

std::vector<uint32_t> docs_round_trip(const std::vector<uint32_t>& docs, int& tag) {
  const auto directory = memory_directory();
  store::IndexOutput out(*directory, "docs");
  write_bkd_docs(docs, out);
  out.close();
  const Bytes bytes = testing::read_file(*directory, "docs");
  tag = static_cast<int8_t>(bytes[0]);
  ByteReader in(bytes, "docs");
  std::vector<uint32_t> got;
  read_bkd_docs(in, static_cast<uint32_t>(docs.size()), kMaxDoc, got);
  EXPECT_EQ(in.remaining(), 0u);
  return got;
}

// Each tag at both ends of its range, with every remainder of its blocks.
TEST(BkdDocIds, EveryEncodingOfEveryLength) {
  struct Case {
    int tag;
    uint32_t first;
    uint64_t last;  // first + span - 1
    bool ascending;
  };
  for (uint32_t n = 3; n <= 512; n = n < 70 ? n + 1 : n + 17) {
    const Case cases[] = {
        {-2, 0, n - 1, true},
        {-2, 0x7fffff00 - n, 0x7fffff00 - 1, true},
        {-1, 63, 63 + n, true},
        {-1, 1000, 1000 + 16 * n - 1, true},
        {16, 1000, 1000 + 16 * n, true},
        {16, 5, 5 + n - 1, false},
        {16, 9, 9 + 65534, false},
        {21, 9, 9 + 65535, false},
        {21, 0, 0x1fffff, true},
        {24, 0, 0x200000, true},
        {24, 7, 0xffffff, false},
        {32, 0, 0x1000000, true},
        {32, 1, 0x7ffffffe, false},
    };
    for (const Case& c : cases) {
      std::vector<uint32_t> docs(n);
      const uint64_t span = c.last - c.first;
      for (uint32_t i = 0; i < n; ++i)
        docs[i] = c.first + static_cast<uint32_t>(span * i / (n - 1));
      if (!c.ascending) std::swap(docs[0], docs[n - 1]);
      int tag = 0;
      EXPECT_EQ(docs_round_trip(docs, tag), docs) << c.tag << " with " << n;
      EXPECT_EQ(tag, c.tag) << n << " documents up to " << c.last;
    }
  }
}

// Layouts of docs/formats/23 §3.1, computed by hand.
TEST(BkdDocIds, BytesOfTheLayouts) {
  auto bytes_of = [](const std::vector<uint32_t>& docs) {
    const auto directory = memory_directory();
    store::IndexOutput out(*directory, "docs");
    write_bkd_docs(docs, out);
    out.close();
    return to_hex(testing::read_file(*directory, "docs"));
  };
  EXPECT_EQ(bytes_of({70, 71, 72}), "fe 46");
  EXPECT_EQ(bytes_of({70, 73, 75}), "ff 01 01 40 0a 00 00 00 00 00 00");
  EXPECT_EQ(bytes_of({9, 5, 6}), "10 05 00 00 04 00 01 00");
  EXPECT_EQ(bytes_of({0x1fffff, 1, 2, 3}), "15 ff ff 3f 00 00 08 00 00 03 00 00");
  EXPECT_EQ(bytes_of({0xffffff, 1, 2, 0x345678, 9}),
            "18 78 ff ff ff 56 01 00 00 34 02 00 00 09 00 00");
  EXPECT_EQ(bytes_of({0x1000000, 1}), "20 00 00 00 01 01 00 00 00");
}

class DamagedPoints : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<FieldPoints> fields = {{0, {1, 1, 4}, {}}, {1, {3, 2, 2}, {}}, {2, {2, 2, 1}, {}}};
    for (uint32_t doc = 0; doc < 1100; ++doc) {
      fields[0].points.push_back({ints({static_cast<int32_t>(doc * 7919 % 1000)}), doc * 2});
      fields[1].points.push_back(
          {std::string{'a', static_cast<char>(doc % 3), 'c', static_cast<char>(doc), 'e', 'f'},
           doc});
    }
    fields[2].points.push_back({"xy", 3});
    testing::write_points(*directory_, "_0", test_id(), fields);
  }

  void read_all() const {
    const PointsReader reader(*directory_, "_0", test_id(), 2200);
    for (const PointsEntry& entry : reader.entries()) read_points(reader, entry);
  }

  std::unique_ptr<Directory> directory_ = memory_directory();
};

TEST_F(DamagedPoints, EveryFileIsNamedWhenItsChecksumIsWrong) {
  for (const std::string name : {"_0.kdm", "_0.kdi"}) {
    const Bytes good = testing::read_file(*directory_, name);
    Bytes bad = good;
    bad[bad.size() / 2] ^= 1;
    directory_->remove(name);
    testing::write_file(*directory_, name, bad);
    try {
      read_all();
      ADD_FAILURE() << name;
    } catch (const CorruptIndex& e) {
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    }
    directory_->remove(name);
    testing::write_file(*directory_, name, good);
  }
  EXPECT_NO_THROW(read_all());
}

// Past the checksum: any byte may change; most changes are refused, none does harm.
TEST_F(DamagedPoints, NoChangedByteDoesHarm) {
  for (const std::string name : {"_0.kdm", "_0.kdi", "_0.kdd"}) {
    const Bytes good = testing::read_file(*directory_, name);
    const size_t header = good.size() > 60 ? 50 : 0;
    size_t refused = 0;
    size_t tried = 0;
    for (size_t at = header; at + 16 < good.size(); at += good.size() > 2000 ? 13 : 1) {
      for (const uint8_t flip : {uint8_t{1}, uint8_t{0x80}, uint8_t{0xff}}) {
        Bytes bad = good;
        bad[at] ^= flip;
        testing::fix_checksum(bad);
        directory_->remove(name);
        testing::write_file(*directory_, name, bad);
        ++tried;
        try {
          read_all();
        } catch (const CorruptIndex&) {
          ++refused;
        } catch (const NotSupported&) {
          ++refused;
        }
      }
    }
    directory_->remove(name);
    testing::write_file(*directory_, name, good);
    EXPECT_GT(refused, tried / 4) << name;
  }
}

TEST_F(DamagedPoints, CutFilesAreRefused) {
  for (const std::string name : {"_0.kdm", "_0.kdi", "_0.kdd"}) {
    const Bytes good = testing::read_file(*directory_, name);
    for (size_t size = 0; size < good.size(); size += good.size() / 50 + 1) {
      directory_->remove(name);
      testing::write_file(*directory_, name, std::span(good).first(size));
      EXPECT_THROW(read_all(), CorruptIndex) << name << " of " << size;
    }
    directory_->remove(name);
    testing::write_file(*directory_, name, good);
  }
}

}  // namespace
}  // namespace postern::codec
