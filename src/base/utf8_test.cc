#include "base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <codecvt>
#include <locale>

namespace postern {
namespace {

using namespace std::string_literals;

TEST(Utf8, AcceptsEveryCodePointAndRefusesBadSequences) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    std::string s = "x";
    if (c < 0x80)
      s += static_cast<char>(c);
    else if (c < 0x800)
      s += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
    else if (c < 0x10000)
      s += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
            static_cast<char>(0x80 | (c & 63))};
    else
      s += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
            static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))};
    ASSERT_EQ(find_malformed_utf8(s), kNoError) << static_cast<uint32_t>(c);
    ASSERT_EQ(has_surrogates(s), c >= 0xD800 && c < 0xE000) << static_cast<uint32_t>(c);
    ASSERT_EQ(utf16_length(s), c >= 0x10000 ? 3u : 2u);
  }
  for (const std::string& bad :
       {"\x80"s, "\xC0\x80"s, "\xC1\xBF"s, "\xE0\x9F\xBF"s, "\xF0\x8F\xBF\xBF"s,
        "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF"s, "\xC3"s, "\xE2\x82"s, "\xF0\x9F\x98"s,
        "\xC3(\x80"s, "\xED\xA0\xBD\xED\xB8\x80"s}) {
    for (size_t before : {0, 1, 31, 32, 33, 100}) {
      size_t at = find_malformed_utf8(std::string(before, 'a') + bad);
      ASSERT_NE(at, kNoError);
      ASSERT_GE(at, before);
      ASSERT_LE(at, before + 3);
    }
  }
}

TEST(Utf8, OneBadByteIsFoundWhereverItStands) {
  for (size_t size = 0; size < 80; ++size) {
    std::string text(size, 'a');
    EXPECT_EQ(find_malformed_utf8(text), kNoError) << size;
    for (size_t at = 0; at < size; ++at) {
      for (char bad : {'\x80', '\xFF', '\xC3'}) {
        std::string broken = text;
        broken[at] = bad;
        EXPECT_EQ(find_malformed_utf8(broken), at) << size;
        // The same behind a character that is not ASCII.
        EXPECT_EQ(find_malformed_utf8("\xC3\xA9" + broken), at + 2) << size;
      }
    }
  }
}

TEST(Utf8, UnpairedSurrogatesBecomeReplacementCharacters) {
  std::string out;
  append_without_surrogates(out,
                            "a\xED\xA0\x80"
                            "b\xED\x9F\xBF"
                            "c\xED\xBF\xBF");
  EXPECT_EQ(out,
            "a\xEF\xBF\xBD"
            "b\xED\x9F\xBF"
            "c\xEF\xBF\xBD");
}

RC_GTEST_PROP(Utf8, OrderOfNamesIsThatOfUtf16, ()) {
  auto text = rc::gen::container<std::u32string>(rc::gen::element<char32_t>(
      U'a', U'\u00e9', U'\uD7FF', U'\uE000', U'\uFFFD', U'\U00010000', U'\U0010FFFF'));
  std::u32string a = *text;
  std::u32string b = *text;
  auto utf16 = [](const std::u32string& s) {
    std::u16string out;
    for (char32_t c : s) {
      if (c < 0x10000)
        out += static_cast<char16_t>(c);
      else {
        out += static_cast<char16_t>(0xD7C0 + (c >> 10));
        out += static_cast<char16_t>(0xDC00 | (c & 0x3FF));
      }
    }
    return out;
  };
  std::wstring_convert<std::codecvt_utf8<char32_t>, char32_t> utf8;
  int expected = utf16(a).compare(utf16(b));
  int got = compare_utf16_order(utf8.to_bytes(a), utf8.to_bytes(b));
  RC_ASSERT((expected < 0) == (got < 0));
  RC_ASSERT((expected > 0) == (got > 0));
}

}  // namespace
}  // namespace postern
