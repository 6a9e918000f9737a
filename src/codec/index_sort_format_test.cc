#include "codec/index_sort_format.h"

#include <gtest/gtest.h>

#include "postern/error.h"
#include "store/test_files.h"

namespace postern::codec {
namespace {

std::string bytes(const char* hex) {
  const store::Bytes raw = store::from_hex(hex);
  return {raw.begin(), raw.end()};
}

std::string name(const char* text) {
  return static_cast<char>(std::char_traits<char>::length(text)) + std::string(text);
}

// Keys out of a `.si` file that Lucene 10.4 wrote (segment_info_test.cc has all of it).
TEST(IndexSortFormat, KeysAreThoseOfLucene) {
  EXPECT_EQ(encode_sort_key({.field = "price",
                             .doc_values = DocValuesType::kNumeric,
                             .number = SortNumber::kDouble,
                             .descending = true,
                             .missing = SortMissing::kLast}),
            name("SortField") + name("price") + name("DOUBLE") +
                bytes("0100000001000000ffffffffffff0f80"));
  EXPECT_EQ(
      encode_sort_key(
          {.field = "t", .doc_values = DocValuesType::kSortedSet, .missing = SortMissing::kFirst}),
      name("SortedSetSortField") + name("t") + bytes("000000000000000001000000"));
  EXPECT_EQ(encode_sort_key({.field = "k", .doc_values = DocValuesType::kSorted}),
            name("SortField") + name("k") + name("STRING") + bytes("000000000100000000000000"));
  EXPECT_EQ(encode_sort_key({.field = "l",
                             .doc_values = DocValuesType::kSortedNumeric,
                             .mode = SortMode::kMax,
                             .descending = true}),
            name("SortedNumericSortField") + name("l") + name("LONG") +
                bytes("0100000001000000010000000000000000000080"));
}

// docs/formats/11 §3.1.
TEST(IndexSortFormat, MissingValuesHaveTheWidthOfTheirType) {
  SortKey key{.field = "n", .doc_values = DocValuesType::kNumeric, .number = SortNumber::kInt};
  const std::string head = name("SortField") + name("n");
  EXPECT_EQ(encode_sort_key(key), head + name("INT") + bytes("0000000001000000ffffff7f"));
  key.number = SortNumber::kFloat;  // infinity
  EXPECT_EQ(encode_sort_key(key), head + name("FLOAT") + bytes("00000000010000000000807f"));
  key.missing = SortMissing::kFirst;  // -infinity: 0xff800000 with all but the sign turned round
  EXPECT_EQ(encode_sort_key(key), head + name("FLOAT") + bytes("0000000001000000ffff7f80"));
  key.missing = SortMissing::kDefault;
  EXPECT_EQ(encode_sort_key(key), head + name("FLOAT") + bytes("0000000000000000"));
}

TEST(IndexSortFormat, DescribesKeys) {
  EXPECT_EQ(describe_sort_key(encode_sort_key({.field = "price",
                                               .doc_values = DocValuesType::kSortedNumeric,
                                               .number = SortNumber::kFloat,
                                               .mode = SortMode::kMax,
                                               .descending = true})),
            "\"price\" (SortedNumericSortField, FLOAT, max, descending, missing = -inf)");
  EXPECT_EQ(
      describe_sort_key(encode_sort_key(
          {.field = "k", .doc_values = DocValuesType::kSorted, .missing = SortMissing::kFirst})),
      "\"k\" (SortField, STRING, ascending, missing lowest)");
  EXPECT_EQ(describe_sort_key(encode_sort_key({.field = "n",
                                               .doc_values = DocValuesType::kNumeric,
                                               .number = SortNumber::kInt,
                                               .missing = SortMissing::kDefault})),
            "\"n\" (SortField, INT, ascending, no missing value)");
}

TEST(IndexSortFormat, WhatIsNoKeyIsRefused) {
  EXPECT_THROW(describe_sort_key(name("ScoreField") + name("f")), NotSupported);
  EXPECT_THROW(describe_sort_key(name("SortField") + name("f") + name("BOOL")), CorruptIndex);
  const std::string good =
      encode_sort_key({.field = "f", .doc_values = DocValuesType::kSortedNumeric});
  for (size_t n = 0; n < good.size(); ++n)
    EXPECT_THROW(describe_sort_key(good.substr(0, n)), CorruptIndex) << n;
}

}  // namespace
}  // namespace postern::codec
