#include "codec/postings_doc_block.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bytes.h"
#include "codec/for_util.h"

namespace postern::codec {

void write_doc_block(ByteBuffer& out, const uint32_t* deltas, uint64_t range) {
  if (range == kForValues) {
    out.write_byte(0);
    return;
  }
  uint32_t all = 0;
  for (uint32_t i = 0; i < kForValues; ++i) all |= deltas[i];
  uint32_t bits = bit_length(all);
  if (kForValues * std::min(32u, bits + 1) <= range) {
    out.write_byte(static_cast<uint8_t>(bits));
    encode_for(deltas, bits, out.reserve(32 * bits));
    out.advance(32 * bits);
    return;
  }
  // Sparse blocks took the branch above, which leaves at most 52 words.
  std::array<uint64_t, 128> words{};
  uint32_t count = static_cast<uint32_t>((range + 63) / 64);
  uint64_t at = UINT64_MAX;  // -1
  for (uint32_t i = 0; i < kForValues; ++i) {
    at += deltas[i];
    words[at >> 6] |= uint64_t{1} << (at & 63);
  }
  out.write_byte(static_cast<uint8_t>(0u - count));
  out.write(reinterpret_cast<const uint8_t*>(words.data()), count * 8);
}

void read_doc_block(ByteReader& in, uint32_t base, uint32_t* docs) {
  int32_t token = static_cast<int8_t>(in.read_byte());
  int64_t doc = base == UINT32_MAX ? -1 : static_cast<int64_t>(base);
  auto check = [&](int64_t last) {
    if (last > INT32_MAX) in.fail("a document beyond 2^31 - 1");
  };
  if (token == 0) {
    check(doc + kForValues);
    for (uint32_t i = 0; i < kForValues; ++i) docs[i] = static_cast<uint32_t>(++doc);
  } else if (token > 0) {
    if (token > static_cast<int32_t>(kMaxForBits))
      in.fail("a document block of " + std::to_string(token) + " bits");
    uint32_t bits = static_cast<uint32_t>(token);
    decode_for(in.read_bytes(32 * bits).data(), bits, docs);
    for (uint32_t i = 0; i < kForValues; ++i) {
      if (docs[i] == 0) in.fail("a document twice in one list");
      doc += docs[i];
      check(doc);
      docs[i] = static_cast<uint32_t>(doc);
    }
  } else {
    uint32_t count = static_cast<uint32_t>(-token);
    const uint8_t* words = in.read_bytes(8 * count).data();
    check(doc + 64 * count);
    uint32_t n = 0;
    for (uint32_t w = 0; w < count; ++w) {
      uint64_t bits = load_le<uint64_t>(words + 8 * w);
      if (n + static_cast<uint32_t>(std::popcount(bits)) > kForValues)
        in.fail("a bit set of more than 256 documents");
      for (; bits != 0; bits &= bits - 1)
        docs[n++] = static_cast<uint32_t>(doc + 1 + 64 * w + std::countr_zero(bits));
    }
    if (n != kForValues) in.fail("a bit set of " + std::to_string(n) + " documents, not 256");
  }
}

}  // namespace postern::codec
