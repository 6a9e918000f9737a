#include "analysis/stop_words.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace postern::analysis {
namespace {

bool contains(const StopWords& words, const std::string& term) {
  const std::string padded = term + "paddingpadding";
  return words.contains(reinterpret_cast<const uint8_t*>(padded.data()), term.size());
}

RC_GTEST_PROP(StopWords, HoldsExactlyItsWords, ()) {
  // Few letters, so that words share beginnings, hash neighbours and lengths.
  const auto word = rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0', '\xC3'));
  const auto words = *rc::gen::container<std::vector<std::string>>(word);
  const StopWords set(words);
  for (const std::string& w : words) RC_ASSERT(contains(set, w));
  for (const std::string& w : *rc::gen::container<std::vector<std::string>>(word)) {
    RC_ASSERT(contains(set, w) == (std::find(words.begin(), words.end(), w) != words.end()));
  }
}

TEST(StopWords, LongWordsDifferBehindTheEighthByte) {
  const StopWords set({"abcdefgh1", "abcdefgh"});
  EXPECT_TRUE(contains(set, "abcdefgh1"));
  EXPECT_TRUE(contains(set, "abcdefgh"));
  EXPECT_FALSE(contains(set, "abcdefgh2"));
  EXPECT_FALSE(contains(set, "abcdefg"));
}

TEST(StopWords, AnEmptySetHoldsNothing) {
  EXPECT_FALSE(contains(StopWords({}), ""));
  EXPECT_FALSE(contains(StopWords({}), "a"));
  EXPECT_TRUE(contains(StopWords({""}), ""));
}

}  // namespace
}  // namespace postern::analysis
