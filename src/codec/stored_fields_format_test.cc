#include "codec/stored_fields_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/byte_reader.h"
#include "codec/stored_fields_ints.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::from_hex;
using testing::to_hex;

constexpr auto kNanFloat = std::numeric_limits<float>::quiet_NaN();
constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();
constexpr auto kInfinity = std::numeric_limits<double>::infinity();

std::string stored_float(float v) {
  uint8_t out[10];
  return to_hex({out, encode_stored_float(v, out)});
}
std::string stored_double(double v) {
  uint8_t out[10];
  return to_hex({out, encode_stored_double(v, out)});
}
std::string stored_long(int64_t v) {
  uint8_t out[10];
  return to_hex({out, encode_stored_long(v, out)});
}

TEST(StoredValues, FloatTakesOneByteForSmallIntegers) {
  EXPECT_EQ(stored_float(-1), "80");
  EXPECT_EQ(stored_float(0), "81");
  EXPECT_EQ(stored_float(125), "fe");
}

// first byte, little-endian middle, last byte of the IEEE bits
TEST(StoredValues, FloatWithoutSignTakesFour) {
  EXPECT_EQ(stored_float(126), "42 00 fc 00");            // 42fc0000
  EXPECT_EQ(stored_float(1.5f), "3f 00 c0 00");           // 3fc00000
  EXPECT_EQ(stored_float(0.1f), "3d cc cc cd");           // 3dcccccd
  EXPECT_EQ(stored_float(1e-45f), "00 00 00 01");         // 00000001
  EXPECT_EQ(stored_float(HUGE_VALF), "7f 00 80 00");      // 7f800000
  EXPECT_EQ(stored_float(kNanFloat), "7f 00 c0 00");      // 7fc00000
  EXPECT_EQ(stored_float(-kNanFloat), "7f 00 c0 00");     // any NaN is Java's one
  EXPECT_EQ(stored_float(3.4028235e38f), "7f ff 7f ff");  // 7f7fffff
}

TEST(StoredValues, FloatWithSignTakesFive) {
  EXPECT_EQ(stored_float(-0.0f), "ff 00 00 00 80");
  EXPECT_EQ(stored_float(-2), "ff 00 00 00 c0");
  EXPECT_EQ(stored_float(-HUGE_VALF), "ff 00 00 80 ff");
}

TEST(StoredValues, DoubleTakesOneByteForSmallIntegers) {
  EXPECT_EQ(stored_double(-1), "80");
  EXPECT_EQ(stored_double(124), "fd");
}

TEST(StoredValues, DoubleThatIsAFloatTakesFive) {
  EXPECT_EQ(stored_double(125), "fe 00 00 fa 42");
  EXPECT_EQ(stored_double(-0.0), "fe 00 00 00 80");
  EXPECT_EQ(stored_double(kInfinity), "fe 00 00 80 7f");
  EXPECT_EQ(stored_double(-kInfinity), "fe 00 00 80 ff");
}

TEST(StoredValues, DoubleTakesEightOrNine) {
  EXPECT_EQ(stored_double(0.1), "3f 99 99 99 b9 99 99 9a");  // 3fb999999999999a
  EXPECT_EQ(stored_double(kNan), "7f 00 00 00 f8 00 00 00");
  EXPECT_EQ(stored_double(5e-324), "00 00 00 00 00 00 00 01");
  EXPECT_EQ(stored_double(-0.1), "ff 9a 99 99 99 99 99 b9 bf");
}

TEST(StoredValues, LongCountsInDaysHoursSeconds) {
  EXPECT_EQ(stored_long(0), "c0");
  EXPECT_EQ(stored_long(1), "02");
  EXPECT_EQ(stored_long(-1), "01");
  EXPECT_EQ(stored_long(15), "1e");
  EXPECT_EQ(stored_long(16), "20 01");
  EXPECT_EQ(stored_long(1000), "42");
  EXPECT_EQ(stored_long(3'600'000), "82");
  EXPECT_EQ(stored_long(86'400'000), "c2");
  EXPECT_EQ(stored_long(-86'400'000), "c1");
  // zigzag is 2^64 - 1: five bits here, 59 in nine bytes.
  EXPECT_EQ(stored_long(std::numeric_limits<int64_t>::min()), "3f ff ff ff ff ff ff ff ff 07");
  EXPECT_EQ(stored_long(std::numeric_limits<int64_t>::max()), "3e ff ff ff ff ff ff ff ff 07");
}

TEST(StoredValues, ModeNames) {
  EXPECT_EQ(stored_fields_mode("BEST_SPEED", "_0.si"), StoredFieldsMode::kBestSpeed);
  EXPECT_EQ(stored_fields_mode("BEST_COMPRESSION", "_0.si"), StoredFieldsMode::kBestCompression);
  EXPECT_STREQ(stored_fields_mode_name(StoredFieldsMode::kBestCompression), "BEST_COMPRESSION");
  EXPECT_THROW(stored_fields_mode("best_speed", "_0.si"), CorruptIndex);
}

Bytes ints(const std::vector<uint32_t>& values) {
  const auto directory = memory_directory();
  store::IndexOutput out(*directory, "ints");
  write_stored_fields_ints(values, out);
  out.close();
  return testing::read_file(*directory, "ints");
}

TEST(StoredFieldsInts, ShortArrays) {
  EXPECT_EQ(to_hex(ints({300})), "ac 02");
  EXPECT_EQ(to_hex(ints({300, 300})), "00 ac 02");
  EXPECT_EQ(to_hex(ints({2, 1})), "08 02 01");
  EXPECT_EQ(to_hex(ints({256, 1})), "10 00 01 01 00");
  EXPECT_EQ(to_hex(ints({65536, 1})), "20 00 00 01 00 01 00 00 00");
}

// docs/formats/12 §2: for 8 bits, long r is v[r]<<56 | v[16+r]<<48 | … | v[112+r].
TEST(StoredFieldsInts, BlockOf128Bytes) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < 130; ++i) values.push_back(i);
  const Bytes out = ints(values);
  ASSERT_EQ(out.size(), 131u);
  for (uint32_t r = 0; r < 16; ++r)
    for (uint32_t lane = 0; lane < 8; ++lane) EXPECT_EQ(out[1 + 8 * r + 7 - lane], 16 * lane + r);
  EXPECT_EQ(out[129], 128);
  EXPECT_EQ(out[130], 129);
}

TEST(StoredFieldsInts, ReadBackAtEveryWidthAndLength) {
  for (uint32_t max : {0u, 255u, 65535u, 0xffffffffu}) {
    for (uint32_t count : {1u, 2u, 127u, 128u, 129u, 255u, 256u, 300u}) {
      std::vector<uint32_t> values;
      uint64_t sum = 0;
      for (uint32_t i = 0; i < count; ++i) {
        values.push_back(static_cast<uint32_t>(i * 2654435761u & max));
        if (i == count / 2) values.back() = max;
        sum += values.back();
      }
      const Bytes bytes = ints(values);
      ByteReader in(bytes, "_0.fdt");
      const StoredFieldsInts back(in, count);
      EXPECT_EQ(in.remaining(), 0u);
      for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(back.get(i), values[i]) << count << ' ' << max;
      EXPECT_EQ(back.sum(count), sum);
    }
  }
}

TEST(StoredFieldsInts, RefusesOtherWidthsAndShortFiles) {
  auto read = [](const char* hex, uint32_t count) {
    const Bytes bytes = from_hex(hex);
    ByteReader in(bytes, "_0.fdt");
    StoredFieldsInts ints(in, count);
  };
  EXPECT_THROW(read("07 01 02", 2), CorruptIndex);
  EXPECT_THROW(read("08 01", 2), CorruptIndex);
  EXPECT_THROW(read("20 01 00 00 00", 0x40000000), CorruptIndex);
}

}  // namespace
}  // namespace postern::codec
