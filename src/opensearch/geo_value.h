// Geographical points as documents have them beside text: objects and arrays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/json_cursor.h"
#include "opensearch/geo_point.h"

namespace postern::opensearch {

// What an object or array of a geo_point field says.
struct GeoReading {
  std::vector<GeoPoint> points;
  const char* problem = nullptr;  // then `points` are those before it
};

// Reads {"lat": …, "lon": …}, {"geohash": …}, {"type": "Point", "coordinates": [lon, lat]},
// [lon, lat] or an array of points. The value must have passed the checks of a walker over it.
void read_points(input::JsonCursor& cursor, input::ondemand::value& value, bool ignore_z,
                 GeoReading& reading);

// As Java writes a double.
std::string java_double(double value);

}  // namespace postern::opensearch
