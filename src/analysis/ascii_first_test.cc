// The fast path changes nothing: for any text the tokens are those of the general rules, and of the
// tokenizer's buffer as the specification describes it.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "analysis/analysis_test_cases.h"
#include "analysis/ascii_block.h"
#include "analysis/ascii_first_tokenizer.h"
#include "analysis/char_rules.h"
#include "analysis/standard_rules.h"
#include "analysis/standard_tokenizer.h"
#include "analysis/unicode_tables.h"
#include "analysis/windowed_scanner.h"
#include "analysis/wtf8.h"

namespace postern::analysis {
namespace {

template <class Tokenizer>
class Stream final : public TokenStream {
 public:
  explicit Stream(Tokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}
  void reset(std::string_view text) override { tokenizer_.reset(text); }
  size_t next(std::span<Token> tokens) override { return tokenizer_.next(tokens); }
  uint32_t final_offset() const override { return tokenizer_.final_offset(); }

 private:
  Tokenizer tokenizer_;
};

template <class Rules>
Analyzed analyze_with(Rules rules, Path path, const std::string& text, size_t group) {
  Stream stream(AsciiFirstTokenizer<Rules>(rules, path));
  return analyze(stream, text, group);
}

std::string utf8(uint32_t code_point) {
  std::string bytes(4, '\0');
  auto* const begin = reinterpret_cast<uint8_t*>(bytes.data());
  bytes.resize(static_cast<size_t>(encode(code_point, begin) - begin));
  return bytes;
}

// One piece of a text: what the rules tell apart, in ASCII and outside.
rc::Gen<std::string> piece() {
  const std::vector<std::string> ascii = {"a", "B",  "z", "q", "7",  "0",    "_", ".",
                                          "'", ",",  ":", ";", "\"", "#",    "*", " ",
                                          " ", "\n", "-", "/", "\t", "\x1c", "@", "\x7f"};
  const std::vector<std::string> other = {
      "\u00e9",     "\u0130",     "\u0301",     "\u0430",       "\u05d0",       "\u05d0",
      "\u0663",     "\u0e01",     "\u0e31",     "\u4e2d",       "\u3042",       "\u30ab",
      "\ud55c",     "\u2019",     "\u00b7",     "\u203f",       "\u200d",       "\ufe0f",
      "\ufe0e",     "\u20e3",     "\u2139",     "\u2014",       "\u00a0",       "\u3000",
      "\u2028",     "\u1680",     "\ufb1d",     "\U0001F600",   "\U0001F1FA",   "\U0001F3FD",
      "\U00010400", "\U000E0067", "\U000E007F", "\xED\xA0\x80", "\xED\xBF\xBF", "\x80",
      "\xC3",       "\xFF"};
  const auto one = rc::gen::weightedOneOf<std::string>(
      {{12, rc::gen::elementOf(ascii)},
       {2, rc::gen::elementOf(other)},
       {1, rc::gen::just(std::string("word"))},
       {1, rc::gen::map(rc::gen::inRange(uint32_t{0x80}, uint32_t{0x20000}), utf8)}});
  const auto repeated = [one](int least, int most) {
    return rc::gen::map(rc::gen::pair(one, rc::gen::inRange(least, most)),
                        [](const std::pair<std::string, int>& p) {
                          std::string text;
                          for (int i = 0; i < p.second; ++i) text += p.first;
                          return text;
                        });
  };
  return rc::gen::weightedOneOf<std::string>(
      {{30, one}, {4, repeated(2, 9)}, {1, repeated(10, 150)}});
}

rc::Gen<std::string> text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece()),
                      [](const std::vector<std::string>& pieces) {
                        std::string all;
                        for (const std::string& p : pieces) all += p;
                        return all;
                      });
}

constexpr int kTextsPerProperty = 30;

// Calls check(text, window, group) for many texts.
template <class Check>
void for_many_texts(uint32_t least_window, Check check) {
  for (int i = 0; i < kTextsPerProperty; ++i) {
    const std::string value = *text();
    const auto window = *rc::gen::weightedOneOf<uint32_t>(
        {{3, rc::gen::just(uint32_t{255})}, {1, rc::gen::inRange(least_window, uint32_t{80})}});
    check(value, window, *rc::gen::element(size_t{64}, size_t{1}, size_t{2}, size_t{5}));
  }
}

RC_GTEST_PROP(AsciiFirst, StandardEqualsTheGeneralRules, ()) {
  for_many_texts(3, [](const std::string& value, uint32_t window, size_t group) {
    const StandardRules rules(window);
    RC_ASSERT(analyze_with(rules, Path::kAsciiFirst, value, group) ==
              analyze_with(rules, Path::kGeneralOnly, value, 64));
  });
}

RC_GTEST_PROP(AsciiFirst, WhitespaceEqualsTheGeneralRules, ()) {
  for_many_texts(1, [](const std::string& value, uint32_t window, size_t group) {
    const WhitespaceRules rules(window);
    RC_ASSERT(analyze_with(rules, Path::kAsciiFirst, value, group) ==
              analyze_with(rules, Path::kGeneralOnly, value, 64));
  });
}

RC_GTEST_PROP(AsciiFirst, LettersEqualTheGeneralRules, ()) {
  for_many_texts(1, [](const std::string& value, uint32_t window, size_t group) {
    const LetterRules rules(window);
    RC_ASSERT(analyze_with(rules, Path::kAsciiFirst, value, group) ==
              analyze_with(rules, Path::kGeneralOnly, value, 64));
  });
}

// Every neighbourhood of four across the end of a block, which random texts seldom hit.
TEST(AsciiFirst, BlocksJoinWithoutASeam) {
  const std::vector<std::string> kinds = {"a", "1",      "_",      ".",      ",",      ":",     "#",
                                          " ", "\u00e9", "\u0301", "\u20e3", "\u05d0", "\u4e2d"};
  const StandardRules rules(255);
  Stream fast{AsciiFirstTokenizer<StandardRules>(rules)};
  Stream general(AsciiFirstTokenizer<StandardRules>(rules, Path::kGeneralOnly));
  const size_t n = kinds.size();
  for (size_t i = 0; i < n * n * n * n; ++i) {
    const std::string four =
        kinds[i % n] + kinds[i / n % n] + kinds[i / n / n % n] + kinds[i / n / n / n];
    for (size_t before = 61; before < 64; ++before) {
      const std::string value = std::string(before, ' ') + four;
      ASSERT_EQ(analyze(fast, value, 8), analyze(general, value, 8)) << four << " at " << before;
    }
  }
}

// What the tokenizer's buffer gives, from the units themselves.
Analyzed windowed(const std::string& value, size_t window) {
  WindowedScanner scanner(window);
  scanner.reset(value);
  Analyzed result;
  while (scanner.next()) {
    std::string term;
    for (size_t i = scanner.begin(); i < scanner.end();) {
      const Utf16CodePoint c = decode_utf16(scanner.data(), i, scanner.end());
      term += utf8(Character(c.value).lower());
      i += c.units;
    }
    result.tokens.push_back({term, static_cast<uint32_t>(scanner.begin()),
                             static_cast<uint32_t>(scanner.end()), 1, "", 1});
  }
  result.final_offset = static_cast<uint32_t>(scanner.final_offset());
  return result;
}

RC_GTEST_PROP(AsciiFirst, StandardEqualsTheBufferOfTheSpecification, ()) {
  for_many_texts(1, [](const std::string& value, uint32_t window, size_t group) {
    Stream stream{StandardTokenizer(window)};
    RC_ASSERT(analyze(stream, value, group) == windowed(value, window));
  });
}

RC_GTEST_PROP(AsciiBlock, MasksEqualThePortableOnes, (const std::array<uint8_t, 64>& block)) {
  const WordMasks a = best::word_masks(block.data());
  const WordMasks b = portable::word_masks(block.data());
  RC_ASSERT(a.words == b.words);
  RC_ASSERT(a.joiners == b.joiners);
  RC_ASSERT(a.non_ascii == b.non_ascii);
  RC_ASSERT(best::letter_masks(block.data()).words == portable::letter_masks(block.data()).words);
  RC_ASSERT(best::non_space_masks(block.data()).words ==
            portable::non_space_masks(block.data()).words);
  RC_ASSERT(best::non_space_masks(block.data()).non_ascii == a.non_ascii);
  RC_ASSERT(best::letter_masks(block.data()).non_ascii == a.non_ascii);
}

TEST(AsciiBlock, EveryByteIsClassifiedAsTheTablesSay) {
  for (unsigned c = 0; c < 256; ++c) {
    std::array<uint8_t, 64> block;
    block.fill(static_cast<uint8_t>(c));
    const bool ascii = c < 0x80;
    const Character p(ascii ? c : 0x80);
    EXPECT_EQ(best::letter_masks(block.data()).words, p.is_letter() ? ~uint64_t{0} : 0) << c;
    EXPECT_EQ(best::non_space_masks(block.data()).words,
              ascii && !p.is_white_space() ? ~uint64_t{0} : 0)
        << c;
    EXPECT_EQ(best::word_masks(block.data()).non_ascii, ascii ? 0 : ~uint64_t{0}) << c;
    std::array<uint8_t, 32> lower = {};
    copy_lower_ascii(block.data(), 16, lower.data());
    EXPECT_EQ(lower[15], ascii ? Character(c).lower() : c) << c;
  }
}

}  // namespace
}  // namespace postern::analysis
