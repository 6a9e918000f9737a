#include "codec/bkd_sort.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/point_record.h"
#include "codec/points_test_support.h"

namespace postern::codec {
namespace {

using testing::Point;
using testing::points_of;
using testing::random_points;
using testing::records_of;

// The order of docs/formats/23 §2.2, spelled with whole values.
auto order_key(const BkdShape& shape, uint32_t dimension, const Point& p) {
  return std::tuple(p.value.substr(size_t{dimension} * shape.bytes, shape.bytes),
                    p.value.substr(shape.index_bytes()), p.doc, p.value);
}

std::vector<Point> sorted(const BkdShape& shape, uint32_t dimension, std::vector<Point> points) {
  std::ranges::sort(points, [&](const Point& a, const Point& b) {
    return order_key(shape, dimension, a) < order_key(shape, dimension, b);
  });
  return points;
}

RC_GTEST_PROP(BkdSort, SortsByDimensionThenPayloadThenDocument, ()) {
  const BkdShape shape = *testing::any_shape();
  const auto dimension = *rc::gen::inRange<uint32_t>(0, shape.index_dimensions);
  const std::vector<Point> points = *random_points(shape, 2000);
  auto records = records_of(points);
  BkdRecords(shape, records.data()).sort(0, points.size(), dimension);
  RC_ASSERT(points_of(shape, records) == sorted(shape, dimension, points));
}

RC_GTEST_PROP(BkdSort, SelectsWhatSortingWouldPutThere, ()) {
  const BkdShape shape = *testing::any_shape();
  const auto dimension = *rc::gen::inRange<uint32_t>(0, shape.index_dimensions);
  const std::vector<Point> points = *random_points(shape, 2000);
  RC_PRE(!points.empty());
  const auto middle = *rc::gen::inRange<size_t>(0, points.size());
  auto records = records_of(points);
  BkdRecords(shape, records.data()).select(0, points.size(), middle, dimension);
  const std::vector<Point> expected = sorted(shape, dimension, points);
  std::vector<Point> got = points_of(shape, records);
  RC_ASSERT(got[middle] == expected[middle]);
  // Either side holds the points that belong there.
  const auto half = static_cast<ptrdiff_t>(middle);
  const std::vector<Point> left = sorted(shape, dimension, {got.begin(), got.begin() + half});
  RC_ASSERT(std::equal(left.begin(), left.end(), expected.begin()));
  const std::vector<Point> right = sorted(shape, dimension, {got.begin() + half, got.end()});
  RC_ASSERT(std::equal(right.begin(), right.end(), expected.begin() + half));
}

TEST(BkdSort, LeavesWhatIsOutsideTheRange) {
  const BkdShape shape{1, 1, 4};
  std::vector<Point> points;
  for (uint32_t i = 0; i < 300; ++i)
    points.push_back({std::string(3, 'x') + static_cast<char>(i * 37), 300 - i});
  auto records = records_of(points);
  BkdRecords(shape, records.data()).sort(100, 200, 0);
  const std::vector<Point> got = points_of(shape, records);
  EXPECT_TRUE(std::equal(got.begin(), got.begin() + 100, points.begin()));
  EXPECT_TRUE(std::equal(got.begin() + 200, got.end(), points.begin() + 200));
  EXPECT_EQ(std::vector<Point>(got.begin() + 100, got.begin() + 200),
            sorted(shape, 0, {points.begin() + 100, points.begin() + 200}));
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
    BkdRecords(shape, records.data()).sort(0, points.size(), 3);
    EXPECT_EQ(points_of(shape, records), sorted(shape, 3, points));
  }
}

}  // namespace
}  // namespace postern::codec
