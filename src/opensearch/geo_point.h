// Points on earth as text, as OpenSearch's `geo_point` fields take them, and Lucene's encoding
// (docs/formats/23 has its points; the scale is LatLonPoint's).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace postern::opensearch {

struct GeoPoint {
  double lat = 0;  // degrees
  double lon = 0;
  // A third number was there; it is no part of the value, and refused where `ignore_z_value` is
  // false.
  bool has_z = false;
};

// WKT "POINT (lon lat [z])" if the text has the word, "lat,lon[,z]" if it has a comma, else a
// geohash. Empty: none of these, or WKT out of range. The range of the others is not checked.
std::optional<GeoPoint> parse_geo_point(std::string_view text);
// What stands under "geohash" in an object: the corner of the cell that is least in both
// directions, of twelve characters at most.
std::optional<GeoPoint> parse_geohash(std::string_view text);
// A coordinate that an object gives as a string.
std::optional<double> parse_coordinate(std::string_view text);

// Latitude within [-90, 90] and longitude within [-180, 180], neither NaN: a field whose
// `ignore_malformed` is false refuses everything else.
bool is_valid(const GeoPoint& point);
// What a field whose `ignore_malformed` is true does instead: the point reached by going on around
// the earth. Empty if a coordinate is not finite: the value is ignored.
std::optional<GeoPoint> normalized(const GeoPoint& point);

// Lucene's 32 bits of a coordinate: floor(degrees * 2^32 / 180 or 360), the upper end one less.
// Require is_valid.
int32_t encode_latitude(double degrees);
int32_t encode_longitude(double degrees);

// The value of the field's sorted_numeric doc values: latitude in the upper 32 bits.
int64_t geo_doc_value(const GeoPoint& point);
// The packed value of the field's point: 2 dimensions of 4 bytes, latitude first.
std::array<uint8_t, 8> geo_packed_point(const GeoPoint& point);

}  // namespace postern::opensearch
