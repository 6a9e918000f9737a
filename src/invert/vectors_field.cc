#include "invert/vectors_field.h"

#include "invert/postings_appender.h"
#include "memory/slices.h"
#include "postern/error.h"

namespace postern::invert {

namespace {

// Less than Java's int by what a chunk of the file may hold besides one document.
constexpr uint64_t kMaxTextBytes = 0x7fffffff - 8192;
constexpr uint64_t kMaxOccurrences = 0x7fffffff - 65536;

StreamKind vector_stream_kind(const TermVectors& flags) {
  if (flags.payloads) {
    return flags.offsets ? StreamKind::kPayloadsOffsets : StreamKind::kPayloads;
  }
  return flags.offsets ? StreamKind::kOffsets : StreamKind::kPositions;
}

[[noreturn]] void too_large(const std::string& what, const char* kind, uint64_t have, uint64_t more,
                            uint64_t limit) {
  throw LimitExceeded(what + ": the document's term vectors hold " + std::to_string(have) + " " +
                      kind + " and may need " + std::to_string(more) +
                      " more, over the format's limit of " + std::to_string(limit));
}

}  // namespace

void FieldVectors::start_document(const TermVectors& flags) {
  terms_.clear();
  flags_ = flags;
  kind_ = vector_stream_kind(flags);
  payload_seen_ = false;
}

void FieldVectors::require_room(size_t tokens, uint64_t text_bytes, uint64_t payload_bytes,
                                const std::string& what) const {
  if (!flags_.payloads) payload_bytes = 0;
  uint64_t more = text_bytes + payload_bytes;
  if (totals_.text_bytes + more > kMaxTextBytes) {
    too_large(what, "bytes of text and payloads", totals_.text_bytes, more, kMaxTextBytes);
  }
  if (totals_.occurrences + tokens > kMaxOccurrences) {
    too_large(what, "occurrences", totals_.occurrences, tokens, kMaxOccurrences);
  }
  if (!has_stream()) return;
  // One token at a time: each may begin a stream.
  uint64_t slices = tokens * memory::max_slice_bytes(kMaxOccurrenceBytes) +
                    memory::max_slice_bytes(payload_bytes);
  pool_.require_room(slices, what);
}

// A new term gets an empty stream, as if its document's code were already in it.
VectorTerm& FieldVectors::term_of(uint32_t id) {
  uint32_t before = terms_.count();
  VectorTerm& term = terms_[terms_.find_or_add(id)];
  if (terms_.count() == before) return term;
  term.freq = 0;
  term.last_offset = 0;
  term.first_slice = 0;
  term.stream = {};
  term.stream.last_doc_plus_1 = 1;
  if (has_stream()) term.first_slice = memory::start_stream(pool_, term.stream);
  totals_.text_bytes += shared_.text(id).size();
  return term;
}

template <StreamKind K>
void FieldVectors::add_occurrences(const TokenGroup& group, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const Token& token = group.tokens[i];
    VectorTerm& term = term_of(group.entries[i].id);
    ++term.freq;
    Occurrence o{.doc_plus_1 = 1};
    if (flags_.positions) o.position = group.entries[i].position;
    if constexpr (invert::has_offsets(K)) {
      o.start_offset = group.offset_base + token.start_offset;
      o.end_offset = group.offset_base + token.end_offset;
    }
    if constexpr (invert::has_payloads(K)) {
      o.payload = {token.payload, token.payload_length};
      payload_seen_ |= token.payload_length != 0;
      totals_.text_bytes += token.payload_length;
    }
    append_occurrence<K>(pool_, term.stream, &term.last_offset, o);
  }
}

void FieldVectors::add_group(const TokenGroup& group, size_t n) {
  totals_.occurrences += n;
  if (!has_stream()) {
    for (size_t i = 0; i < n; ++i) term_of(group.entries[i].id).freq += group.tokens[i].frequency;
    return;
  }
  switch (kind_) {
    case StreamKind::kOffsets:
      return add_occurrences<StreamKind::kOffsets>(group, n);
    case StreamKind::kPayloads:
      return add_occurrences<StreamKind::kPayloads>(group, n);
    case StreamKind::kPayloadsOffsets:
      return add_occurrences<StreamKind::kPayloadsOffsets>(group, n);
    default:
      return add_occurrences<StreamKind::kPositions>(group, n);
  }
}

}  // namespace postern::invert
