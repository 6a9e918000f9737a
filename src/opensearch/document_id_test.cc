#include "opensearch/document_id.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "postern/error.h"

namespace postern::opensearch {
namespace {

std::string hex_of(std::string_view id) {
  std::string bytes = "before";
  append_id_bytes(bytes, id);
  std::string hex;
  for (char c : bytes.substr(6)) {
    constexpr std::string_view kHex = "0123456789abcdef";
    hex += kHex[static_cast<uint8_t>(c) >> 4];
    hex += kHex[static_cast<uint8_t>(c) & 15];
  }
  return hex;
}

TEST(DocumentId, DigitsArePackedTwoAByte) {
  EXPECT_EQ(hex_of("4"), "fe4f");
  EXPECT_EQ(hex_of("12"), "fe12");
  EXPECT_EQ(hex_of("000"), "fe000f");
  EXPECT_EQ(hex_of("98765432109876543210"), "fe98765432109876543210");
}

TEST(DocumentId, CanonicalBase64IsDecoded) {
  EXPECT_EQ(hex_of("id-0"), "89dfb4");
  EXPECT_EQ(hex_of("AQ"), "01");
  EXPECT_EQ(hex_of("AAE"), "0001");
}

TEST(DocumentId, Base64ThatLooksLikeAnotherFormIsEscaped) {
  EXPECT_EQ(hex_of("_____w"), "fdffffffff");
  EXPECT_EQ(hex_of("_f8"), "fdfdff");
  EXPECT_EQ(hex_of("_P8"), "fcff");
}

TEST(DocumentId, AnythingElseIsText) {
  EXPECT_EQ(hex_of("r1"), "ff7231");     // the last four bits are not zero
  EXPECT_EQ(hex_of("a"), "ff61");        // no byte ends there
  EXPECT_EQ(hex_of("AAB"), "ff414142");  // the last two bits are not zero
  EXPECT_EQ(hex_of("a b c d "), "ff6120622063206420");
  EXPECT_EQ(hex_of("é"), "ffc3a9");
  EXPECT_EQ(hex_of("ab=="), "ff61623d3d");
}

TEST(DocumentId, EmptyAndOverlongIdsAreRefused) {
  EXPECT_NO_THROW(check_id(std::string(512, 'x')));
  EXPECT_THROW(check_id(std::string(513, 'x')), InvalidDocument);
  EXPECT_THROW(check_id(""), InvalidDocument);
}

TEST(DocumentId, RandomOnesAreCanonicalBase64AndDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = random_id();
    const std::string uuid = random_uuid();
    ASSERT_EQ(id.size(), 20U);
    ASSERT_EQ(uuid.size(), 22U);
    ASSERT_EQ(
        id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
        std::string::npos);
    ASSERT_NE(std::string("AQgw").find(uuid.back()), std::string::npos);
    seen.insert(id);
    seen.insert(uuid);
  }
  EXPECT_EQ(seen.size(), 2000U);
}

}  // namespace
}  // namespace postern::opensearch
