#include "lucene_layout/slices.h"

#include <gtest/gtest.h>

#include <random>

namespace postern::lucene_layout {
namespace {

struct Stream {
  uint32_t start = 0;
  uint32_t head = 0;
  std::vector<uint8_t> data;
};

Stream new_stream(BytePool& pool) {
  uint32_t address = new_slice(pool, kFirstSliceSize);
  return {address, address, {}};
}

std::vector<uint8_t> read_all(const BytePool& pool, const Stream& stream) {
  std::vector<uint8_t> out;
  SliceReader reader(pool, stream.start, stream.head);
  while (!reader.at_end()) out.push_back(reader.read_byte());
  return out;
}

TEST(Slices, SixtyBytesGiveTheVerifiedImage) {
  // docs/formats/01 §2.1: slices at 0, 5, 19, 39, 69 of sizes 5, 14, 20, 30, 40.
  RamCounter counter;
  BytePool pool(counter);
  Stream s = new_stream(pool);
  for (uint8_t b = 1; b <= 60; ++b) write_byte(pool, s.head, b);
  std::vector<uint8_t> expected;
  auto put = [&](std::initializer_list<uint8_t> bytes) { expected.insert(expected.end(), bytes); };
  auto run = [&](uint8_t from, uint8_t to) {
    for (uint8_t b = from; b <= to; ++b) expected.push_back(b);
  };
  run(1, 1);
  put({5, 0, 0, 0});
  run(2, 11);
  put({19, 0, 0, 0});
  run(12, 27);
  put({39, 0, 0, 0});
  run(28, 53);
  put({69, 0, 0, 0});
  run(54, 60);
  expected.resize(69 + 39, 0);
  put({0x14});
  std::vector<uint8_t> image(expected.size());
  pool.read(0, image);
  EXPECT_EQ(image, expected);
  EXPECT_EQ(s.head, 76u);
  EXPECT_EQ(pool.position(), 109u);
}

TEST(Slices, EachNewSliceIsMarkedAtItsEndAndFreeAtItsStart) {
  RamCounter counter;
  BytePool pool(counter);
  uint32_t head = new_slice(pool, kFirstSliceSize);
  EXPECT_EQ(*pool.at(4), 0x10);
  uint32_t level = 0;
  for (int i = 0; i < 5000; ++i) {
    if (*pool.at(head) != 0) {
      EXPECT_EQ(*pool.at(head), 16 | level);
      SliceTail tail = extend_slice(pool, head);
      level = kNextLevel[level];
      EXPECT_EQ(tail.room, kSliceSizes[level] - 4);
      EXPECT_EQ(*pool.at(tail.head), 0);
      EXPECT_EQ(*pool.at(tail.head + tail.room), 16 | level);
      head = tail.head;
    }
    write_byte(pool, head, 0xff);
  }
  EXPECT_EQ(level, 9u);
}

TEST(Slices, AnEmptyStreamReadsAsEmpty) {
  RamCounter counter;
  BytePool pool(counter);
  Stream s = new_stream(pool);
  EXPECT_TRUE(read_all(pool, s).empty());
  EXPECT_EQ(pool.position(), 5u);
}

TEST(Slices, EveryLengthReadsBack) {
  // Covers an end in front of, at and behind every slice border.
  RamCounter counter;
  BytePool pool(counter);
  for (size_t length = 0; length <= 700; ++length) {
    Stream s = new_stream(pool);
    for (size_t i = 0; i < length; ++i) {
      s.data.push_back(static_cast<uint8_t>(i * 7 + length));
      write_byte(pool, s.head, s.data.back());
    }
    ASSERT_EQ(read_all(pool, s), s.data) << length;
  }
}

TEST(Slices, InterleavedStreamsKeepApart) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RamCounter counter;
    BytePool pool(counter);
    std::vector<Stream> streams;
    for (uint32_t i = 0; i < 2 + seed % 2; ++i) streams.push_back(new_stream(pool));
    size_t total = seed % 2 == 0 ? 1000 : 100000;
    for (size_t i = 0; i < total; ++i) {
      Stream& s = streams[random() % streams.size()];
      s.data.push_back(static_cast<uint8_t>(random()));
      write_byte(pool, s.head, s.data.back());
    }
    std::vector<SliceReader> readers;
    for (const Stream& s : streams) readers.emplace_back(pool, s.start, s.head);
    std::vector<std::vector<uint8_t>> read(streams.size());
    for (size_t left = total; left > 0;) {
      size_t k = random() % readers.size();
      if (readers[k].at_end()) continue;
      read[k].push_back(readers[k].read_byte());
      --left;
    }
    for (size_t k = 0; k < streams.size(); ++k) EXPECT_EQ(read[k], streams[k].data);
  }
}

TEST(Slices, BulkWriteLeavesTheSameBytesAsSingleWrites) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RamCounter counter;
    BytePool bulk_pool(counter);
    BytePool single_pool(counter);
    Stream bulk = new_stream(bulk_pool);
    Stream single = new_stream(single_pool);
    for (size_t written = 0; written < 50000;) {
      std::vector<uint8_t> piece(random() % 201);
      for (uint8_t& b : piece) b = static_cast<uint8_t>(random());
      write_bytes(bulk_pool, bulk.head, piece);
      for (uint8_t b : piece) write_byte(single_pool, single.head, b);
      written += piece.size();
    }
    ASSERT_EQ(bulk.head, single.head);
    std::vector<uint8_t> a(bulk_pool.position());
    std::vector<uint8_t> b(single_pool.position());
    ASSERT_EQ(a.size(), b.size());
    bulk_pool.read(0, a);
    single_pool.read(0, b);
    EXPECT_EQ(a, b);
  }
}

TEST(Slices, ABlockSizedSliceStartsAtZeroAndOneByteMoreIsRefused) {
  RamCounter counter;
  BytePool pool(counter);
  EXPECT_EQ(new_slice(pool, 32768), 0u);
  EXPECT_THROW(new_slice(pool, 32769), InvalidArgument);
}

TEST(Slices, VIntsRoundTrip) {
  RamCounter counter;
  BytePool pool(counter);
  Stream s = new_stream(pool);
  std::vector<uint32_t> values = {0, 1, 127, 128, 16383, 16384, 0x0fffffff, 0x10000000, ~0u};
  for (uint32_t v : values) write_vint(pool, s.head, v);
  SliceReader reader(pool, s.start, s.head);
  for (uint32_t v : values) EXPECT_EQ(reader.read_vint(), v);
  EXPECT_TRUE(reader.at_end());
}

}  // namespace
}  // namespace postern::lucene_layout
