#include "analysis/porter_stemmer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace postern::analysis {
namespace {

template <class Unit>
std::string stem(const std::string& word) {
  std::vector<Unit> units;
  for (const char c : word) units.push_back(static_cast<Unit>(static_cast<uint8_t>(c)));
  units.resize(porter_stem(units.data(), units.size()));
  return {units.begin(), units.end()};
}

TEST(PorterStemmer, StemsAsLuceneDoes) {
  std::ifstream file(POSTERN_TEST_DATA "/analysis/porter_stems.tsv");
  size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos);
    const std::string word = line.substr(0, tab);
    EXPECT_EQ(stem<char16_t>(word), line.substr(tab + 1)) << word;
    EXPECT_EQ(stem<uint8_t>(word), line.substr(tab + 1)) << word;
  }
  EXPECT_EQ(count, 1200u);
}

TEST(PorterStemmer, LeavesWordsOfTwoUnitsAlone) {
  EXPECT_EQ(stem<uint8_t>("is"), "is");
  EXPECT_EQ(stem<uint8_t>("s"), "s");
  EXPECT_EQ(stem<uint8_t>(""), "");
}

}  // namespace
}  // namespace postern::analysis
