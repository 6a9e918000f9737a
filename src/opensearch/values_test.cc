// Single values against what a node made of them: tests/data/opensearch/values.jsonl, or the file
// that POSTERN_OPENSEARCH_VALUES names (tests/opensearch/test_values.py says what is in it).
#include <gtest/gtest.h>
#include <simdjson.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/bytes.h"
#include "opensearch/date_format.h"
#include "opensearch/geo_point.h"
#include "opensearch/ip_address.h"
#include "opensearch/number_value.h"
#include "test_paths/golden.h"

namespace postern::opensearch {
namespace {

const char* const kRefused = "refused";

std::string values_file() {
  const char* file = std::getenv("POSTERN_OPENSEARCH_VALUES");
  return file != nullptr ? file
                         : std::string(POSTERN_GOLDEN_FOLDER) + "/../data/opensearch/values.jsonl";
}

double number_in(std::string_view text) {
  double value = 0;
  if (text.starts_with('-')) return -number_in(text.substr(1));
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(result.ec == std::errc{} && result.ptr == text.data() + text.size()) << text;
  return value;
}

// What a reader of the doc value sees.
double real_of(NumberType type, int64_t doc_value) {
  if (type == NumberType::kDouble) {
    return std::bit_cast<double>(doc_value ^ (doc_value >> 63 & 0x7fffffffffffffff));
  }
  if (type == NumberType::kFloat) {
    const auto bits = static_cast<int32_t>(doc_value);
    EXPECT_EQ(bits, doc_value);
    return std::bit_cast<float>(bits ^ (bits >> 31 & 0x7fffffff));
  }
  const auto bits = static_cast<int16_t>(doc_value);
  EXPECT_EQ(bits, doc_value);
  const int half = bits ^ (bits >> 15 & 0x7fff);
  const int exponent = half >> 10 & 31;
  const double mantissa = half & 1023;
  const double value =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return half < 0 ? -value : value;
}

class Field {
 public:
  explicit Field(const simdjson::dom::object& mapping) : type_(std::string_view(mapping["type"])) {
    coerce_ = flag(mapping, "coerce", true);
    ignore_malformed_ = flag(mapping, "ignore_malformed", false);
    std::string_view format;
    if (mapping["format"].get(format) != simdjson::SUCCESS) format = DateFormat::kDefault;
    if (type_.starts_with("date")) date_ = DateFormat::compile(format);
    name_ = simdjson::to_string(mapping);
  }

  void check(std::string_view text, JsonScalar scalar, const simdjson::dom::element& expected) {
    const bool refused = expected.is_null();
    const std::string result = refused ? kRefused : std::string(std::string_view(expected));
    if (type_.starts_with("date")) {
      same(result, date(text), text);
    } else if (type_ == "ip") {
      same(result, ip(text), text);
    } else if (type_ == "geo_point") {
      same_point(result, text);
    } else {
      same_number(result, text, scalar);
    }
  }

 private:
  static bool flag(const simdjson::dom::object& mapping, const char* key, bool other) {
    bool value = other;
    return mapping[key].get(value) == simdjson::SUCCESS ? value : other;
  }

  void same(const std::string& expected, const std::string& found, std::string_view text) const {
    EXPECT_EQ(expected, found) << name_ << " of \"" << text << "\"";
  }

  std::string date(std::string_view text) const {
    const auto unit =
        type_ == "date" ? DateResolution::kMilliseconds : DateResolution::kNanoseconds;
    const auto value = date_->parse(text, unit);
    return value ? std::to_string(*value) : kRefused;
  }

  static std::string ip(std::string_view text) {
    const auto bytes = parse_ip(text);
    if (!bytes) return kRefused;
    std::string hex;
    for (const uint8_t byte : *bytes) {
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
    return hex;
  }

  void same_point(const std::string& expected, std::string_view text) const {
    std::optional<GeoPoint> point = parse_geo_point(text);
    if (point && ignore_malformed_) point = normalized(*point);
    if (!point || !is_valid(*point)) return same(expected, ignore_malformed_ ? "" : kRefused, text);
    const size_t comma = expected.find(", ");
    ASSERT_NE(comma, std::string::npos) << name_ << " of \"" << text << "\", " << expected;
    const int64_t value = geo_doc_value(*point);
    const auto lat = static_cast<int32_t>(value >> 32);
    const auto lon = static_cast<int32_t>(value);
    EXPECT_EQ(number_in(expected.substr(0, comma)), lat * (180 / 0x1p32)) << text;
    EXPECT_EQ(number_in(expected.substr(comma + 2)), lon * (360 / 0x1p32)) << text;
    const auto packed = geo_packed_point(*point);
    EXPECT_EQ(load_be32(packed.data()) ^ 0x80000000u, static_cast<uint32_t>(lat)) << text;
    EXPECT_EQ(load_be32(packed.data() + 4) ^ 0x80000000u, static_cast<uint32_t>(lon)) << text;
  }

  NumberType number_type() const {
    for (int i = 0; i < 8; ++i) {
      if (type_ == name_of(static_cast<NumberType>(i))) return static_cast<NumberType>(i);
    }
    ADD_FAILURE() << type_;
    return NumberType::kLong;
  }

  void same_number(const std::string& expected, std::string_view text, JsonScalar scalar) const {
    const NumberType type = number_type();
    const NumberValue value = parse_number(type, text, scalar, coerce_);
    if (!value.ok()) {
      same(expected, value.problem == NumberProblem::kEmpty ? "" : kRefused, text);
    } else if (type < NumberType::kUnsignedLong) {
      same(expected, std::to_string(value.doc_value), text);
    } else if (type == NumberType::kUnsignedLong) {
      same(expected, std::to_string(static_cast<uint64_t>(value.doc_value)), text);
    } else {
      ASSERT_NE(expected, kRefused) << name_ << " of \"" << text << "\"";
      ASSERT_NE(expected, "") << name_ << " of \"" << text << "\"";
      EXPECT_EQ(std::bit_cast<int64_t>(number_in(expected)),
                std::bit_cast<int64_t>(real_of(type, value.doc_value)))
          << name_ << " of \"" << text << "\": " << expected;
    }
  }

  std::string type_;
  std::string name_;
  bool coerce_ = true;
  bool ignore_malformed_ = false;
  std::optional<DateFormat> date_;
};

TEST(OpenSearchValues, AreWhatANodeMakesOfThem) {
  simdjson::dom::parser parser;
  simdjson::padded_string content = simdjson::padded_string::load(values_file());
  simdjson::dom::document_stream lines = parser.parse_many(content, 1 << 20);
  size_t values = 0;
  for (const simdjson::dom::element line : lines) {
    Field field(line["mapping"]);
    for (const auto& [key, scalar] :
         {std::pair{"strings", JsonScalar::kString}, std::pair{"numbers", JsonScalar::kNumber}}) {
      for (const simdjson::dom::element one : simdjson::dom::array(line[key])) {
        field.check(one.at(0), scalar, one.at(1));
        ++values;
      }
    }
  }
  EXPECT_GT(values, 2000u);
}

}  // namespace
}  // namespace postern::opensearch
