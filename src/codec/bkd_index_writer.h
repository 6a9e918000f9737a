// The inner nodes of a points tree, packed (docs/formats/23 §4).
#pragma once

#include <cstdint>
#include <vector>

#include "base/byte_buffer.h"
#include "codec/points_format.h"

namespace postern::codec {

// Where the leaves of a tree lie and what separates them.
struct BkdNodes {
  std::vector<uint64_t> leaf_starts;  // in .kdd, ascending
  // Between leaf i and leaf i + 1: the dimension of the split, and its value (`bytes` bytes each).
  std::vector<uint8_t> split_dimensions;
  std::vector<uint8_t> split_values;
};

// Sets `out` to the packed index.
void pack_bkd_index(const BkdShape& shape, const BkdNodes& nodes, ByteBuffer& out);

}  // namespace postern::codec
