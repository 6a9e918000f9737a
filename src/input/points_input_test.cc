// Points of several dimensions in JSON Lines. Expected bytes: docs/formats/23 §6.
#include <gtest/gtest.h>

#include "input/test_support.h"

namespace postern::input {
namespace {

class PointsInput : public testing::Test {
 protected:
  std::string one(std::string_view line) {
    const Steps steps = read_text(InputKind::kJsonLines, *schema_, line, {});
    return steps.size() == 1 ? steps[0] : fmt::format("{} steps", steps.size());
  }

  std::unique_ptr<Schema> schema_ = Schema::parse(
      R"({"fields": [{"name": "xy", "type": "int", "dims": 2},
                     {"name": "d", "type": "double", "dims": 2}]})",
      "schema");
};

TEST_F(PointsInput, OneOrSeveralPointsOfNumbersOrStrings) {
  EXPECT_EQ(one(R"({"xy": [1, "-1"]})"), "xy=bytes:<80><00><00><01><7F><FF><FF><FF>");
  EXPECT_EQ(one(R"({"xy": [[0, 256], null, [2147483647, -2147483648]]})"),
            "xy=bytes:<80><00><00><00><80><00><01><00> "
            "xy=bytes:<FF><FF><FF><FF><00><00><00><00>");
  EXPECT_EQ(one(R"({"d": [0.0, -0.0]})"),
            "d=bytes:<80><00><00><00><00><00><00><00><7F><FF><FF><FF><FF><FF><FF><FF>");
  EXPECT_EQ(one(R"({"xy": [], "d": null})"), "");
}

TEST_F(PointsInput, WrongShapesSayWhatTheFieldTakes) {
  EXPECT_NE(one(R"({"xy": [1]})").find("a point of 1 numbers; the field has 2 dimensions"),
            std::string::npos);
  EXPECT_NE(
      one(R"({"xy": [1, 2, 3]})").find("a point of 3 numbers or more; the field has 2 dimensions"),
      std::string::npos);
  EXPECT_NE(one(R"({"xy": [[1, 2], 3]})").find("not an array of 2 numbers: 3"), std::string::npos);
  EXPECT_NE(one(R"({"xy": 7})").find("not an array of 2 numbers: \"7\""), std::string::npos);
  EXPECT_NE(one(R"({"xy": [1, 2.5]})").find("not an int: \"2.5\""), std::string::npos);
  EXPECT_NE(one(R"({"xy": [1, null]})").find("not a number: null"), std::string::npos);
  EXPECT_NE(one(R"({"xy": [1, [2]]})").find("not a number"), std::string::npos);
}

}  // namespace
}  // namespace postern::input
