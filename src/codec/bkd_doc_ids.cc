#include "codec/bkd_doc_ids.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "codec/points_format.h"

namespace postern::codec {
namespace {

using Docs = std::span<const uint32_t>;

constexpr uint32_t kMax21 = 0x1fffff;
constexpr uint32_t kMax24 = 0xffffff;
constexpr uint32_t kMaxSpan16 = 0xffff;
// A bit set may have this many bits per document.
constexpr uint32_t kBitsPerDoc = 16;

// Documents that the first, interleaved part of tag 21 holds three at a time.
constexpr uint32_t thirds(uint32_t count) { return count / 3 & ~15u; }

void write_24_bits(uint32_t doc, store::IndexOutput& out) {
  out.write_le16(static_cast<uint16_t>(doc));
  out.write_byte(static_cast<uint8_t>(doc >> 16));
}

void write_bit_set(Docs docs, store::IndexOutput& out) {
  const uint32_t first_word = docs.front() >> 6;
  const uint32_t words = (docs.back() >> 6) - first_word + 1;
  out.write_vint(first_word);
  out.write_vint(words);
  size_t i = 0;
  for (uint32_t word = first_word; word < first_word + words; ++word) {
    uint64_t bits = 0;
    for (; i < docs.size() && docs[i] >> 6 == word; ++i) bits |= uint64_t{1} << (docs[i] & 63);
    out.write_le64(bits);
  }
}

void write_delta_16(Docs docs, uint32_t min, store::IndexOutput& out) {
  out.write_vint(min);
  const size_t half = docs.size() / 2;
  for (size_t i = 0; i < half; ++i) out.write_le32((docs[i] - min) << 16 | (docs[half + i] - min));
  if (docs.size() % 2 != 0) out.write_le16(static_cast<uint16_t>(docs.back() - min));
}

void write_21(Docs docs, store::IndexOutput& out) {
  const size_t third = thirds(static_cast<uint32_t>(docs.size()));
  for (size_t i = 0; i < third; ++i) out.write_le32(docs[i] << 11 | (docs[2 * third + i] & 0x7ff));
  for (size_t i = 0; i < third; ++i)
    out.write_le32(docs[third + i] << 11 | docs[2 * third + i] >> 11);
  size_t i = 3 * third;
  for (; i + 2 < docs.size(); i += 3)
    out.write_le64(docs[i] | uint64_t{docs[i + 1]} << 21 | uint64_t{docs[i + 2]} << 42);
  for (; i < docs.size(); ++i) write_24_bits(docs[i], out);
}

void write_24(Docs docs, store::IndexOutput& out) {
  const size_t quarter = docs.size() / 4;
  for (size_t part = 0; part < 3; ++part)
    for (size_t i = 0; i < quarter; ++i)
      out.write_le32(docs[part * quarter + i] << 8 | (docs[3 * quarter + i] >> (8 * part) & 0xff));
  for (size_t i = 4 * quarter; i < docs.size(); ++i) write_24_bits(docs[i], out);
}

void write_tag(int8_t tag, store::IndexOutput& out) { out.write_byte(static_cast<uint8_t>(tag)); }

uint32_t read_24_bits(ByteReader& in) {
  const uint32_t low = in.read_le16();
  return low | static_cast<uint32_t>(in.read_byte()) << 16;
}

void read_bit_set(ByteReader& in, uint32_t count, uint32_t max_doc, std::vector<uint32_t>& docs) {
  const uint32_t first_word = in.read_vint();
  const uint32_t words = in.read_vint();
  if (words > in.remaining() / 8 || uint64_t{first_word} + words > max_doc / 64 + 1)
    in.fail("a leaf's bit set of " + std::to_string(words) + " words from word " +
            std::to_string(first_word));
  for (uint32_t word = first_word; word < first_word + words; ++word) {
    for (uint64_t bits = in.read_le64(); bits != 0; bits &= bits - 1) {
      if (docs.size() == count) in.fail("a leaf's bit set of more than its documents");
      docs.push_back(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
}

void read_delta_16(ByteReader& in, uint32_t count, std::vector<uint32_t>& docs) {
  const uint32_t min = in.read_vint();
  if (min > 0x7fffffff) in.fail("a leaf whose first document is " + std::to_string(min));
  const uint32_t half = count / 2;
  docs.resize(count);
  for (uint32_t i = 0; i < half; ++i) {
    const uint32_t word = in.read_le32();
    docs[i] = min + (word >> 16);
    docs[half + i] = min + (word & 0xffff);
  }
  if (count % 2 != 0) docs[count - 1] = min + in.read_le16();
}

void read_21(ByteReader& in, uint32_t count, std::vector<uint32_t>& docs) {
  const uint32_t third = thirds(count);
  docs.resize(count);
  for (uint32_t i = 0; i < third; ++i) {
    const uint32_t word = in.read_le32();
    docs[i] = word >> 11;
    docs[2 * third + i] = word & 0x7ff;
  }
  for (uint32_t i = 0; i < third; ++i) {
    const uint32_t word = in.read_le32();
    docs[third + i] = word >> 11;
    docs[2 * third + i] |= (word & 0x7ff) << 11;
  }
  uint32_t i = 3 * third;
  for (; i + 2 < count; i += 3) {
    const uint64_t word = in.read_le64();
    docs[i] = word & kMax21;
    docs[i + 1] = word >> 21 & kMax21;
    docs[i + 2] = static_cast<uint32_t>(std::min<uint64_t>(word >> 42, 0xffffffff));
  }
  for (; i < count; ++i) docs[i] = read_24_bits(in);
}

void read_24(ByteReader& in, uint32_t count, std::vector<uint32_t>& docs) {
  const uint32_t quarter = count / 4;
  docs.assign(count, 0);
  for (uint32_t part = 0; part < 3; ++part) {
    for (uint32_t i = 0; i < quarter; ++i) {
      const uint32_t word = in.read_le32();
      docs[part * quarter + i] = word >> 8;
      docs[3 * quarter + i] |= (word & 0xff) << (8 * part);
    }
  }
  for (uint32_t i = 4 * quarter; i < count; ++i) docs[i] = read_24_bits(in);
}

}  // namespace

void write_bkd_docs(Docs docs, store::IndexOutput& out) {
  assert(!docs.empty() && docs.size() <= kPointsPerLeaf);
  bool ascending = true;
  uint32_t min = docs[0];
  uint32_t max = docs[0];
  for (size_t i = 1; i < docs.size(); ++i) {
    ascending &= docs[i - 1] < docs[i];
    min = std::min(min, docs[i]);
    max = std::max(max, docs[i]);
  }
  const uint64_t span = uint64_t{max} - min + 1;
  if (ascending && span == docs.size()) {
    write_tag(kDocsContinuous, out);
    out.write_vint(min);
  } else if (ascending && span <= kBitsPerDoc * docs.size()) {
    write_tag(kDocsBitSet, out);
    write_bit_set(docs, out);
  } else if (span <= kMaxSpan16) {
    write_tag(kDocsDelta16, out);
    write_delta_16(docs, min, out);
  } else if (max <= kMax21) {
    write_tag(kDocs21, out);
    write_21(docs, out);
  } else if (max <= kMax24) {
    write_tag(kDocs24, out);
    write_24(docs, out);
  } else {
    write_tag(kDocs32, out);
    for (uint32_t doc : docs) out.write_le32(doc);
  }
}

void read_bkd_docs(ByteReader& in, uint32_t count, uint32_t max_doc, std::vector<uint32_t>& docs) {
  docs.clear();
  switch (const auto tag = static_cast<int8_t>(in.read_byte()); tag) {
    case kDocsContinuous: {
      const uint32_t first = in.read_vint();
      if (first >= max_doc || count > max_doc - first)
        in.fail("a leaf of " + std::to_string(count) + " documents from " + std::to_string(first));
      for (uint32_t i = 0; i < count; ++i) docs.push_back(first + i);
      break;
    }
    case kDocsBitSet:
      read_bit_set(in, count, max_doc, docs);
      break;
    case kDocsDelta16:
      read_delta_16(in, count, docs);
      break;
    case kDocs21:
      read_21(in, count, docs);
      break;
    case kDocs24:
      read_24(in, count, docs);
      break;
    case kDocs32:
      for (uint32_t i = 0; i < count; ++i) docs.push_back(in.read_le32());
      break;
    default:
      in.fail("a leaf's documents in encoding " + std::to_string(tag));
  }
  if (docs.size() != count)
    in.fail("a leaf of " + std::to_string(docs.size()) + " documents for " + std::to_string(count) +
            " points");
  for (uint32_t doc : docs)
    if (doc >= max_doc)
      in.fail("a point of document " + std::to_string(doc) + " of " + std::to_string(max_doc));
}

}  // namespace postern::codec
