#include "codec/bkd_leaf_writer.h"

#include <algorithm>
#include <bitset>
#include <cassert>
#include <cstring>

#include "base/bytes.h"
#include "base/point_record.h"
#include "codec/bkd_doc_ids.h"

namespace postern::codec {
namespace {

// Points of one group; its length is one byte.
constexpr size_t kMaxGroup = 255;

uint32_t common_prefix(const uint8_t* a, const uint8_t* b, uint32_t limit) {
  uint32_t n = 0;
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

}  // namespace

void BkdLeafWriter::write(size_t from, size_t to) {
  find_prefixes(from, to);
  const uint32_t sorted = sorted_dimension(from + 1, to);
  records_.sort(from, to, sorted);
  write_block(from, to, sorted);
}

void BkdLeafWriter::write_sorted(size_t from, size_t to) {
  assert(shape_.dimensions == 1);
  prefixes_[0] = common_prefix(records_.at(from), records_.at(to - 1), shape_.bytes);
  write_block(from, to, 0);
}

void BkdLeafWriter::find_prefixes(size_t from, size_t to) {
  const uint8_t* first = records_.at(from);
  for (uint32_t d = 0; d < shape_.dimensions; ++d) {
    const size_t at = size_t{d} * shape_.bytes;
    uint32_t prefix = shape_.bytes;
    for (size_t i = from + 1; i < to && prefix != 0; ++i)
      prefix = common_prefix(first + at, records_.at(i) + at, prefix);
    prefixes_[d] = prefix;
  }
}

// The dimension with the fewest distinct bytes behind its prefix among [from, to).
uint32_t BkdLeafWriter::sorted_dimension(size_t from, size_t to) const {
  uint32_t best = 0;
  size_t fewest = 257;
  for (uint32_t d = 0; d < shape_.dimensions; ++d) {
    if (prefixes_[d] == shape_.bytes) continue;
    const size_t at = size_t{d} * shape_.bytes + prefixes_[d];
    std::bitset<256> used;
    for (size_t i = from; i < to; ++i) used.set(records_.at(i)[at]);
    if (used.count() < fewest) {
      fewest = used.count();
      best = d;
    }
  }
  return best;
}

bool BkdLeafWriter::same_value(size_t i, size_t j) const {
  if (shape_.value_bytes() == 4)
    return load_le<uint32_t>(records_.at(i)) == load_le<uint32_t>(records_.at(j));
  if (shape_.value_bytes() == 8)
    return load_le<uint64_t>(records_.at(i)) == load_le<uint64_t>(records_.at(j));
  return std::memcmp(records_.at(i), records_.at(j), shape_.value_bytes()) == 0;
}

void BkdLeafWriter::write_block(size_t from, size_t to, uint32_t sorted) {
  out_.write_vint(static_cast<uint32_t>(to - from));
  write_docs(from, to);
  uint32_t suffix = shape_.value_bytes();
  for (uint32_t d = 0; d < shape_.dimensions; ++d) {
    out_.write_vint(prefixes_[d]);
    out_.write_bytes({records_.at(from) + size_t{d} * shape_.bytes, prefixes_[d]});
    suffix -= prefixes_[d];
  }
  if (suffix == 0) {
    out_.write_byte(static_cast<uint8_t>(kValuesEqual));
    return;
  }
  const size_t count = to - from;
  const size_t at = size_t{sorted} * shape_.bytes + prefixes_[sorted];
  size_t runs = 1;
  size_t groups = 1;
  size_t in_group = 1;
  for (size_t i = from + 1; i < to; ++i) {
    if (records_.at(i)[at] != records_.at(i - 1)[at] || in_group == kMaxGroup) {
      ++groups;
      in_group = 0;
    }
    ++in_group;
    if (!same_value(i, i - 1)) ++runs;
  }
  const bool low_cardinality =
      runs != count && runs * (suffix + 1) <= count * (suffix - 1) + 2 * groups;
  out_.write_byte(low_cardinality ? static_cast<uint8_t>(kValuesLowCardinality)
                                  : static_cast<uint8_t>(sorted));
  if (shape_.index_dimensions != 1) write_bounds(from, to);
  if (low_cardinality) {
    write_runs(from, to);
  } else {
    write_groups(from, to, sorted);
  }
}

void BkdLeafWriter::write_docs(size_t from, size_t to) {
  std::array<uint32_t, kPointsPerLeaf> docs;
  for (size_t i = from; i < to; ++i)
    docs[i - from] = point_record_doc(records_.at(i), shape_.value_bytes());
  write_bkd_docs({docs.data(), to - from}, out_);
}

void BkdLeafWriter::write_bounds(size_t from, size_t to) {
  for (uint32_t d = 0; d < shape_.index_dimensions; ++d) {
    const uint32_t prefix = prefixes_[d];
    const size_t suffix = shape_.bytes - prefix;
    const size_t at = size_t{d} * shape_.bytes + prefix;
    const uint8_t* low = records_.at(from) + at;
    const uint8_t* high = low;
    for (size_t i = from + 1; suffix != 0 && i < to; ++i) {
      const uint8_t* value = records_.at(i) + at;
      if (std::memcmp(value, low, suffix) < 0) low = value;
      if (std::memcmp(value, high, suffix) > 0) high = value;
    }
    out_.write_bytes({low, suffix});
    out_.write_bytes({high, suffix});
  }
}

void BkdLeafWriter::write_runs(size_t from, size_t to) {
  for (size_t i = from; i < to;) {
    size_t end = i + 1;
    while (end < to && same_value(i, end)) ++end;
    out_.write_vint(static_cast<uint32_t>(end - i));
    for (uint32_t d = 0; d < shape_.dimensions; ++d)
      out_.write_bytes(
          {records_.at(i) + size_t{d} * shape_.bytes + prefixes_[d], shape_.bytes - prefixes_[d]});
    i = end;
  }
}

void BkdLeafWriter::write_groups(size_t from, size_t to, uint32_t sorted) {
  const size_t byte_at = size_t{sorted} * shape_.bytes + prefixes_[sorted];
  for (size_t i = from; i < to;) {
    const uint8_t byte = records_.at(i)[byte_at];
    size_t end = i + 1;
    while (end < to && end - i < kMaxGroup && records_.at(end)[byte_at] == byte) ++end;
    // A group has at most 2 + 255 · 255 bytes, less than one reserve() may ask for.
    uint8_t* const start = out_.reserve(2 + (end - i) * (shape_.value_bytes() - 1));
    uint8_t* p = start;
    *p++ = byte;
    *p++ = static_cast<uint8_t>(end - i);
    for (; i < end; ++i) {
      const uint8_t* value = records_.at(i);
      for (uint32_t d = 0; d < shape_.dimensions; ++d) {
        for (uint32_t b = prefixes_[d] + (d == sorted ? 1 : 0); b < shape_.bytes; ++b)
          *p++ = value[b];
        value += shape_.bytes;
      }
    }
    out_.advance(static_cast<size_t>(p - start));
  }
}

}  // namespace postern::codec
