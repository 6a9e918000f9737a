#include "lucene_layout/seed_stream.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "base/bytes.h"
#include "lucene_layout/field_postings.h"

namespace postern::lucene_layout {
namespace {

// FIPS 180-4; its constants are the fractional parts of roots of primes.
class Sha256 {
 public:
  Sha256() {
    uint32_t n = 0;
    for (uint32_t p = 2; n < 64; ++p) {
      bool prime = true;
      for (uint32_t d = 2; d * d <= p; ++d) prime &= p % d != 0;
      if (!prime) continue;
      if (n < 8) state_[n] = fraction_of_root(p, 2);
      constants_[n++] = fraction_of_root(p, 3);
    }
  }
  void add(uint8_t byte) {
    block_[length_++ % 64] = byte;
    if (length_ % 64 == 0) compress();
  }
  std::string hex() {
    uint64_t bits = length_ * 8;
    add(0x80);
    while (length_ % 64 != 56) add(0);
    for (int shift = 56; shift >= 0; shift -= 8) add(static_cast<uint8_t>(bits >> shift));
    std::string out;
    for (uint32_t word : state_) {
      char text[9];
      std::snprintf(text, sizeof text, "%08x", word);
      out += text;
    }
    return out;
  }

 private:
  // The first 32 fractional bits of the root, found bit by bit in integers.
  static uint32_t fraction_of_root(uint32_t p, int degree) {
    using Wide = unsigned __int128;
    uint64_t root = 0;  // of p * 2^(32 * degree)
    for (int bit = 36; bit >= 0; --bit) {
      uint64_t tried = root | uint64_t{1} << bit;
      Wide power = Wide{tried} * tried;
      if (degree == 3) power *= tried;
      if (power <= Wide{p} << (32 * degree)) root = tried;
    }
    return static_cast<uint32_t>(root);
  }
  void compress() {
    std::array<uint32_t, 64> w;
    for (size_t i = 0; i < 16; ++i) w[i] = load_be32(block_.data() + 4 * i);
    for (size_t i = 16; i < 64; ++i) {
      uint32_t a = w[i - 15];
      uint32_t b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    std::array<uint32_t, 8> s = state_;
    for (size_t i = 0; i < 64; ++i) {
      uint32_t t1 = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                    ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants_[i] + w[i];
      uint32_t t2 = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
                    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      std::rotate(s.begin(), s.end() - 1, s.end());
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (size_t i = 0; i < 8; ++i) state_[i] += s[i];
  }

  std::array<uint32_t, 8> state_{};
  std::array<uint32_t, 64> constants_{};
  std::array<uint8_t, 64> block_{};
  uint64_t length_ = 0;
};

std::string sha256(const SeedStream& stream) {
  Sha256 sha;
  for (uint32_t i = 0; i < stream.size(); ++i) {
    sha.add(static_cast<uint8_t>(stream[i].size()));
    for (uint8_t b : stream[i]) sha.add(b);
  }
  return sha.hex();
}

std::string hex(TermBytes bytes) {
  std::string out;
  for (uint8_t b : bytes) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", b);
    out += text;
  }
  return out;
}

TEST(Sha256, OfNothingAndAbc) {
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 abc;
  for (uint8_t b : {'a', 'b', 'c'}) abc.add(b);
  EXPECT_EQ(abc.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// The table of docs/formats/04 §1.1.
void expect_stream(const SeedStream& stream, const char* first, const char* sha, uint32_t terms,
                   uint64_t term_bytes) {
  ASSERT_EQ(stream.size(), 2097152u);
  EXPECT_EQ(hex(stream[0]), first);
  EXPECT_EQ(sha256(stream), sha);
  Pools pools(PoolLayout::kSeparate);
  FieldPostings field(pools, IndexOptions::kPositions);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < stream.size(); ++i) {
    auto added =
        field.add({.term = stream[i], .doc = i / stream.tokens_per_document(), .payload = {}});
    if (added.is_new) bytes += 1 + stream[i].size();
  }
  EXPECT_EQ(field.term_count(), terms);
  EXPECT_EQ(bytes, term_bytes);
}

TEST(SeedStream, Skew1) {
  expect_stream(SeedStream::skewed(1), "f2cb91e6dbdf52",
                "199a9f50b17608d056d108aeb9fb6fa4d1ca3b1f5acd375b8fb7c322e316b559", 233681,
                2429345);
}
TEST(SeedStream, Skew3) {
  expect_stream(SeedStream::skewed(3), "5e6d43cf",
                "9f99a1f4e159fc94ae5f7a371517488331d11c14344f09f4191f252dae7f212a", 228798,
                2377027);
}
TEST(SeedStream, Skew6) {
  expect_stream(SeedStream::skewed(6), "93",
                "4a647fe27719dd3c1731db957a8e7199d98fe002f6d32496e659caed762e4254", 209943,
                2177826);
}
TEST(SeedStream, Uuids) {
  expect_stream(SeedStream::uuids(), "ba0dae0c4ff146b5aa17e7735e6146b0",
                "2368457334e0825650afd693b18955adb5949e6ddf877a1e73e7e239fa4e2d2b", 2097152,
                35651584);
}

}  // namespace
}  // namespace postern::lucene_layout
