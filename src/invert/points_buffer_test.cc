#include "invert/points_buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "base/sortable_bits.h"
#include "postern/error.h"

namespace postern::invert {
namespace {

struct PointsBuffering : ::testing::Test {
  memory::MemoryCounter counter;

  static std::string value(PointsBuffer& buffer, size_t i) {
    const size_t stride = point_record_size(buffer.value_bytes());
    return {reinterpret_cast<const char*>(buffer.records().data()) + i * stride,
            buffer.value_bytes()};
  }
  static uint32_t doc(PointsBuffer& buffer, size_t i) {
    const size_t stride = point_record_size(buffer.value_bytes());
    return point_record_doc(buffer.records().data() + i * stride, buffer.value_bytes());
  }
};

TEST_F(PointsBuffering, NumbersBecomeSortableBytes) {
  PointsBuffer ints(counter, "i", 1, 1, 4);
  ints.add(3, {.kind = ValueKind::kInt, .integer = -4});
  EXPECT_EQ(value(ints, 0), "\x7f\xff\xff\xfc");
  PointsBuffer longs(counter, "l", 1, 1, 8);
  longs.add(3, {.kind = ValueKind::kLong, .integer = std::numeric_limits<int64_t>::max()});
  EXPECT_EQ(value(longs, 0), std::string(8, '\xff'));
  PointsBuffer floats(counter, "f", 1, 1, 4);
  floats.add(3, {.kind = ValueKind::kFloat, .number = -0.0});
  EXPECT_EQ(value(floats, 0), "\x7f\xff\xff\xff");
  PointsBuffer doubles(counter, "d", 1, 1, 8);
  doubles.add(3, {.kind = ValueKind::kDouble, .number = -std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(value(doubles, 0), std::string("\xff\xf8\0\0\0\0\0\0", 8));
}

TEST_F(PointsBuffering, ArrivalOrderAndDocumentsAreKept) {
  PointsBuffer buffer(counter, "p", 2, 1, 1);
  for (auto [doc, bytes] : {std::pair{0u, "zz"}, {0u, "aa"}, {7u, "zz"}, {0x7fffffffu, "bb"}})
    buffer.add(doc, {.kind = ValueKind::kBytes, .bytes = bytes});
  ASSERT_EQ(buffer.size(), 4u);
  EXPECT_EQ(buffer.doc_count(), 3u);
  EXPECT_EQ(value(buffer, 0), "zz");
  EXPECT_EQ(value(buffer, 1), "aa");
  EXPECT_EQ(doc(buffer, 1), 0u);
  EXPECT_EQ(doc(buffer, 2), 7u);
  EXPECT_EQ(doc(buffer, 3), 0x7fffffffu);
}

TEST_F(PointsBuffering, RenumberedDocuments) {
  PointsBuffer buffer(counter, "p", 1, 1, 1);
  for (uint32_t d : {0u, 1u, 1u, 2u}) buffer.add(d, {.kind = ValueKind::kBytes, .bytes = "x"});
  const uint32_t new_docs[] = {2, 0, 1};
  buffer.renumber(new_docs);
  EXPECT_EQ(doc(buffer, 0), 2u);
  EXPECT_EQ(doc(buffer, 1), 0u);
  EXPECT_EQ(doc(buffer, 2), 0u);
  EXPECT_EQ(doc(buffer, 3), 1u);
  EXPECT_EQ(buffer.doc_count(), 3u);
}

TEST_F(PointsBuffering, ValuesOfAnotherShapeAreRefusedAndLeaveNothing) {
  PointsBuffer buffer(counter, "place", 2, 2, 4);
  const FieldValue wrong[] = {{.kind = ValueKind::kBytes, .bytes = "1234567"},
                              {.kind = ValueKind::kBytes, .bytes = "123456789"},
                              {.kind = ValueKind::kBytes, .bytes = ""},
                              {.kind = ValueKind::kInt, .integer = 1},
                              {.kind = ValueKind::kDouble, .number = 1},
                              {.kind = ValueKind::kText, .bytes = "12345678"}};
  for (const FieldValue& v : wrong) {
    try {
      buffer.add(0, v);
      ADD_FAILURE() << static_cast<int>(v.kind);
    } catch (const InvalidDocument& e) {
      EXPECT_NE(std::string(e.what()).find(
                    "field \"place\": a point has 2 dimensions of 4 bytes, 8 in all"),
                std::string::npos)
          << e.what();
    }
  }
  PointsBuffer longs(counter, "l", 1, 1, 8);
  EXPECT_THROW(longs.add(0, {.kind = ValueKind::kInt, .integer = 1}), InvalidDocument);
  EXPECT_THROW(longs.add(0, {.kind = ValueKind::kFloat, .number = 1}), InvalidDocument);
  EXPECT_TRUE(buffer.empty());
  EXPECT_TRUE(longs.empty());
  EXPECT_EQ(buffer.doc_count() + longs.doc_count(), 0u);
}

TEST_F(PointsBuffering, MemoryIsCountedAndGivenBack) {
  {
    PointsBuffer buffer(counter, "p", 1, 1, 8);
    for (uint32_t d = 0; d < 500000; ++d) buffer.add(d, {.kind = ValueKind::kLong, .integer = d});
    EXPECT_GE(counter.bytes(), 500000u * 12);
    EXPECT_LE(counter.bytes(), 500000u * 12 * 2);
    buffer.release();
    EXPECT_EQ(counter.bytes(), 0u);
    EXPECT_TRUE(buffer.empty());
    buffer.add(1, {.kind = ValueKind::kLong, .integer = 1});
    EXPECT_EQ(buffer.doc_count(), 1u);
  }
  EXPECT_EQ(counter.bytes(), 0u);
}

}  // namespace
}  // namespace postern::invert
