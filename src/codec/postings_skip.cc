#include "codec/postings_skip.h"

#include <string>

namespace postern::codec {

SkipEntry read_skip_entry(ByteReader& in, size_t end, const PostingsParts& parts, SkipLevel level) {
  SkipEntry entry;
  if (parts.freqs) {
    const uint64_t length = level == SkipLevel::kBlock ? in.read_vlong() : in.read_le16();
    if (length > end - std::min(end, in.position()))
      in.fail("impacts of " + std::to_string(length) + " bytes in a skip entry that ends before");
    entry.impact_bytes = static_cast<uint32_t>(length);
    ByteReader impacts(in.read_bytes(length), in.name());
    entry.impacts = read_impacts(impacts);
  }
  if (parts.positions) {
    entry.pos_fp_delta = in.read_vlong();
    entry.pos_upto = in.read_byte();
    if (parts.pay()) {
      entry.pay_fp_delta = in.read_vlong();
      entry.pay_upto = in.read_vint();
    }
  }
  if (in.position() != end) in.fail("a skip entry of another length");
  return entry;
}

}  // namespace postern::codec
