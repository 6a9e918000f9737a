#include "index/arrival_files.h"

#include <limits>

namespace postern::index {
namespace {

// A document must fit behind a chunk that is not yet full, in either mode.
constexpr uint32_t kHeadroom = 1 << 20;
constexpr size_t kKeptBytes = size_t{1} << 20;

// A document's vectors are a sequence of these codes, each with what follows it:
//   number << 4 | flags << 1      a field
//   length << 1 | 1               a term: its bytes, its frequency, then its occurrences
// An occurrence has a position delta, a start delta with a length, and a payload with its length,
// as the flags say. All numbers are vInts or vLongs.
constexpr uint64_t kPositions = 2;
constexpr uint64_t kOffsets = 4;
constexpr uint64_t kPayloads = 8;

uint64_t code_of(const TermVectors& flags) {
  return (flags.positions ? kPositions : 0) | (flags.offsets ? kOffsets : 0) |
         (flags.payloads ? kPayloads : 0);
}

TermVectors flags_of(uint64_t code) {
  return {.enabled = true,
          .positions = (code & kPositions) != 0,
          .offsets = (code & kOffsets) != 0,
          .payloads = (code & kPayloads) != 0};
}

void replay_occurrence(ByteReader& in, const TermVectors& flags, codec::TermVectorsWriter& writer) {
  const uint32_t position_delta = flags.positions ? in.read_vint() : 0;
  const uint32_t start_delta = flags.offsets ? in.read_vint() : 0;
  const uint32_t length = flags.offsets ? in.read_vint() : 0;
  std::span<const uint8_t> payload;
  if (flags.payloads) payload = in.read_bytes(in.read_vint());
  writer.add_occurrence(position_delta, start_delta, length, payload);
}

void replay(ByteReader in, codec::TermVectorsWriter& writer) {
  TermVectors flags;
  while (in.remaining() != 0) {
    const uint64_t code = in.read_vlong();
    if ((code & 1) == 0) {
      flags = flags_of(code);
      writer.start_field(static_cast<uint32_t>(code >> 4), flags);
      continue;
    }
    const auto text = in.read_bytes(code >> 1);
    const uint32_t freq = in.read_vint();
    writer.start_term(text, freq);
    if (!flags.positions && !flags.offsets) continue;
    for (uint32_t i = 0; i < freq; ++i) replay_occurrence(in, flags, writer);
  }
}

// Calls `write(place, document)` for places 0, 1, ... in the segment.
template <class Write>
void for_each_document(DocumentSpool& spool, std::span<const uint32_t> old_docs, Write&& write) {
  spool.open();
  for (uint32_t doc = 0; doc < spool.documents(); ++doc)
    write(doc, spool.document(old_docs.empty() ? doc : old_docs[doc]));
  spool.remove();
}

}  // namespace

StoredArrivals::StoredArrivals(const codec::SegmentContext& context, memory::MemoryCounter& counter)
    : StoredValues(kHeadroom),
      spool_(context.directory, codec::segment_file(context.segment, "stored_arrivals_0", "tmp"),
             context.id, counter) {}

void StoredArrivals::finish_document() {
  spool_.out().write_vint(value_count());
  spool_.out().write_bytes(values_.bytes());
  spool_.finish_document();
  values_.clear();
  if (values_.capacity() > kKeptBytes) values_.release();
}

void StoredArrivals::write(std::span<const uint32_t> old_docs, codec::StoredFieldsWriter& writer) {
  for_each_document(spool_, old_docs, [&](uint32_t, ByteReader in) {
    const uint32_t values = in.read_vint();
    writer.add_document(values, in.read_bytes(in.remaining()));
  });
}

// Documents before the first have no vectors, but a place.
void VectorArrivals::start_document(uint32_t doc) {
  if (spool_ == nullptr) {
    spool_ = std::make_unique<DocumentSpool>(
        context_.directory, codec::segment_file(context_.segment, "vector_arrivals_0", "tmp"),
        context_.id, counter_);
  }
  while (spool_->documents() < doc) spool_->finish_document();
}

void VectorArrivals::start_field(uint32_t field_number, const TermVectors& flags) {
  flags_ = flags;
  spool_->out().write_vlong(uint64_t{field_number} << 4 | code_of(flags));
}

void VectorArrivals::start_term(std::span<const uint8_t> text, uint32_t freq) {
  spool_->out().write_vlong(uint64_t{text.size()} << 1 | 1);
  spool_->out().write_bytes(text);
  spool_->out().write_vint(freq);
}

void VectorArrivals::add_occurrence(uint32_t position_delta, uint32_t start_delta, uint32_t length,
                                    std::span<const uint8_t> payload) {
  store::IndexOutput& out = spool_->out();
  if (flags_.positions) out.write_vint(position_delta);
  if (flags_.offsets) {
    out.write_vint(start_delta);
    out.write_vint(length);
  }
  if (flags_.payloads) {
    out.write_vint(static_cast<uint32_t>(payload.size()));
    out.write_bytes(payload);
  }
}

void VectorArrivals::write(std::span<const uint32_t> old_docs, codec::TermVectorsWriter& writer) {
  if (spool_ == nullptr) return;
  for_each_document(*spool_, old_docs, [&](uint32_t doc, ByteReader in) {
    writer.start_document(doc);
    replay(in, writer);
    writer.finish_document();
  });
}

}  // namespace postern::index
