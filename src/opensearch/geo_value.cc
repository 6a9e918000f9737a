#include "opensearch/geo_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "input/text_values.h"

namespace postern::opensearch {

namespace ondemand = input::ondemand;
using input::check;
using input::JsonCursor;
using input::taken;
using input::token_of;

namespace {

struct Reader {
  JsonCursor& cursor;
  bool ignore_z;
  const char* problem = nullptr;

  void fail(const char* why) {
    if (problem == nullptr) problem = why;
  }

  std::optional<double> coordinate(ondemand::value& value, bool may_be_string) {
    const std::string_view token = token_of(value);
    if (may_be_string && token.starts_with('"')) {
      return parse_coordinate(cursor.take_string(value, "coordinate"));
    }
    if (input::is_json_number(token)) return input::parse_double(token);
    skip(value);
    return std::nullopt;
  }

  // The grammar below a value that means nothing here.
  void skip(ondemand::value& value) {
    const std::string_view token = token_of(value);
    if (token == "{") {
      auto object = taken<ondemand::object>(value.get_object());
      for (auto&& result : object) {
        auto field = taken<ondemand::field>(std::move(result));
        cursor.key(field);
        skip(field.value());
      }
    } else if (token == "[") {
      auto array = taken<ondemand::array>(value.get_array());
      for (auto&& result : array) {
        auto element = taken<ondemand::value>(std::move(result));
        skip(element);
      }
    } else if (token.starts_with('"')) {
      cursor.take_string(value, "value");
    } else if (token != "null" && token != "true" && token != "false" &&
               !input::is_json_number(token)) {
      cursor.malformed("not a value", token.data());
    }
  }

  // What follows the first number of [lon, lat], with up to one more. `lat_may_be_string`: so it is
  // in an array that is the field's whole value, and nowhere else.
  template <class Iterator, class End>
  std::optional<GeoPoint> pair(double lon, Iterator& at, const End& end, bool lat_may_be_string) {
    std::array<double, 3> numbers{lon, 0, 0};
    size_t count = 1;
    bool bad = false;
    for (; at != end; ++at) {
      auto element = taken<ondemand::value>(*at);
      const auto number = coordinate(element, lat_may_be_string && count == 1);
      if (count == numbers.size() || !number) {
        bad = true;
        continue;
      }
      numbers[count++] = *number;
    }
    if (bad || count < 2) {
      fail("not two numbers, longitude and latitude");
      return std::nullopt;
    }
    if (count == 3 && !ignore_z) {
      fail("a third number, and ignore_z_value is false");
      return std::nullopt;
    }
    return GeoPoint{numbers[1], numbers[0]};
  }

  std::optional<GeoPoint> array_point(ondemand::value& value) {
    auto array = taken<ondemand::array>(value.get_array());
    auto at = taken<ondemand::array_iterator>(array.begin());
    const auto end = taken<ondemand::array_iterator>(array.end());
    if (!(at != end)) {
      fail("not two numbers, longitude and latitude");
      return std::nullopt;
    }
    auto first = taken<ondemand::value>(*at);
    const auto lon = coordinate(first, false);
    ++at;
    if (!lon) {
      fail("not two numbers, longitude and latitude");
      for (; at != end; ++at) {
        auto rest = taken<ondemand::value>(*at);
        skip(rest);
      }
      return std::nullopt;
    }
    return pair(*lon, at, end, false);
  }

  std::optional<GeoPoint> object(ondemand::value& value) {
    auto object = taken<ondemand::object>(value.get_object());
    std::optional<double> lat;
    std::optional<double> lon;
    std::optional<GeoPoint> other;  // of a geohash or of GeoJSON
    bool is_point = true;
    size_t keys = 0;
    unsigned seen = 0;
    for (auto&& result : object) {
      auto field = taken<ondemand::field>(std::move(result));
      const std::string_view key = cursor.key(field);
      ++keys;
      auto once = [&](unsigned bit) {
        if ((seen & bit) != 0) throw input::BadValue("a key is there twice in one object");
        seen |= bit;
      };
      if (key == "lat") {
        once(1);
        lat = coordinate(field.value(), true);
        if (!lat) fail("lat must be a number");
      } else if (key == "lon") {
        once(2);
        lon = coordinate(field.value(), true);
        if (!lon) fail("lon must be a number");
      } else if (key == "geohash" && token_of(field.value()).starts_with('"')) {
        once(4);
        other = parse_geohash(cursor.take_string(field.value(), key));
        if (!other) fail("not a geohash");
      } else if (key == "type" && token_of(field.value()).starts_with('"')) {
        once(8);
        const std::string_view type = cursor.take_string(field.value(), key);
        is_point = type.size() == 5 && std::ranges::equal(type, std::string_view("point"), {},
                                                          [](char c) { return char(c | 0x20); });
        if (!is_point) fail("type must be Point");
      } else if (key == "coordinates" && token_of(field.value()) == "[") {
        once(16);
        other = array_point(field.value());
      } else {
        fail("its keys must be lat and lon, or geohash, or type and coordinates");
        skip(field.value());
      }
    }
    if (problem != nullptr) return std::nullopt;
    if (seen == 3) return GeoPoint{*lat, *lon};
    if (seen == 4 || seen == 24) return other;
    fail(keys == 0 ? "an empty object"
                   : "its keys must be lat and lon, or geohash, or type and coordinates");
    return std::nullopt;
  }

  // An element of an array of points.
  std::optional<GeoPoint> point(ondemand::value& value) {
    const std::string_view token = token_of(value);
    if (token == "{") return object(value);
    if (token == "[") return array_point(value);
    if (token.starts_with('"')) {
      const std::string_view text = cursor.take_string(value, "point");
      const auto parsed = parse_geo_point(text);
      if (!parsed) fail("not a point");
      if (!parsed || ignore_z || !parsed->has_z) return parsed;
      fail("a third number, and ignore_z_value is false");
      return std::nullopt;
    }
    skip(value);
    fail("a point expected");
    return std::nullopt;
  }
};

}  // namespace

void read_points(JsonCursor& cursor, ondemand::value& value, bool ignore_z, GeoReading& reading) {
  Reader reader{cursor, ignore_z};
  // OpenSearch drops the points before one that it cannot read, and takes those behind it.
  auto take = [&](std::optional<GeoPoint> point) {
    if (point) {
      reading.points.push_back(*point);
      return;
    }
    if (reading.problem == nullptr) {
      reading.points.clear();
      reading.problem = reader.problem;
    }
    reader.problem = nullptr;
  };
  if (token_of(value) == "{") return take(reader.object(value));
  auto array = taken<ondemand::array>(value.get_array());
  auto at = taken<ondemand::array_iterator>(array.begin());
  const auto end = taken<ondemand::array_iterator>(array.end());
  bool first = true;
  for (; at != end; ++at) {
    auto element = taken<ondemand::value>(*at);
    if (first && input::is_json_number(token_of(element))) {
      const auto lon = reader.coordinate(element, false);
      ++at;
      return take(reader.pair(*lon, at, end, true));
    }
    first = false;
    take(reader.point(element));
  }
}

std::string java_double(double value) {
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  const double size = std::fabs(value);
  char buffer[64];
  if (size >= 1e-3 && size < 1e7) {
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
    std::string text(buffer, end.ptr);
    if (text.find('.') == text.npos) text += ".0";
    return text;
  }
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string text(buffer, end.ptr);
  const size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  if (digits.find('.') == digits.npos) digits += ".0";
  return fmt::format("{}E{}", digits, std::atoi(text.c_str() + e + 1));
}

}  // namespace postern::opensearch
