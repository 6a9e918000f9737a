#include "codec/for_util.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/bytes.h"

namespace postern::codec {
namespace {

struct Layout {
  uint32_t lane_bits;
  uint32_t per_lane;  // values of one lane
  uint32_t words;
  uint32_t whole;      // whole values of one lane per word
  uint32_t rest_bits;  // bits of the lane below them

  explicit constexpr Layout(uint32_t bits)
      : lane_bits(bits <= 8    ? 8
                  : bits <= 16 ? 16
                               : 32),
        per_lane(8 * lane_bits),
        words(8 * bits),
        whole(lane_bits / bits),
        rest_bits(lane_bits % bits) {}
  // The low `width` bits of every lane.
  constexpr uint32_t mask(uint32_t width) const {
    uint32_t lane = width == 32 ? ~0u : (1u << width) - 1;
    return lane_bits == 8 ? lane * 0x01010101u : lane_bits == 16 ? lane * 0x00010001u : lane;
  }
};

// Puts value i of every lane side by side in word i, so that one operation serves all lanes.
void merge_lanes(const uint32_t* __restrict v, uint32_t lane_bits, uint32_t* __restrict merged) {
  if (lane_bits == 8) {
    for (uint32_t i = 0; i < 64; ++i)
      merged[i] = v[i] << 24 | v[64 + i] << 16 | v[128 + i] << 8 | v[192 + i];
  } else if (lane_bits == 16) {
    for (uint32_t i = 0; i < 128; ++i) merged[i] = v[i] << 16 | v[128 + i];
  } else {
    std::memcpy(merged, v, kForValues * sizeof(uint32_t));
  }
}

void split_lanes(const uint32_t* __restrict merged, uint32_t lane_bits, uint32_t* __restrict v) {
  if (lane_bits == 8) {
    for (uint32_t i = 0; i < 64; ++i) {
      v[i] = merged[i] >> 24;
      v[64 + i] = merged[i] >> 16 & 0xff;
      v[128 + i] = merged[i] >> 8 & 0xff;
      v[192 + i] = merged[i] & 0xff;
    }
  } else if (lane_bits == 16) {
    for (uint32_t i = 0; i < 128; ++i) {
      v[i] = merged[i] >> 16;
      v[128 + i] = merged[i] & 0xffff;
    }
  } else {
    std::memcpy(v, merged, kForValues * sizeof(uint32_t));
  }
}

// Word kJ of a period of encode_rest: r = kRest bits from the bit string of b = kBits wide values.
template <uint32_t kBits, uint32_t kRest, size_t kJ>
void encode_rest_word(const uint32_t* merged, const Layout& layout, uint32_t* words) {
  constexpr uint32_t kValue = kJ * kRest / kBits;
  constexpr uint32_t kLeft = kBits - kJ * kRest % kBits;  // bits of that value not written yet
  if constexpr (kRest <= kLeft) {
    words[kJ] |= merged[kValue] >> (kLeft - kRest) & layout.mask(kRest);
  } else {
    constexpr uint32_t kMore = kRest - kLeft;
    words[kJ] |= (merged[kValue] & layout.mask(kLeft)) << kMore |
                 (merged[kValue + 1] >> (kBits - kMore) & layout.mask(kMore));
  }
}

template <uint32_t kBits, uint32_t kRest, size_t... kJ>
void encode_rest_period(const uint32_t* merged, const Layout& layout, uint32_t* words,
                        std::index_sequence<kJ...>) {
  (encode_rest_word<kBits, kRest, kJ>(merged, layout, words), ...);
}

// Cuts the bit string of the values from `merged` on into pieces of rest_bits, one per word. After
// a period of words the cuts fall on the values' borders again; its shifts and masks are constants.
template <uint32_t kBits>
void encode_rest(const uint32_t* merged, uint32_t* words) {
  constexpr Layout kLayout(kBits);
  constexpr uint32_t kRest = kLayout.rest_bits;
  if constexpr (kRest != 0) {
    constexpr uint32_t kCommon = std::gcd(kBits, kRest);
    constexpr uint32_t kWords = kBits / kCommon;
    constexpr uint32_t kValues = kRest / kCommon;
    for (uint32_t period = 0; period < kLayout.words / kWords; ++period)
      encode_rest_period<kBits, kRest>(merged + period * kValues, kLayout, words + period * kWords,
                                       std::make_index_sequence<kWords>());
  }
}

using EncodeRest = void (*)(const uint32_t* merged, uint32_t* words);
template <size_t... kBits>
constexpr std::array<EncodeRest, kMaxForBits> encode_rest_of(std::index_sequence<kBits...>) {
  return {encode_rest<kBits + 1>...};
}
constexpr auto kEncodeRest = encode_rest_of(std::make_index_sequence<kMaxForBits>());

void decode_rest(const uint32_t* words, uint32_t bits, const Layout& layout, uint32_t* merged) {
  uint32_t left = bits;  // bits of *merged still missing
  *merged = 0;
  for (uint32_t j = 0; j < layout.words; ++j) {
    for (uint32_t have = layout.rest_bits; have > 0;) {
      uint32_t take = std::min(have, left);
      have -= take;
      left -= take;
      *merged |= (words[j] >> have & layout.mask(take)) << left;
      if (left == 0 && (j + 1 < layout.words || have > 0)) {
        *++merged = 0;
        left = bits;
      }
    }
  }
}

}  // namespace

void encode_for(const uint32_t* values, uint32_t bits, uint8_t* out) {
  assert(bits >= 1 && bits <= kMaxForBits);
  Layout layout(bits);
  std::array<uint32_t, kForValues> merged;
  std::array<uint32_t, 8 * kMaxForBits> words;
  merge_lanes(values, layout.lane_bits, merged.data());
  uint32_t count = layout.words;
  uint32_t shift = layout.lane_bits - bits;
  for (uint32_t j = 0; j < count; ++j) words[j] = merged[j] << shift;
  for (uint32_t q = 1; q < layout.whole; ++q) {
    shift -= bits;
    const uint32_t* column = merged.data() + q * count;
    for (uint32_t j = 0; j < count; ++j) words[j] |= column[j] << shift;
  }
  kEncodeRest[bits - 1](merged.data() + layout.whole * count, words.data());
  std::memcpy(out, words.data(), count * sizeof(uint32_t));
}

void decode_for(const uint8_t* in, uint32_t bits, uint32_t* values) {
  assert(bits >= 1 && bits <= kMaxForBits);
  Layout layout(bits);
  std::array<uint32_t, kForValues> merged;
  std::array<uint32_t, 8 * kMaxForBits> words;
  uint32_t count = layout.words;
  std::memcpy(words.data(), in, count * sizeof(uint32_t));
  uint32_t mask = layout.mask(bits);
  uint32_t shift = layout.lane_bits;
  for (uint32_t q = 0; q < layout.whole; ++q) {
    shift -= bits;
    uint32_t* column = merged.data() + q * count;
    for (uint32_t j = 0; j < count; ++j) column[j] = words[j] >> shift & mask;
  }
  if (layout.rest_bits != 0)
    decode_rest(words.data(), bits, layout, merged.data() + layout.whole * count);
  split_lanes(merged.data(), layout.lane_bits, values);
}

}  // namespace postern::codec
