#include "codec/stored_fields_ints.h"

#include <algorithm>

#include "base/bytes.h"

namespace postern::codec {
namespace {

constexpr uint32_t kBlock = 128;

// Where value `index` of a whole block lies: its long and the shift within.
struct Lane {
  uint32_t row;
  uint32_t shift;
};
constexpr Lane lane_of(uint32_t index, uint32_t width_bytes) {
  const uint32_t rows = kBlock / 8 * width_bytes;
  const uint32_t lane = index / rows;
  return {index % rows, 64 - 8 * width_bytes * (lane + 1)};
}

template <uint32_t kBytes>
void write_blocks(std::span<const uint32_t>& values, store::IndexOutput& out) {
  constexpr uint32_t kRows = kBlock / 8 * kBytes, kLanes = 8 / kBytes;
  while (values.size() >= kBlock) {
    for (uint32_t row = 0; row < kRows; ++row) {
      uint64_t word = 0;
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        word = word << (8 * kBytes) | values[lane * kRows + row];
      out.write_le64(word);
    }
    values = values.subspan(kBlock);
  }
}

}  // namespace

void write_stored_fields_ints(std::span<const uint32_t> values, store::IndexOutput& out) {
  if (values.size() == 1) {
    out.write_vint(values[0]);
    return;
  }
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  if (*min == *max) {
    out.write_byte(0);
    out.write_vint(*max);
  } else if (*max < 1u << 8) {
    out.write_byte(8);
    write_blocks<1>(values, out);
    for (uint32_t v : values) out.write_byte(static_cast<uint8_t>(v));
  } else if (*max < 1u << 16) {
    out.write_byte(16);
    write_blocks<2>(values, out);
    for (uint32_t v : values) out.write_le16(static_cast<uint16_t>(v));
  } else {
    out.write_byte(32);
    write_blocks<4>(values, out);
    for (uint32_t v : values) out.write_le32(v);
  }
}

StoredFieldsInts::StoredFieldsInts(ByteReader& in, uint32_t count) : count_(count) {
  const uint32_t bits = count == 1 ? 0 : in.read_byte();
  if (bits == 0) {
    constant_ = in.read_vint();
  } else if (bits == 8 || bits == 16 || bits == 32) {
    width_ = bits / 8;
    bytes_ = in.read_bytes(uint64_t{count} * width_);
  } else {
    in.fail("integers of " + std::to_string(bits) + " bits");
  }
}

uint32_t StoredFieldsInts::get(uint32_t index) const {
  if (width_ == 0) return constant_;
  const uint8_t* p = bytes_.data();
  const uint32_t in_block = index % kBlock;
  const uint32_t block_start = index - in_block;
  if (count_ - block_start >= kBlock) {
    const Lane lane = lane_of(in_block, width_);
    const uint64_t word = load_le<uint64_t>(p + uint64_t{block_start} * width_ + 8 * lane.row);
    return static_cast<uint32_t>(word >> lane.shift & (~uint64_t{0} >> (64 - 8 * width_)));
  }
  p += uint64_t{index} * width_;
  return width_ == 1 ? *p : width_ == 2 ? load_le<uint16_t>(p) : load_le<uint32_t>(p);
}

uint64_t StoredFieldsInts::sum(uint32_t count) const {
  if (width_ == 0) return uint64_t{count} * constant_;
  uint64_t total = 0;
  for (uint32_t i = 0; i < count; ++i) total += get(i);
  return total;
}

}  // namespace postern::codec
