#include "opensearch/smile.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace postern::opensearch {
namespace {

// What is written behind the header.
template <class Write>
std::string written(Write&& write) {
  SmileWriter smile;
  write(smile);
  EXPECT_EQ(smile.out().substr(0, 4), ":)\n\x04");
  return smile.out().substr(4);
}

// The worked examples of the Smile format's specification for zigzag integers, and its tokens.
TEST(Smile, Integers) {
  const auto number = [](int64_t value) {
    return written([value](SmileWriter& smile) { smile.number(value); });
  };
  EXPECT_EQ(number(0), "\x24\x80");
  EXPECT_EQ(number(-1), "\x24\x81");
  EXPECT_EQ(number(31), "\x24\xBE");
  EXPECT_EQ(number(32), "\x24\x01\x80");
  EXPECT_EQ(number(-2147483648LL), "\x24\x1F\x7F\x7F\x7F\xBF");
  EXPECT_EQ(number(2147483648LL), std::string("\x25\x20\x00\x00\x00\x80", 6));
  EXPECT_EQ(number(std::numeric_limits<int64_t>::min()),
            "\x25\x03\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\xBF");
}

TEST(Smile, TextKeysAndBytes) {
  EXPECT_EQ(written([](SmileWriter& smile) {
              smile.begin_object();
              smile.key("k").text("v\xC3\xA9");
              smile.key("").text("");
              smile.key("b").bytes(std::string_view("\x00\xFC", 2));
              smile.end_object();
            }),
            std::string("\xFA\x34k\xFC\xE4v\xC3\xA9\xFC\x20\x20\x34"
                        "b\xFC\xFD\x82\x00\xFC\xFB",
                        19));
}

// -1.0 is BFF0 0000 0000 0000: 1 bit, then nine times seven.
TEST(Smile, TreesOfJson) {
  EXPECT_EQ(written([](SmileWriter& smile) {
              smile.value(input::parse_json(R"({"a":[null,true,false,1,-1.0,{}]})"));
            }),
            std::string("\xFA\x34"
                        "a\xFC\xF8\x21\x23\x22\x24\x82"
                        "\x29\x01\x3F\x78\x00\x00\x00\x00\x00\x00\x00"
                        "\xFA\xFB\xF9\xFB",
                        25));
}

}  // namespace
}  // namespace postern::opensearch
