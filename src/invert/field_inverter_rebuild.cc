// The first payload of a field that was not laid out for payloads: its streams are written anew.
#include "invert/field_inverter.h"
#include "invert/postings_appender.h"

namespace postern::invert {

namespace {

// Takes the decoded postings of one term into its new stream.
template <StreamKind K>
class Rewriter {
 public:
  Rewriter(memory::BytePool& pool, memory::TermState& state, uint32_t* last_offset)
      : pool_(pool), state_(state), last_offset_(last_offset) {}

  void start_doc(uint32_t doc) {
    occurrence_ = Occurrence{};
    occurrence_.doc_plus_1 = doc + 1;
  }
  void add_position(uint32_t delta) { add_position(delta, {}, 0, 0); }
  void add_position(uint32_t delta, std::span<const uint8_t>, uint32_t start, uint32_t length) {
    occurrence_.position += delta;
    occurrence_.start_offset += start;
    occurrence_.end_offset = occurrence_.start_offset + length;
    append_occurrence<K>(pool_, state_, last_offset_, occurrence_);
  }
  void finish_doc(uint32_t) {}

 private:
  memory::BytePool& pool_;
  memory::TermState& state_;
  uint32_t* last_offset_;
  Occurrence occurrence_{};
};

uint64_t stream_bytes(const memory::BytePool& pool, uint32_t first, uint32_t head) {
  uint64_t n = 0;
  for (memory::SliceWalk walk(pool, first, head);; walk.next()) {
    n += walk.size();
    if (walk.last()) return n;
  }
}

}  // namespace

void FieldInverter::rebuild_for_payloads() {
  const memory::BytePool& pool = memory_.slices();
  uint64_t room = 0;
  for (uint32_t id = 0; id < table_.count(); ++id) {
    // A code grows by one bit, so by a byte at most.
    uint64_t bytes = stream_bytes(pool, table_.first_slice(id), table_.state(id).head);
    room += memory::slice_bytes_of_stream(2 * bytes);
  }
  memory_.require_room(
      room, 0, "payloads for field '" + name_ + "' of document " + std::to_string(now_.doc));
  for (uint32_t id = 0; id < table_.count(); ++id) rebuild_term(id);
  kind_ = with_payloads(kind_);
}

void FieldInverter::rebuild_term(uint32_t id) {
  memory::BytePool& pool = memory_.slices();
  memory::TermState& state = table_.state(id);
  const memory::TermState old = state;
  StreamRef stream{pool, old, table_.first_slice(id)};
  table_.restart_stream(id);
  state.last_doc_plus_1 = 0;
  state.last_position = 0;
  ByteBuffer scratch;
  if (kind_ == StreamKind::kOffsets) {
    Rewriter<StreamKind::kPayloadsOffsets> rewriter(pool, state, &last_offsets_[id]);
    decode_postings(stream, kind_, false, scratch, rewriter);
  } else {
    Rewriter<StreamKind::kPayloads> rewriter(pool, state, nullptr);
    decode_postings(stream, kind_, false, scratch, rewriter);
  }
}

}  // namespace postern::invert
