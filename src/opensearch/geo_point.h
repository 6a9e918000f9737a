// Points on earth as text, as OpenSearch's `geo_point` fields take them, and Lucene's encoding.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace postern::opensearch {

// Degrees.
struct GeoPoint {
  double lat = 0;
  double lon = 0;
};

// "lat,lon" (and a third number, which is ignored), WKT "POINT (lon lat)", else a geohash. Empty:
// none of these. Does not check the range.
std::optional<GeoPoint> parse_geo_point(std::string_view text);
// What stands under "geohash" in an object.
std::optional<GeoPoint> parse_geohash(std::string_view text);
// A coordinate that is given as a string in an object.
std::optional<double> parse_coordinate(std::string_view text);

// Latitude within [-90, 90] and longitude within [-180, 180], neither NaN: everything else is
// refused by a field whose `ignore_malformed` is false.
bool is_valid(const GeoPoint& point);

// Lucene's 32 bits of a coordinate: floor(degrees * 2^32 / 180 or 360), the upper end one less.
// Require is_valid.
int32_t encode_latitude(double degrees);
int32_t encode_longitude(double degrees);

// The value of the field's sorted_numeric doc values: latitude in the upper 32 bits.
int64_t geo_doc_value(const GeoPoint& point);
// The packed value of the field's point: 2 dimensions of 4 bytes, latitude first.
std::array<uint8_t, 8> geo_packed_point(const GeoPoint& point);

}  // namespace postern::opensearch
