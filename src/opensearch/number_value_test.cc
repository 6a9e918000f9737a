#include "opensearch/number_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace postern::opensearch {
namespace {

// Which values are taken and what they are is in values_test.cc; here, what becomes of them.

std::vector<uint8_t> point(NumberType type, std::string_view text) {
  const NumberValue value = parse_number(type, text, JsonScalar::kString, true);
  EXPECT_TRUE(value.ok()) << text;
  std::vector<uint8_t> bytes(point_bytes(type));
  pack_point(type, value.doc_value, bytes.data());
  return bytes;
}

using Bytes = std::vector<uint8_t>;

TEST(NumberValue, PointsAreSortableBytes) {
  EXPECT_EQ(point(NumberType::kByte, "-1"), (Bytes{0x7f, 0xff, 0xff, 0xff}));
  EXPECT_EQ(point(NumberType::kInteger, "1"), (Bytes{0x80, 0, 0, 1}));
  EXPECT_EQ(point(NumberType::kLong, "1"), (Bytes{0x80, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(point(NumberType::kHalfFloat, "1"), (Bytes{0xbc, 0x00}));
  EXPECT_EQ(point(NumberType::kHalfFloat, "-1"), (Bytes{0x43, 0xff}));
  EXPECT_EQ(point(NumberType::kFloat, "1"), (Bytes{0xbf, 0x80, 0, 0}));
  EXPECT_EQ(point(NumberType::kDouble, "1"), (Bytes{0xbf, 0xf0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(point(NumberType::kUnsignedLong, "18446744073709551615"),
            (Bytes{0x80, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}));
}

RC_GTEST_PROP(NumberValue, PointsSortAsNumbersDo, (double a, double b)) {
  const auto type = *rc::gen::element(NumberType::kHalfFloat, NumberType::kFloat,
                                      NumberType::kDouble, NumberType::kInteger);
  const std::string texts[] = {std::to_string(a), std::to_string(b)};
  Bytes points[2];
  NumberValue values[2];
  for (int i = 0; i < 2; ++i) {
    values[i] = parse_number(type, texts[i], JsonScalar::kNumber, true);
    if (!values[i].ok()) return;
    points[i].resize(point_bytes(type));
    pack_point(type, values[i].doc_value, points[i].data());
  }
  RC_ASSERT((points[0] < points[1]) == (values[0].doc_value < values[1].doc_value));
}

TEST(NumberValue, OneMessageForEachMistake) {
  const auto message = [](NumberType type, std::string_view text, JsonScalar scalar, bool coerce) {
    return explain(parse_number(type, text, scalar, coerce).problem, type);
  };
  EXPECT_EQ(message(NumberType::kByte, "128", JsonScalar::kNumber, true),
            "is out of range for the type byte");
  EXPECT_EQ(message(NumberType::kLong, "x", JsonScalar::kString, true),
            "is not taken as a number of type long");
  EXPECT_EQ(message(NumberType::kLong, "1.5", JsonScalar::kNumber, false),
            "has a fraction, which a field of type long without coerce does not take");
  EXPECT_EQ(message(NumberType::kHalfFloat, "65520", JsonScalar::kNumber, true),
            "is not a finite number of type half_float");
}

TEST(NumberValue, ThousandsOfDigitsAreRead) {
  const std::string zeros(5000, '0');
  EXPECT_EQ(parse_number(NumberType::kLong, zeros + "7", JsonScalar::kString, true).doc_value, 7);
  EXPECT_EQ(parse_number(NumberType::kLong, "7." + zeros, JsonScalar::kString, true).doc_value, 7);
  EXPECT_EQ(
      parse_number(NumberType::kUnsignedLong, "0." + zeros + "7e5001", JsonScalar::kString, true)
          .doc_value,
      7);
  EXPECT_EQ(parse_number(NumberType::kLong, "1" + zeros, JsonScalar::kString, true).problem,
            NumberProblem::kOutOfRange);
}

}  // namespace
}  // namespace postern::opensearch
