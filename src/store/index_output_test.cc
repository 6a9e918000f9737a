#include "store/index_output.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "store/test_files.h"

namespace postern::store {
namespace {

// The check value of CRC-32/ISO-HDLC, as its catalogue entry gives it.
TEST(Crc32, HasThePublishedCheckValue) {
  std::string text = "123456789";
  std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  EXPECT_EQ(crc32(0, bytes), 0xCBF43926u);
  EXPECT_EQ(crc32(crc32(0, bytes.first(4)), bytes.subspan(4)), 0xCBF43926u);
  EXPECT_EQ(crc32(7, {}), 7u);
}

// Values and bytes of docs/formats/10 §2.
TEST(IndexOutput, WritesTheEncodingsOfTheSpec) {
  auto directory = memory_directory();
  IndexOutput out(*directory, "f");
  for (uint32_t v : {127u, 128u, 300u, 16384u, 0xffffffffu}) out.write_vint(v);
  for (int32_t v : {0, -1, 1, -64, 64, INT32_MIN, INT32_MAX}) out.write_zint(v);
  out.write_zlong(INT64_MIN);
  out.write_le32(0x01020304);
  out.write_be32(0x01020304);
  out.write_string("é😀");
  out.write_string_map(std::map<std::string, std::string>{{"a", ""}, {"k", "v"}});
  out.close();
  EXPECT_EQ(to_hex(read_file(*directory, "f")),
            "7f8001ac02808001ffffffff0f"
            "0001027f8001ffffffff0ffeffffff0f"
            "ffffffffffffffffff01"
            "04030201"
            "01020304"
            "06c3a9f09f9880"
            "0201610001"
            "6b0176");
}

RC_GTEST_PROP(IndexOutput, AnySizesOfWritesGiveTheSameBytesAndChecksum, ()) {
  auto directory = memory_directory();
  IndexOutput out(*directory, "f");
  Bytes expected;
  auto sizes = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(0u, 200'000u));
  uint8_t next = 0;
  for (uint32_t size : sizes) {
    Bytes piece(size);
    for (uint8_t& b : piece) b = next = static_cast<uint8_t>(next * 5 + 1);
    if (size == 1)
      out.write_byte(piece[0]);
    else
      out.write_bytes(piece);
    expected.insert(expected.end(), piece.begin(), piece.end());
    RC_ASSERT(out.file_pointer() == expected.size());
  }
  RC_ASSERT(out.checksum() == crc32(0, expected));
  out.close();
  RC_ASSERT(read_file(*directory, "f") == expected);
}

}  // namespace
}  // namespace postern::store
