#include "codec/bkd_sort.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/point_record.h"
#include "codec/points_test_support.h"

namespace postern::codec {
namespace {

using testing::Point;
using testing::points_of;
using testing::random_points;
using testing::records_of;

constexpr uint32_t kMaxDoc = ~uint32_t{0};

// The order of docs/formats/23 §2.2.
auto order_key(const BkdShape& shape, uint32_t dimension, const Point& p) {
  return std::tuple(p.value.substr(size_t{dimension} * shape.bytes, shape.bytes),
                    p.value.substr(shape.index_bytes()), p.doc);
}
auto whole_key(const BkdShape& shape, uint32_t dimension, const Point& p) {
  return std::tuple_cat(order_key(shape, dimension, p), std::tuple(p.value));
}

std::vector<Point> sorted(const BkdShape& shape, uint32_t dimension, std::vector<Point> points) {
  std::ranges::sort(points, [&](const Point& a, const Point& b) {
    return whole_key(shape, dimension, a) < whole_key(shape, dimension, b);
  });
  return points;
}

// The same points, in the order's order; ties may stand in any.
bool is_sorted_form_of(const BkdShape& shape, uint32_t dimension, const std::vector<Point>& got,
                       const std::vector<Point>& points) {
  return sorted(shape, dimension, got) == sorted(shape, dimension, points) &&
         std::ranges::is_sorted(got, [&](const Point& a, const Point& b) {
           return order_key(shape, dimension, a) < order_key(shape, dimension, b);
         });
}

RC_GTEST_PROP(BkdSort, SortsByDimensionThenPayloadThenDocument, ()) {
  const BkdShape shape = *testing::any_shape();
  const auto dimension = *rc::gen::inRange<uint32_t>(0, shape.index_dimensions);
  const std::vector<Point> points = *random_points(shape, 2000);
  auto records = records_of(points);
  BkdRecords(shape, records.data(), kMaxDoc).sort(0, points.size(), dimension);
  RC_ASSERT(is_sorted_form_of(shape, dimension, points_of(shape, records), points));
}

RC_GTEST_PROP(BkdSort, SelectsWhatSortingWouldPutThere, ()) {
  const BkdShape shape = *testing::any_shape();
  const auto dimension = *rc::gen::inRange<uint32_t>(0, shape.index_dimensions);
  const std::vector<Point> points = *random_points(shape, 2000);
  RC_PRE(!points.empty() && shape.dimensions > 1);
  const auto middle = *rc::gen::inRange<size_t>(0, points.size());
  auto records = records_of(points);
  BkdRecords(shape, records.data(), kMaxDoc).select(0, points.size(), middle, dimension);
  const std::vector<Point> expected = sorted(shape, dimension, points);
  std::vector<Point> got = points_of(shape, records);
  RC_ASSERT(sorted(shape, dimension, got) == expected);
  const auto pivot = order_key(shape, dimension, expected[middle]);
  RC_ASSERT(order_key(shape, dimension, got[middle]) == pivot);
  for (size_t i = 0; i < got.size(); ++i) {
    const auto key = order_key(shape, dimension, got[i]);
    RC_ASSERT((i < middle ? key <= pivot : key >= pivot));
  }
}

// Points (i mod 2, i) of one document, sorted by their first dimension. As in a leaf that Lucene
// wrote: up to 16 keep their order, more come as its quicksort leaves them.
TEST(BkdSort, TiesWithinADocumentComeAsLucenesDo) {
  const BkdShape shape{2, 2, 1};
  const auto order = [&](uint32_t count) {
    std::vector<Point> points;
    for (uint32_t i = 0; i < count; ++i)
      points.push_back({{static_cast<char>(i % 2), static_cast<char>(i)}, 7});
    auto records = records_of(points);
    BkdRecords(shape, records.data(), kMaxDoc).sort(0, count, 0);
    std::vector<int> second;
    for (const Point& p : points_of(shape, records)) second.push_back(p.value[1]);
    return second;
  };
  EXPECT_EQ(order(6), (std::vector{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(order(18), (std::vector{6, 16, 14, 12, 10, 0, 8, 2, 4, 9, 1, 11, 3, 13, 17, 15, 5, 7}));
  EXPECT_EQ(order(23), (std::vector{8, 22, 20, 18, 16, 14, 12, 10, 6,  2, 4, 0,
                                    1, 13, 5,  15, 21, 17, 3,  19, 11, 7, 9}));
  EXPECT_EQ(order(24), (std::vector{16, 4,  14, 18, 12, 2,  6,  20, 8, 22, 10, 0,
                                    17, 19, 21, 23, 11, 15, 13, 9,  7, 5,  3,  1}));
}

TEST(BkdSort, LeavesWhatIsOutsideTheRange) {
  const BkdShape shape{1, 1, 4};
  std::vector<Point> points;
  for (uint32_t i = 0; i < 300; ++i)
    points.push_back({std::string(3, 'x') + static_cast<char>(i * 37), 300 - i});
  auto records = records_of(points);
  BkdRecords(shape, records.data(), kMaxDoc).sort(100, 200, 0);
  const std::vector<Point> got = points_of(shape, records);
  EXPECT_TRUE(std::equal(got.begin(), got.begin() + 100, points.begin()));
  EXPECT_TRUE(std::equal(got.begin() + 200, got.end(), points.begin() + 200));
  EXPECT_EQ(std::vector<Point>(got.begin() + 100, got.begin() + 200),
            sorted(shape, 0, {points.begin() + 100, points.begin() + 200}));
}

// Records of one dimension as a buffer has them: documents ascend, or (index sort) come in any
// order.
std::vector<uint8_t> arrivals(std::mt19937_64& random, size_t count, uint32_t bytes, uint64_t mask,
                              bool docs_ascend) {
  std::vector<uint8_t> records;
  records.reserve(count * point_record_size(bytes));
  uint32_t doc = 0;
  for (size_t i = 0; i < count; ++i) {
    doc = static_cast<uint32_t>(docs_ascend ? doc + random() % 3 : random() % (2 * count));
    const uint64_t value = random() & mask;
    for (uint32_t b = bytes; b-- > 0;) records.push_back(static_cast<uint8_t>(value >> (8 * b)));
    for (uint32_t b = 4; b-- > 0;) records.push_back(static_cast<uint8_t>(doc >> (8 * b)));
  }
  return records;
}

void expect_sorted_as_bytes(std::vector<uint8_t> records, uint32_t bytes) {
  const size_t stride = point_record_size(bytes);
  const size_t count = records.size() / stride;
  std::vector<std::string> expected;
  for (size_t i = 0; i < count; ++i)
    expected.emplace_back(reinterpret_cast<const char*>(records.data()) + i * stride, stride);
  std::ranges::sort(expected);
  BkdRecords({1, 1, bytes}, records.data(), kMaxDoc).sort(0, count, 0);
  for (size_t i = 0; i < count; ++i)
    ASSERT_EQ(std::memcmp(records.data() + i * stride, expected[i].data(), stride), 0) << i;
}

TEST(BkdSort, ManyRecordsOfOneDimension) {
  std::mt19937_64 random(23);
  for (uint32_t bytes : {4u, 8u}) {
    for (uint64_t mask : {uint64_t{0}, uint64_t{1} << 17, uint64_t{0xff00ff}, ~uint64_t{0}}) {
      for (size_t count : {size_t{1023}, size_t{1024}, size_t{5000}}) {
        expect_sorted_as_bytes(arrivals(random, count, bytes, mask, true), bytes);
        expect_sorted_as_bytes(arrivals(random, count, bytes, mask, false), bytes);
      }
    }
  }
}

// They are first split in place, which loses the order of documents.
TEST(BkdSort, MoreRecordsThanTheSecondArrayHolds) {
  std::mt19937_64 random(24);
  const size_t count = kMaxStableSortBytes / 12 + 1000;
  expect_sorted_as_bytes(arrivals(random, count, 8, 0x3ffff, true), 8);
}

// 256 bytes of value that differ in the last byte only, and one level of depth per byte.
TEST(BkdSort, LongestValues) {
  const BkdShape shape{16, 8, 16};
  std::vector<Point> alike;
  std::vector<Point> stairs;
  for (uint32_t i = 0; i < 256; ++i) {
    std::string value(256, '\x7f');
    value[255] = static_cast<char>(255 - i);
    alike.push_back({value, i});
    for (uint32_t copies = 0; copies < 30; ++copies)
      stairs.push_back({std::string(i, '\x7f') + std::string(256 - i, '\x01'), copies});
  }
  for (const auto& points : {alike, stairs}) {
    auto records = records_of(points);
    BkdRecords(shape, records.data(), kMaxDoc).sort(0, points.size(), 3);
    EXPECT_TRUE(is_sorted_form_of(shape, 3, points_of(shape, records), points));
  }
}

}  // namespace
}  // namespace postern::codec
