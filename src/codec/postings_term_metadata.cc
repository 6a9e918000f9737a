#include "codec/postings_term_metadata.h"

#include <cassert>

namespace postern::codec {

void write_term_metadata(ByteBuffer& out, const TermState& state, const TermState& previous,
                         const PostingsParts& parts) {
  assert(state.doc_start >= previous.doc_start && state.pos_start >= previous.pos_start);
  if (state.singleton_doc != kNoSingleton && previous.singleton_doc != kNoSingleton &&
      state.doc_start == previous.doc_start) {
    int64_t delta =
        static_cast<int64_t>(state.singleton_doc) - static_cast<int64_t>(previous.singleton_doc);
    out.write_vlong(zigzag64(delta) << 1 | 1);
  } else {
    out.write_vlong((state.doc_start - previous.doc_start) << 1);
    if (state.singleton_doc != kNoSingleton) out.write_vint(state.singleton_doc);
  }
  if (!parts.positions) return;
  out.write_vlong(state.pos_start - previous.pos_start);
  if (parts.pay()) out.write_vlong(state.pay_start - previous.pay_start);
  if (state.last_pos_block_offset != kNoLastBlock) out.write_vlong(state.last_pos_block_offset);
}

void read_term_metadata(ByteReader& in, TermState& state, const TermState& previous,
                        const PostingsParts& parts) {
  uint64_t code = in.read_vlong();
  state.doc_start = previous.doc_start;
  if (code & 1) {
    if (previous.singleton_doc == kNoSingleton || state.doc_freq != 1)
      in.fail("a singleton delta without a singleton before it");
    uint64_t doc = previous.singleton_doc + static_cast<uint64_t>(unzigzag64(code >> 1));
    if (doc > INT32_MAX) in.fail("a document beyond 2^31 - 1");
    state.singleton_doc = static_cast<uint32_t>(doc);
  } else {
    state.doc_start += code >> 1;
    if (state.doc_freq == 1) {
      state.singleton_doc = in.read_vint();
      if (state.singleton_doc > INT32_MAX) in.fail("a document beyond 2^31 - 1");
    }
  }
  if (!parts.positions) return;
  state.pos_start = previous.pos_start + in.read_vlong();
  if (parts.pay()) state.pay_start = previous.pay_start + in.read_vlong();
  if (state.total_term_freq > kPostingsBlock) state.last_pos_block_offset = in.read_vlong();
}

}  // namespace postern::codec
