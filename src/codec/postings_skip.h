// What readers jump by in a postings list: the entries in front of full blocks and of groups of 32
// of them (docs/formats/30 §5.1, §5.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "codec/impacts.h"
#include "codec/postings_format.h"

namespace postern::codec {

enum class SkipLevel { kBlock, kGroup };

struct SkipEntry {
  std::vector<Impact> impacts;  // empty without freqs
  uint32_t impact_bytes = 0;
  uint64_t pos_fp_delta = 0;
  uint32_t pos_upto = 0;
  uint64_t pay_fp_delta = 0;
  uint32_t pay_upto = 0;
};

// Maxima that `.psm` records, for readers with buffers of a fixed size.
struct ImpactMaxima {
  uint32_t block_pairs = 0;
  uint32_t block_bytes = 0;
  uint32_t group_pairs = 0;
  uint32_t group_bytes = 0;
};

// Reads the part behind the lengths, which must end at byte `end`. Throws CorruptIndex.
SkipEntry read_skip_entry(ByteReader& in, size_t end, const PostingsParts& parts, SkipLevel level);

}  // namespace postern::codec
