#include "input/text_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "base/utf8.h"
#include "input/errors.h"

namespace postern::input {
namespace {

struct FloatingCase {
  const char* text;
  const char* as_double;  // IEEE bits, or "-" when refused
  const char* as_float;
};

// What Double.valueOf and Float.valueOf of Java 25 answer.
constexpr FloatingCase kFloating[] = {
    {"0", "0000000000000000", "00000000"},
    {"-0", "8000000000000000", "80000000"},
    {"-0.0", "8000000000000000", "80000000"},
    {"+1", "3ff0000000000000", "3f800000"},
    {"1.", "3ff0000000000000", "3f800000"},
    {"1.5", "3ff8000000000000", "3fc00000"},
    {".5", "3fe0000000000000", "3f000000"},
    {"-.5e1", "c014000000000000", "c0a00000"},
    {"1e5", "40f86a0000000000", "47c35000"},
    {"1E-5", "3ee4f8b588e368f1", "3727c5ac"},
    {"1e400", "7ff0000000000000", "7f800000"},
    {"-1e400", "fff0000000000000", "ff800000"},
    {"1e-400", "0000000000000000", "00000000"},
    {"-1e-400", "8000000000000000", "80000000"},
    {"4.9e-324", "0000000000000001", "00000000"},
    {"2.4703282292062327e-324", "0000000000000000", "00000000"},
    {"2.4703282292062328e-324", "0000000000000001", "00000000"},
    {"1.7976931348623157e308", "7fefffffffffffff", "7f800000"},
    {"1.7976931348623158e308", "7fefffffffffffff", "7f800000"},
    {"1.7976931348623159e308", "7ff0000000000000", "7f800000"},
    {"2.2250738585072011e-308", "000fffffffffffff", "00000000"},
    {"9007199254740993", "4340000000000000", "5a000000"},
    {"0.1", "3fb999999999999a", "3dcccccd"},
    {"3.4028235e38", "47efffffe54daff8", "7f7fffff"},
    {"3.4028236e38", "47effffff514a7bc", "7f800000"},
    {"1.4e-45", "369ff868bf4d956a", "00000001"},
    {"7.0e-46", "368ff868bf4d956a", "00000000"},
    {"7.1e-46", "369036aa2680f22c", "00000001"},
    {"16777217", "4170000010000000", "4b800000"},
    {"NaN", "7ff8000000000000", "7fc00000"},
    {"-NaN", "7ff8000000000000", "7fc00000"},
    {"+NaN", "7ff8000000000000", "7fc00000"},
    {"Infinity", "7ff0000000000000", "7f800000"},
    {"-Infinity", "fff0000000000000", "ff800000"},
    {"+Infinity", "7ff0000000000000", "7f800000"},
    {"infinity", "-", "-"},
    {"nan", "-", "-"},
    {"inf", "-", "-"},
    {" 1 ", "3ff0000000000000", "3f800000"},
    {"\t1\n", "3ff0000000000000", "3f800000"},
    {"1 2", "-", "-"},
    {"", "-", "-"},
    {"-", "-", "-"},
    {"+", "-", "-"},
    {".", "-", "-"},
    {"e5", "-", "-"},
    {"1e", "-", "-"},
    {"1e+", "-", "-"},
    {"0x1p3", "4020000000000000", "41000000"},
    {"-0x1.8p1", "c008000000000000", "c0400000"},
    {"0x1", "-", "-"},
    {"0x.8p0", "3fe0000000000000", "3f000000"},
    {"0x1.p0", "3ff0000000000000", "3f800000"},
    {"0xp1", "-", "-"},
    {"0x1p", "-", "-"},
    {"0x1p-1080", "0000000000000000", "00000000"},
    {"0x1p-1074", "0000000000000001", "00000000"},
    {"0x1p2000", "7ff0000000000000", "7f800000"},
    {"0x1.fffffffffffff8p1023", "7ff0000000000000", "7f800000"},
    {"0x1.8p3d", "4028000000000000", "41400000"},
    {"0x1fp0f", "403f000000000000", "41f80000"},
    {"1f", "3ff0000000000000", "3f800000"},
    {"1d", "3ff0000000000000", "3f800000"},
    {"1.5F", "3ff8000000000000", "3fc00000"},
    {"1e3D", "408f400000000000", "447a0000"},
    {"1dd", "-", "-"},
    {"1_0", "-", "-"},
    {"--1", "-", "-"},
    {"+-1", "-", "-"},
    {"1e99999999999", "7ff0000000000000", "7f800000"},
    {"-1e-99999999999", "8000000000000000", "80000000"},
    {"0e99999999999", "0000000000000000", "00000000"},
    {"123456789012345678901234567890", "45f8ee90ff6c373e", "6fc77488"},
    {"0.30000001192092896", "3fd3333340000000", "3e99999a"},
    {"0.300000012", "3fd333334015bc21", "3e99999a"},
    {"1e23", "44b52d02c7e14af6", "65a96816"},
    {"8.5e22", "44b1ffdbf6b2b2eb", "658ffee0"},
    {"1e-45", "3696d601ad376ab9", "00000001"},
    {"00012", "4028000000000000", "41400000"},
    {"0012.50", "4029000000000000", "41480000"},
};

TEST(TextValues, FloatingPointEqualsJava) {
  for (const auto& c : kFloating) {
    const auto d = parse_double(c.text);
    const auto f = parse_float(c.text);
    EXPECT_EQ(d ? fmt::format("{:016x}", std::bit_cast<uint64_t>(*d)) : "-", c.as_double) << c.text;
    EXPECT_EQ(f ? fmt::format("{:08x}", std::bit_cast<uint32_t>(*f)) : "-", c.as_float) << c.text;
  }
}

struct IntegerCase {
  const char* text;
  const char* as_int;  // "-" when refused
  const char* as_long;
};

// What Integer.valueOf and Long.valueOf of Java 25 answer.
constexpr IntegerCase kIntegers[] = {
    {"0", "0", "0"},
    {"-0", "0", "0"},
    {"+0", "0", "0"},
    {"+5", "5", "5"},
    {"-5", "-5", "-5"},
    {"2147483647", "2147483647", "2147483647"},
    {"2147483648", "-", "2147483648"},
    {"-2147483648", "-2147483648", "-2147483648"},
    {"-2147483649", "-", "-2147483649"},
    {"9223372036854775807", "-", "9223372036854775807"},
    {"9223372036854775808", "-", "-"},
    {"-9223372036854775808", "-", "-9223372036854775808"},
    {"-9223372036854775809", "-", "-"},
    {"1.0", "-", "-"},
    {"1e3", "-", "-"},
    {"", "-", "-"},
    {" 1", "-", "-"},
    {"1 ", "-", "-"},
    {"+", "-", "-"},
    {"-", "-", "-"},
    {"+-1", "-", "-"},
    {"-+1", "-", "-"},
    {"0x10", "-", "-"},
    {"007", "7", "7"},
    {"99999999999999999999", "-", "-"},
};

TEST(TextValues, IntegersEqualJava) {
  for (const auto& c : kIntegers) {
    const auto i = parse_int(c.text);
    const auto l = parse_long(c.text);
    EXPECT_EQ(i ? std::to_string(*i) : "-", c.as_int) << c.text;
    EXPECT_EQ(l ? std::to_string(*l) : "-", c.as_long) << c.text;
  }
}

struct Base64Case {
  const char* text;
  const char* bytes;  // in hexadecimal, or "-" when refused
};

// What Base64.getDecoder of Java 25 answers.
constexpr Base64Case kBase64[] = {
    {"", ""},
    {"QQ==", "41"},
    {"QQ", "41"},
    {"QUI=", "4142"},
    {"QUI", "4142"},
    {"QUJD", "414243"},
    {"QQ=", "-"},
    {"Q", "-"},
    {"QUJ=", "4142"},
    {"QQ==QQ==", "-"},
    {"QR==", "41"},
    {"Q Q=", "-"},
    {"QQ==\n", "-"},
    {"+/+/", "fbffbf"},
    {"-_-_", "-"},
    {"====", "-"},
    {"QUJDRA==", "41424344"},
    {"QUJDRA=", "-"},
    {"QUJDR", "-"},
    {"Q===", "-"},
    {"QUJD=", "-"},
    {"QUJD==", "-"},
};

TEST(TextValues, Base64EqualsJava) {
  Scratch scratch;
  for (const auto& c : kBase64) {
    std::string bytes;
    try {
      for (char byte : decode_base64(c.text, scratch)) {
        bytes += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      }
    } catch (const BadValue&) {
      bytes = "-";
    }
    EXPECT_EQ(bytes, c.bytes) << c.text;
  }
}

std::string unescaped(std::string_view body) {
  Scratch scratch;
  return std::string(unescape(body, scratch));
}

TEST(TextValues, EscapesOfJson) {
  EXPECT_EQ(unescaped(R"(a\"\\\/\b\f\n\r\tz)"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(unescaped(R"(\u0041\u00e9\u20AC\uffff)"), "A\xC3\xA9\xE2\x82\xAC\xEF\xBF\xBF");
  EXPECT_EQ(unescaped(R"(x\u0000y)"), std::string("x\0y", 3));
}

TEST(TextValues, SurrogateEscapesPairUpOrStayAlone) {
  EXPECT_EQ(unescaped(R"(\ud83d\ude00)"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(unescaped(R"(\uD83D)"), "\xED\xA0\xBD");
  EXPECT_EQ(unescaped(R"(\uDE00\uD83D)"), "\xED\xB8\x80\xED\xA0\xBD");
  EXPECT_EQ(unescaped(R"(\uD83D\uD83D\uDE00)"), "\xED\xA0\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(unescaped(R"(\uD83Dx\uDE00)"), "\xED\xA0\xBDx\xED\xB8\x80");
  EXPECT_EQ(unescaped(R"(\uDBFF\uDFFF)"), "\xF4\x8F\xBF\xBF");
}

TEST(TextValues, BadEscapesAreRefused) {
  for (const char* body :
       {R"(\x)", R"(\u12)", R"(\u12g4)", R"(\U0041)", R"(\u-123)", R"(\0)", "\\"}) {
    EXPECT_THROW(unescaped(body), BadValue) << body;
  }
}

TEST(TextValues, TextWithoutEscapesIsNotCopied) {
  Scratch scratch;
  const std::string_view body = "plain \xC3\xA9";
  EXPECT_EQ(unescape(body, scratch).data(), body.data());
}

TEST(TextValues, LoneSurrogatesBecomeReplacementCharacters) {
  Scratch scratch;
  EXPECT_EQ(without_surrogates("a\xED\xA0\xBDz", scratch), "a\xEF\xBF\xBDz");
  EXPECT_EQ(without_surrogates("\xF0\x9F\x98\x80", scratch), "\xF0\x9F\x98\x80");
}

TEST(TextValues, NumbersInTheGrammarOfJson) {
  for (const char* good : {"0", "-0", "1", "10", "1.5", "-1.5e10", "1E+5", "1e-5", "0.0", "0e0"}) {
    EXPECT_TRUE(is_json_number(good)) << good;
  }
  for (const char* bad :
       {"", "-", "01", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "1 ", "1.5.2", "--1"}) {
    EXPECT_FALSE(is_json_number(bad)) << bad;
  }
}

TEST(TextValues, PlaceOfInvalidUtf8) {
  EXPECT_EQ(find_invalid_utf8("abc\xC3\xA9"), kNoError);
  EXPECT_EQ(find_invalid_utf8("ab\xFF"), 2u);
  EXPECT_EQ(find_invalid_utf8("ab\xC3"), 2u);
  EXPECT_EQ(find_invalid_utf8("\xC0\x80"), 0u);
  EXPECT_EQ(find_invalid_utf8("x\xF4\x90\x80\x80"), 1u);
  EXPECT_EQ(find_invalid_utf8("\xED\x9F\xBFx\xED\xA0\x80"), 4u);  // a surrogate is none
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80\xFF"), 0u);
}

TEST(Scratch, ValuesKeepTheirPlaceAndPadding) {
  Scratch scratch;
  for (int round = 0; round < 3; ++round) {
    std::string_view first;
    for (size_t n : {1u, 100u, 70000u, 5u, 200000u, 0u}) {
      char* p = scratch.allocate(n);
      for (size_t i = 0; i < n; ++i) p[i] = static_cast<char>('a' + round);
      volatile char padding = p[n + kTermPadding - 1];
      (void)padding;
      if (first.empty()) first = {p, n};
    }
    EXPECT_EQ(first, std::string(1, static_cast<char>('a' + round)));
    scratch.clear();
  }
}

}  // namespace
}  // namespace postern::input
