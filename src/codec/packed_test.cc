// The packed arrays of docs/formats/20: DirectWriter, DirectMonotonic, PACKED, BlockPacked.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/byte_buffer.h"
#include "codec/block_packed.h"
#include "codec/direct_monotonic.h"
#include "codec/direct_writer.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::from_hex;
using testing::to_hex;

ByteBuffer direct(std::span<const uint64_t> values, uint32_t width) {
  ByteBuffer out;
  DirectWriter<ByteBuffer> writer(out, width);
  for (uint64_t v : values) writer.add(v);
  writer.finish();
  return out;
}

TEST(DirectWriter, ExamplesOfTheFormat) {
  const uint64_t bits[] = {1, 0, 1}, big[] = {0xA01, 0xA00, 0xA01};
  EXPECT_EQ(to_hex(direct(bits, 4).bytes()), "01 01");
  EXPECT_EQ(to_hex(direct(big, 12).bytes()), "01 0a a0 01 0a 00");
  EXPECT_EQ(to_hex(direct(big, 20).bytes()), "01 0a 00 a0 00 01 0a 00 00 00");
}

TEST(DirectWriter, WidthsAndPadding) {
  EXPECT_EQ(direct_width(0), 1u);
  EXPECT_EQ(direct_width(15), 4u);
  EXPECT_EQ(direct_width(255), 8u);
  EXPECT_EQ(direct_width(256), 12u);
  EXPECT_EQ(direct_width(uint64_t{1} << 40), 48u);
  EXPECT_EQ(direct_width(~uint64_t{0}), 64u);
  const uint32_t padding[] = {0, 0, 0, 0, 1, 0, 2, 1, 1, 0, 3, 2, 1, 0};
  for (size_t i = 0; i < kDirectWidths.size(); ++i)
    EXPECT_EQ(direct_padding(kDirectWidths[i]), padding[i]) << int{kDirectWidths[i]};
}

RC_GTEST_PROP(DirectWriter, ReadsBackAtRandom, (std::vector<uint64_t> values)) {
  const uint32_t width =
      *rc::gen::elementOf(std::vector<uint32_t>(kDirectWidths.begin(), kDirectWidths.end()));
  for (auto& v : values) v &= ~uint64_t{0} >> (64 - width);
  const ByteBuffer out = direct(values, width);
  RC_ASSERT(out.size() == direct_size(values.size(), width));
  const Bytes exact(out.bytes().begin(), out.bytes().end());  // an overrun shows under ASan
  for (size_t i = 0; i < values.size(); ++i)
    RC_ASSERT(direct_get(exact.data(), width, i) == values[i]);
}

struct Monotonic {
  ByteBuffer meta, data;
};
Monotonic monotonic(std::span<const int64_t> values, uint32_t block_shift) {
  Monotonic out;
  out.data.write_byte(0xee);  // offsets do not count what is there already
  DirectMonotonicWriter<ByteBuffer, ByteBuffer> writer(out.meta, out.data, block_shift);
  for (int64_t v : values) writer.add(v);
  writer.finish();
  return out;
}

TEST(DirectMonotonic, ExampleOfTheFormat) {
  const int64_t values[] = {3, 8, 10, 30, 30, 37};
  const Monotonic out = monotonic(values, 2);
  EXPECT_EQ(to_hex(out.meta.bytes()),
            "f8 ff ff ff ff ff ff ff 00 00 10 41 00 00 00 00 00 00 00 00 04 "
            "1e 00 00 00 00 00 00 00 00 00 e0 40 02 00 00 00 00 00 00 00 00");
  EXPECT_EQ(to_hex(out.data.bytes().subspan(1)), "7b b0");
}

// docs/formats/20 §2: truncation towards zero, saturation at the limits of int64.
TEST(DirectMonotonic, LineTruncatesAndSaturates) {
  EXPECT_EQ(monotonic_line(0.75f, 3), 2);
  EXPECT_EQ(monotonic_line(-0.75f, 3), -2);
  EXPECT_EQ(monotonic_line(1e30f, 1), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(monotonic_line(-1e30f, 1), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(monotonic_line(std::numeric_limits<float>::infinity(), 0), 0);
  EXPECT_EQ(monotonic_line(1.0f, (1u << 22) - 1), (1 << 22) - 1);
  EXPECT_EQ(monotonic_line(3.0f, 5592405), 16777215);
  EXPECT_EQ(monotonic_line(3.0f, 5592407), 16777220);  // 16777221 rounds to even
}

RC_GTEST_PROP(DirectMonotonic, ReadsBack, (std::vector<int64_t> values)) {
  if (*rc::gen::arbitrary<bool>())
    for (auto& v : values) v &= 0xffff;
  std::sort(values.begin(), values.end());
  const auto shift = *rc::gen::inRange<uint32_t>(2, 6);
  const Monotonic out = monotonic(values, shift);
  ByteReader meta(out.meta.bytes(), "_0.fdm");
  const DirectMonotonicReader reader(meta, out.data.bytes().subspan(1), values.size(), shift);
  RC_ASSERT(meta.remaining() == 0u);
  for (size_t i = 0; i < values.size(); ++i) RC_ASSERT(reader.get(i) == values[i]);
}

TEST(DirectMonotonic, RefusesBlocksOutsideTheirFiles) {
  const int64_t values[] = {0, 1, 2, 3, 1000, 5000, 5001};
  const Monotonic good = monotonic(values, 2);
  auto read = [&](std::span<const uint8_t> meta_bytes, std::span<const uint8_t> data,
                  uint64_t count) {
    ByteReader meta(meta_bytes, "_0.fdm");
    DirectMonotonicReader reader(meta, data, count, 2);
  };
  const auto data = good.data.bytes().subspan(1);
  read(good.meta.bytes(), data, 7);
  EXPECT_THROW(read(good.meta.bytes(), data, 9), CorruptIndex);
  EXPECT_THROW(read(good.meta.bytes(), data, uint64_t{1} << 62), CorruptIndex);
  EXPECT_THROW(read(good.meta.bytes(), data.first(data.size() - 1), 7), CorruptIndex);
  Bytes bad(good.meta.bytes().begin(), good.meta.bytes().end());
  bad[41] = 13;  // not a width
  EXPECT_THROW(read(bad, data, 7), CorruptIndex);
  bad[41] = 16;
  bad[40] = 0xff;  // an offset near 2^64
  EXPECT_THROW(read(bad, data, 7), CorruptIndex);
}

TEST(Packed, ExampleOfTheFormat) {
  const uint64_t values[] = {0, 3, 1};
  ByteBuffer out;
  write_packed(std::span<const uint64_t>(values), 2, out);
  EXPECT_EQ(to_hex(out.bytes()), "34");
}

RC_GTEST_PROP(Packed, ReadsBack, (std::vector<uint64_t> values)) {
  const auto width = *rc::gen::inRange<uint32_t>(1, 65);
  for (auto& v : values) v &= ~uint64_t{0} >> (64 - width);
  ByteBuffer out;
  write_packed(std::span<const uint64_t>(values), width, out);
  RC_ASSERT(out.size() == packed_size(values.size(), width));
  std::vector<uint64_t> back;
  ByteReader in(out.bytes(), "_0.tvd");
  read_packed(in, values.size(), width, back);
  RC_ASSERT(back == values);
}

ByteBuffer block_packed(const std::vector<int64_t>& values) {
  ByteBuffer out;
  BlockPackedWriter<ByteBuffer> writer(out);
  for (int64_t v : values) writer.add(v);
  writer.finish();
  return out;
}

TEST(BlockPacked, ExamplesOfTheFormat) {
  EXPECT_EQ(to_hex(block_packed({100, 103, 101}).bytes()), "04 c7 01 34");
  EXPECT_EQ(to_hex(block_packed({-5, -5}).bytes()), "00 08");
  EXPECT_EQ(to_hex(block_packed({-3, 4}).bytes()), "06 04 1c");
  EXPECT_EQ(to_hex(block_packed({INT64_MIN, INT64_MAX}).bytes()),
            "81 80 00 00 00 00 00 00 00 7f ff ff ff ff ff ff ff");
}

RC_GTEST_PROP(BlockPacked, ReadsBack, (std::vector<int64_t> values)) {
  const auto shift = *rc::gen::inRange(0, 64);
  for (auto& v : values) v >>= shift;
  for (size_t i = values.size(); !values.empty() && i < 150; ++i) values.push_back(values[i / 2]);
  const ByteBuffer out = block_packed(values);
  std::vector<int64_t> back;
  ByteReader in(out.bytes(), "_0.tvd");
  read_block_packed(in, values.size(), back);
  RC_ASSERT(back == values);
  RC_ASSERT(in.remaining() == 0u);
}

TEST(BlockPacked, RefusesImpossibleWidthsAndCounts) {
  std::vector<int64_t> out;
  const Bytes wide = from_hex("83 00"), few = from_hex("01 01");
  ByteReader a(wide, "_0.tvd"), b(few, "_0.tvd");
  EXPECT_THROW(read_block_packed(a, 1, out), CorruptIndex);
  EXPECT_THROW(read_block_packed(b, uint64_t{1} << 40, out), CorruptIndex);
}

}  // namespace
}  // namespace postern::codec
