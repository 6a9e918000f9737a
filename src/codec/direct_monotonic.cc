#include "codec/direct_monotonic.h"

namespace postern::codec {

DirectMonotonicReader::DirectMonotonicReader(ByteReader& meta, std::span<const uint8_t> data,
                                             uint64_t count, uint32_t block_shift) {
  *this = read_meta(meta, count, block_shift);
  bind(data, meta.name());
}

DirectMonotonicReader DirectMonotonicReader::read_meta(ByteReader& meta, uint64_t count,
                                                       uint32_t block_shift) {
  DirectMonotonicReader reader;
  reader.count_ = count;
  reader.block_shift_ = block_shift;
  const uint64_t blocks =
      (count >> block_shift) + ((count & ((uint64_t{1} << block_shift) - 1)) != 0);
  if (blocks > meta.remaining() / kDirectMonotonicBlockMeta)
    meta.fail(std::to_string(blocks) + " blocks of a monotonic array");
  reader.meta_ = meta.read_bytes(blocks * kDirectMonotonicBlockMeta);
  for (uint64_t b = 0; b < blocks; ++b) {
    const uint8_t width = reader.meta_[b * kDirectMonotonicBlockMeta + 20];
    if (width != 0 && !is_direct_width(width))
      meta.fail("a monotonic array of " + std::to_string(width) + " bits");
  }
  return reader;
}

void DirectMonotonicReader::bind(std::span<const uint8_t> data, std::string_view file) {
  data_ = data;
  const uint64_t block_size = uint64_t{1} << block_shift_;
  for (uint64_t b = 0; b * block_size < count_; ++b) {
    const uint8_t* block = meta_.data() + b * kDirectMonotonicBlockMeta;
    if (block[20] == 0) continue;
    const auto offset = load_le<uint64_t>(block + 12);
    const uint64_t size = direct_size(std::min(block_size, count_ - b * block_size), block[20]);
    if (offset > data.size() || size > data.size() - offset)
      throw CorruptIndex(std::string(file) + ": a monotonic block of " + std::to_string(size) +
                         " bytes at " + std::to_string(offset) + " of " +
                         std::to_string(data.size()));
  }
}

}  // namespace postern::codec
