// Reads the postings of one term back; stream_kind.h has the codes.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "base/byte_buffer.h"
#include "invert/position_codes.h"
#include "invert/slice_reader.h"
#include "invert/stream_kind.h"
#include "memory/slices.h"
#include "memory/term_state.h"

namespace postern::invert {

// Where a term's stream lies.
struct StreamRef {
  const memory::BytePool& pool;
  const memory::TermState& state;
  uint32_t first_slice;
};

namespace detail {

// Decodes vInts of at most 32 bits that arrive in pieces; a code may lie across two pieces. OnCode
// is called with each; it is small and copied, so that what it counts stays in registers.
template <class OnCode>
class CodeRun {
 public:
  explicit CodeRun(const OnCode& on_code) : on_code_(on_code) {}
  const OnCode& on_code() const { return on_code_; }

  // Any piece but the last.
  void feed(const uint8_t* p, const uint8_t* end) {
    if (shift_ != 0 && !finish_partial(p, end)) return;
    const uint8_t* safe = end;
    while (safe != p && safe[-1] >= 0x80) --safe;
    feed_whole(p, safe);
    for (p = safe; p != end; ++p, shift_ += 7) partial_ |= (*p & 0x7fu) << shift_;
  }
  // The last piece: no code begins in it that does not end in it.
  void feed_last(const uint8_t* p, const uint8_t* end) {
    if (shift_ != 0) finish_partial(p, end);
    feed_whole(p, end);
  }

 private:
  [[gnu::always_inline]] inline void feed_whole(const uint8_t* p, const uint8_t* end) {
    if constexpr (requires { on_code_.add_all(p, end); }) return on_code_.add_all(p, end);
    OnCode on_code = on_code_;
    while (p != end) {
      uint32_t v = *p++;
      if (v >= 0x80) {
        v &= 0x7f;
        uint32_t b = *p++;
        v |= (b & 0x7f) << 7;
        for (uint32_t shift = 14; b >= 0x80; shift += 7) {
          b = *p++;
          v |= (b & 0x7f) << shift;
        }
      }
      on_code(v);
    }
    on_code_ = on_code;
  }
  bool finish_partial(const uint8_t*& p, const uint8_t* end) {
    while (p != end) {
      uint8_t b = *p++;
      partial_ |= (b & 0x7fu) << shift_;
      shift_ += 7;
      if (b < 0x80) {
        on_code_(partial_);
        partial_ = shift_ = 0;
        return true;
      }
    }
    return false;
  }

  OnCode on_code_;
  uint32_t partial_ = 0;
  uint32_t shift_ = 0;
};

// Returns `on_code` as it is after the last code.
template <class OnCode>
inline OnCode for_each_code(const StreamRef& s, const OnCode& on_code) {
  memory::SliceWalk walk(s.pool, s.first_slice, s.state.head);
  CodeRun<OnCode> run(on_code);
  for (; !walk.last(); walk.next()) run.feed(walk.data(), walk.data() + walk.size());
  run.feed_last(walk.data(), walk.data() + walk.size());
  return run.on_code();
}

template <class Sink>
struct DocCodes {
  Sink* sink;
  uint32_t doc_plus_1 = 0;

  void operator()(uint32_t delta) {
    doc_plus_1 += delta;
    sink->start_doc(doc_plus_1 - 1);
    sink->finish_doc(1);
  }
};

template <class Sink>
void decode_docs(const StreamRef& s, Sink& sink) {
  for_each_code(s, DocCodes<Sink>{&sink});
}

template <class Sink>
void decode_freqs(const StreamRef& s, Sink& sink) {
  uint32_t doc_plus_1 = 0;
  auto emit = [&](uint32_t freq) {
    sink.start_doc(doc_plus_1 - 1);
    sink.finish_doc(freq);
  };
  SliceReader in(s.pool, s.first_slice, s.state.head);
  while (!in.at_end()) {
    auto code = static_cast<uint32_t>(in.read_code());
    auto freq = (code & 1) != 0 ? static_cast<uint32_t>(in.read_code()) : 1;
    if (doc_plus_1 != 0) emit(freq);
    doc_plus_1 += code >> 1;
  }
  if (doc_plus_1 != 0) emit(s.state.last_position);
}

template <class Sink>
struct PositionCodes {
  Sink* sink;
  uint32_t doc_plus_1 = 0;
  uint32_t freq = 0;

  void operator()(uint32_t code) {
    if ((code & 1) == 0) {
      ++freq;
      sink->add_position(code >> 1);
      return;
    }
    finish_doc();
    doc_plus_1 += code >> 1;
    sink->start_doc(doc_plus_1 - 1);
  }
  void finish_doc() {
    if (freq != 0) sink->finish_doc(freq);
    freq = 0;
  }
};

template <class Sink>
void decode_positions(const StreamRef& s, Sink& sink) {
  if constexpr (requires { sink.begin_batch(); }) {
    auto& batch = sink.begin_batch();
    using Batch = std::remove_reference_t<decltype(batch)>;
    for_each_code(s, PositionBatchCodes<Sink, Batch>{&sink, &batch});
    sink.end_batch();
    return;
  }
  for_each_code(s, PositionCodes<Sink>{&sink}).finish_doc();
}

// Reads the rest of a position whose code has been read, and gives it to the sink.
template <StreamKind K, class Sink>
inline void read_position(SliceReader& in, uint64_t code, bool give_payloads, ByteBuffer& scratch,
                          Sink& sink) {
  std::span<const uint8_t> payload;
  if constexpr (has_payloads(K)) {
    if ((code & 2) != 0) payload = in.read_bytes(in.read_code(), scratch);
    if (!give_payloads) payload = {};
  }
  auto delta = static_cast<uint32_t>(code >> (has_payloads(K) ? 2 : 1));
  if constexpr (has_offsets(K)) {
    auto start = static_cast<uint32_t>(in.read_code());
    auto length = static_cast<uint32_t>(in.read_code());
    sink.add_position(delta, payload, start, length);
  } else if (give_payloads) {
    sink.add_position(delta, payload, 0, 0);
  } else {
    sink.add_position(delta);
  }
}

template <StreamKind K, class Sink>
void decode_full(const StreamRef& s, bool give_payloads, ByteBuffer& scratch, Sink& sink) {
  uint32_t doc_plus_1 = 0;
  uint32_t freq = 0;
  SliceReader in(s.pool, s.first_slice, s.state.head);
  while (!in.at_end()) {
    uint64_t code = in.read_code();
    if ((code & 1) != 0) {
      if (freq != 0) sink.finish_doc(freq);
      freq = 0;
      doc_plus_1 += static_cast<uint32_t>(code >> 1);
      sink.start_doc(doc_plus_1 - 1);
      continue;
    }
    ++freq;
    read_position<K>(in, code, give_payloads, scratch, sink);
  }
  if (freq != 0) sink.finish_doc(freq);
}

}  // namespace detail

// Calls the sink as FieldInverter::decode says. `give_payloads`: the field has payloads.
// A sink with begin_batch, settle_batch and end_batch (codec::PostingsWriter has them) gets the
// postings of kPositions through these. `scratch` holds payloads that do not lie together; the sink
// must not use it.
template <class Sink>
void decode_postings(const StreamRef& stream, StreamKind kind, bool give_payloads,
                     ByteBuffer& scratch, Sink& sink) {
  switch (kind) {
    case StreamKind::kDocs:
      return detail::decode_docs(stream, sink);
    case StreamKind::kFreqs:
      return detail::decode_freqs(stream, sink);
    case StreamKind::kPositions:
      return detail::decode_positions(stream, sink);
    case StreamKind::kOffsets:
      return detail::decode_full<StreamKind::kOffsets>(stream, false, scratch, sink);
    case StreamKind::kPayloads:
      return detail::decode_full<StreamKind::kPayloads>(stream, give_payloads, scratch, sink);
    case StreamKind::kPayloadsOffsets:
      return detail::decode_full<StreamKind::kPayloadsOffsets>(stream, give_payloads, scratch,
                                                               sink);
  }
}

}  // namespace postern::invert
