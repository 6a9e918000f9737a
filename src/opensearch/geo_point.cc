#include "opensearch/geo_point.h"

#include <algorithm>
#include <cmath>

#include "base/sortable_bits.h"
#include "opensearch/java_number.h"

namespace postern::opensearch {
namespace {

constexpr std::string_view kGeohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz";
constexpr size_t kLongestGeohash = 12;

bool is_letter(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z';
}

// Whether `text` begins with `word`, which has capital letters only, in any case.
bool begins_with(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (!is_letter(text[i]) || (text[i] & ~0x20) != word[i]) return false;
  }
  return true;
}

bool contains_point(std::string_view text) {
  for (size_t i = 0; i + 5 <= text.size(); ++i) {
    if (begins_with(text.substr(i), "POINT")) return true;
  }
  return false;
}

// The tokens of WKT: words (numbers are words), and single characters.
class WktTokens {
 public:
  explicit WktTokens(std::string_view text) : rest_(text) {}

  // Empty at the end.
  std::string_view next() {
    skip_space();
    size_t length = 0;
    while (length < rest_.size() && is_word(rest_[length])) ++length;
    if (length == 0 && !rest_.empty()) length = 1;
    const std::string_view token = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return token;
  }

 private:
  static bool is_word(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  void skip_space() {
    const auto is_space = [](char c) {
      return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    };
    for (;;) {
      while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
      if (rest_.empty() || rest_[0] != '#') return;
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));  // a comment
    }
  }

  std::string_view rest_;
};

std::optional<GeoPoint> parse_wkt(std::string_view text) {
  WktTokens tokens(text);
  const std::string_view type = tokens.next();
  if (type.size() != 5 || !begins_with(type, "POINT")) return {};
  const std::string_view open = tokens.next();
  if (open.size() == 5 && begins_with(open, "EMPTY")) return GeoPoint{};
  if (open != "(") return {};
  const std::optional<double> lon = parse_java_double(tokens.next());
  const std::optional<double> lat = parse_java_double(tokens.next());
  if (!lon || !lat) return {};
  GeoPoint point{.lat = *lat, .lon = *lon};
  std::string_view close = tokens.next();
  if (close != ")") {
    if (!parse_java_double(close)) return {};
    point.has_z = true;
    close = tokens.next();
  }
  if (close != ")" || !is_valid(point)) return {};
  return point;
}

// "lat,lon[,z]"; commas at the end count for nothing.
std::optional<GeoPoint> parse_pair(std::string_view text) {
  while (!text.empty() && text.back() == ',') text.remove_suffix(1);
  std::array<double, 3> numbers{};
  size_t count = 0;
  for (bool more = true; more; ++count) {
    if (count == numbers.size()) return {};
    const size_t comma = text.find(',');
    const std::optional<double> number = parse_java_double(text.substr(0, comma));
    if (!number) return {};
    numbers[count] = *number;
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  if (count < 2) return {};
  return GeoPoint{.lat = numbers[0], .lon = numbers[1], .has_z = count == 3};
}

// Into (-180, 180].
double wrapped(double degrees) {
  double rest = std::fmod(degrees, 360);
  if (rest <= -180) rest += 360;
  return rest > 180 ? rest - 360 : rest;
}

int32_t encode(double degrees, double range) {
  const double scale = 0x1p32 / range;
  if (degrees == range / 2) degrees = std::nextafter(degrees, 0);
  return static_cast<int32_t>(std::floor(degrees * scale));
}

}  // namespace

std::optional<GeoPoint> parse_geo_point(std::string_view text) {
  if (contains_point(text)) return parse_wkt(text);
  if (text.find(',') != std::string_view::npos) return parse_pair(text);
  return parse_geohash(text);
}

std::optional<GeoPoint> parse_geohash(std::string_view text) {
  if (text.empty()) return {};
  text = text.substr(0, kLongestGeohash);
  GeoPoint point{.lat = -90, .lon = -180};
  double lat_step = 180;
  double lon_step = 360;
  bool even = true;  // bits belong to longitude and latitude in turns
  for (const char c : text) {
    const size_t digit = kGeohashDigits.find(c);
    if (digit == std::string_view::npos) return {};
    for (int bit = 4; bit >= 0; --bit, even = !even) {
      double& step = even ? lon_step : lat_step;
      step /= 2;
      if ((digit >> bit & 1) != 0) (even ? point.lon : point.lat) += step;
    }
  }
  return point;
}

std::optional<double> parse_coordinate(std::string_view text) { return parse_java_double(text); }

bool is_valid(const GeoPoint& point) {
  return point.lat >= -90 && point.lat <= 90 && point.lon >= -180 && point.lon <= 180;
}

std::optional<GeoPoint> normalized(const GeoPoint& point) {
  if (!std::isfinite(point.lat) || !std::isfinite(point.lon)) return {};
  GeoPoint result = point;
  if (point.lat < -90 || point.lat > 90) {
    result.lat = wrapped(point.lat);
    if (result.lat < -90 || result.lat > 90) {  // over a pole
      result.lat = (result.lat < 0 ? -180 : 180) - result.lat;
      result.lon = wrapped(result.lon + 180);
    }
  }
  if (result.lon < -180 || result.lon > 180) result.lon = wrapped(result.lon);
  return result;
}

int32_t encode_latitude(double degrees) { return encode(degrees, 180); }
int32_t encode_longitude(double degrees) { return encode(degrees, 360); }

int64_t geo_doc_value(const GeoPoint& point) {
  const auto lat = static_cast<uint32_t>(encode_latitude(point.lat));
  const auto lon = static_cast<uint32_t>(encode_longitude(point.lon));
  return static_cast<int64_t>(uint64_t{lat} << 32 | lon);
}

std::array<uint8_t, 8> geo_packed_point(const GeoPoint& point) {
  std::array<uint8_t, 8> packed{};
  pack_int(encode_latitude(point.lat), packed.data());
  pack_int(encode_longitude(point.lon), packed.data() + 4);
  return packed;
}

}  // namespace postern::opensearch
