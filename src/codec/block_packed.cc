#include "codec/block_packed.h"

#include <string>

namespace postern::codec {
namespace {

uint64_t read_long_vlong(ByteReader& in) {
  uint64_t v = 0;
  for (uint32_t shift = 0; shift < 56; shift += 7) {
    const uint8_t b = in.read_byte();
    v |= static_cast<uint64_t>(b & 0x7f) << shift;
    if (b < 0x80) return v;
  }
  return v | static_cast<uint64_t>(in.read_byte()) << 56;
}

}  // namespace

void read_block_packed(ByteReader& in, uint64_t count, std::vector<int64_t>& out) {
  while (count > 0) {
    const uint64_t n = std::min<uint64_t>(count, kPackedBlock);
    const uint8_t token = in.read_byte();
    const uint32_t width = token >> 1;
    if (width > 64) in.fail("packed values of " + std::to_string(width) + " bits");
    const uint64_t min =
        (token & 1) != 0 ? 0 : static_cast<uint64_t>(unzigzag64(read_long_vlong(in) + 1));
    const size_t start = out.size();
    if (width == 0) {
      out.resize(start + n, 0);
    } else {
      read_packed(in, n, width, out);
    }
    for (size_t i = start; i < out.size(); ++i)
      out[i] = static_cast<int64_t>(static_cast<uint64_t>(out[i]) + min);
    count -= n;
  }
}

}  // namespace postern::codec
