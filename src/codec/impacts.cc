#include "codec/impacts.h"

#include <bit>

#include "base/bytes.h"

namespace postern::codec {

void ImpactAccumulator::merge(const ImpactAccumulator& other) {
  for (uint32_t word = 0; word < 4; ++word) {
    for (uint64_t bits = other.seen_[word]; bits != 0; bits &= bits - 1) {
      uint32_t norm = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
      max_freq_[norm] = std::max(max_freq_[norm], other.max_freq_[norm]);
    }
    seen_[word] |= other.seen_[word];
  }
}

uint32_t ImpactAccumulator::encode(ByteBuffer& out) const {
  uint32_t pairs = 0;
  uint32_t freq = 0;
  int64_t norm = 0;
  for (uint32_t word = 0; word < 4; ++word) {
    for (uint64_t bits = seen_[word]; bits != 0; bits &= bits - 1) {
      uint32_t index = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
      if (max_freq_[index] <= freq) continue;
      // Norm bytes are signed 64-bit numbers to a reader, which orders them unsigned: as the bytes.
      int64_t next_norm = static_cast<int8_t>(index);
      uint32_t freq_delta = max_freq_[index] - freq - 1;
      int64_t norm_delta = next_norm - norm - 1;
      if (norm_delta == 0) {
        out.write_vint(freq_delta << 1);
      } else {
        out.write_vint(freq_delta << 1 | 1);
        out.write_zlong(norm_delta);
      }
      freq = max_freq_[index];
      norm = next_norm;
      ++pairs;
    }
  }
  return pairs;
}

void ImpactAccumulator::clear() {
  for (uint32_t word = 0; word < 4; ++word) {
    for (uint64_t bits = seen_[word]; bits != 0; bits &= bits - 1)
      max_freq_[word * 64 + static_cast<uint32_t>(std::countr_zero(bits))] = 0;
    seen_[word] = 0;
  }
}

std::vector<Impact> read_impacts(ByteReader& in) {
  std::vector<Impact> out;
  uint64_t freq = 0;
  uint64_t norm = 0;
  while (in.remaining() > 0) {
    uint32_t code = in.read_vint();
    freq += 1 + (code >> 1);
    uint64_t norm_delta = code & 1 ? static_cast<uint64_t>(in.read_zlong()) : 0;
    uint64_t next_norm = norm + 1 + norm_delta;
    if (freq > INT32_MAX) in.fail("an impact's frequency of " + std::to_string(freq));
    if (!out.empty() && next_norm <= norm) in.fail("impacts whose norms do not ascend");
    norm = next_norm;
    out.push_back({static_cast<uint32_t>(freq), static_cast<int64_t>(norm)});
  }
  if (out.empty()) in.fail("an empty list of impacts");
  return out;
}

}  // namespace postern::codec
