#include "opensearch/geo_point.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/bytes.h"

namespace postern::opensearch {
namespace {

// Which texts are points is in values_test.cc.

TEST(GeoPoint, EncodingSpansThirtyTwoBits) {
  constexpr auto kMin = std::numeric_limits<int32_t>::min();
  constexpr auto kMax = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(encode_latitude(-90), kMin);
  EXPECT_EQ(encode_latitude(90), kMax);
  EXPECT_EQ(encode_longitude(-180), kMin);
  EXPECT_EQ(encode_longitude(180), kMax);
  EXPECT_EQ(encode_latitude(0), 0);
  EXPECT_EQ(encode_longitude(-1e-9), -1);
}

TEST(GeoPoint, AThirdNumberIsTold) {
  EXPECT_FALSE(parse_geo_point("1,2")->has_z);
  EXPECT_TRUE(parse_geo_point("1,2,3")->has_z);
  EXPECT_FALSE(parse_geo_point("POINT (1 2)")->has_z);
  EXPECT_TRUE(parse_geo_point("POINT (1 2 3)")->has_z);
}

RC_GTEST_PROP(GeoPoint, DocValueAndPointAreTheTwoNumbers, ()) {
  const GeoPoint point{.lat = *rc::gen::inRange(-90000, 90001) / 1000.0,
                       .lon = *rc::gen::inRange(-180000, 180001) / 1000.0};
  RC_ASSERT(is_valid(point));
  const int64_t value = geo_doc_value(point);
  RC_ASSERT(static_cast<int32_t>(value >> 32) == encode_latitude(point.lat));
  RC_ASSERT(static_cast<int32_t>(value) == encode_longitude(point.lon));
  const auto packed = geo_packed_point(point);
  RC_ASSERT((load_be64(packed.data()) ^ 0x8000000080000000u) == static_cast<uint64_t>(value));
}

TEST(GeoPoint, NothingOutsideTheEarthIsValid) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_valid({.lat = kNaN, .lon = 0}));
  EXPECT_FALSE(is_valid({.lat = 0, .lon = kNaN}));
  EXPECT_FALSE(is_valid({.lat = 90.1, .lon = 0}));
  EXPECT_FALSE(is_valid({.lat = 0, .lon = -180.1}));
  EXPECT_FALSE(normalized({.lat = kNaN, .lon = 0}));
  EXPECT_FALSE(normalized({.lat = 0, .lon = std::numeric_limits<double>::infinity()}));
}

RC_GTEST_PROP(GeoPoint, NormalizedPointsAreValid, (double lat, double lon)) {
  const auto point = normalized({.lat = lat, .lon = lon});
  if (point) RC_ASSERT(is_valid(*point));
}

}  // namespace
}  // namespace postern::opensearch
