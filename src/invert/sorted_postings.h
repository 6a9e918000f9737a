// Reads the postings of one term back in the order of a sorted segment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/byte_buffer.h"
#include "invert/postings_decoder.h"
#include "memory/grow_array.h"

namespace postern::invert {

// Serves one term after the other with 20 bytes per document of the segment, however long the
// lists. Positions are not copied: a document's are read again from where they lie.
class SortedPostings {
 public:
  explicit SortedPostings(memory::MemoryCounter& counter) : docs_(counter), places_(counter) {}

  // Calls the sink as FieldInverter::decode says, with new_docs[d] in place of document d,
  // ascending. The other parameters are those of decode_postings.
  template <class Sink>
  void decode(const StreamRef& stream, StreamKind kind, bool give_payloads,
              std::span<const uint32_t> new_docs, ByteBuffer& scratch, Sink& sink) {
    switch (kind) {
      case StreamKind::kDocs:
        return decode_as<StreamKind::kDocs>(stream, false, new_docs, scratch, sink);
      case StreamKind::kFreqs:
        return decode_as<StreamKind::kFreqs>(stream, false, new_docs, scratch, sink);
      case StreamKind::kPositions:
        return decode_as<StreamKind::kPositions>(stream, false, new_docs, scratch, sink);
      case StreamKind::kOffsets:
        return decode_as<StreamKind::kOffsets>(stream, false, new_docs, scratch, sink);
      case StreamKind::kPayloads:
        return decode_as<StreamKind::kPayloads>(stream, give_payloads, new_docs, scratch, sink);
      case StreamKind::kPayloadsOffsets:
        return decode_as<StreamKind::kPayloadsOffsets>(stream, give_payloads, new_docs, scratch,
                                                       sink);
    }
  }

 private:
  struct Doc {
    uint32_t doc;
    uint32_t freq;
    memory::SliceMark positions;
  };
  static_assert(sizeof(Doc) == 16);
  // Collects what decode_docs and decode_freqs give.
  struct Collector {
    void start_doc(uint32_t doc) { docs.push_back({new_docs[doc], 0, {}}); }
    void finish_doc(uint32_t freq) { docs[docs.size() - 1].freq = freq; }
    memory::GrowArray<Doc>& docs;
    std::span<const uint32_t> new_docs;
  };

  template <StreamKind K>
  void collect_positions(const StreamRef& s, std::span<const uint32_t> new_docs) {
    SliceReader in(s.pool, s.first_slice, s.state.head);
    uint32_t doc_plus_1 = 0;
    while (!in.at_end()) {
      const uint64_t code = in.read_code();
      if ((code & 1) != 0) {
        doc_plus_1 += static_cast<uint32_t>(code >> 1);
        docs_.push_back({new_docs[doc_plus_1 - 1], 0, in.mark()});
        continue;
      }
      ++docs_[docs_.size() - 1].freq;
      if constexpr (has_payloads(K)) {
        if ((code & 2) != 0) in.skip(in.read_code());
      }
      if constexpr (has_offsets(K)) {
        in.read_code();
        in.read_code();
      }
    }
  }

  template <StreamKind K, class Sink>
  void decode_as(const StreamRef& s, bool give_payloads, std::span<const uint32_t> new_docs,
                 ByteBuffer& scratch, Sink& sink) {
    docs_.clear();
    docs_.reserve(new_docs.size());
    Collector collector{docs_, new_docs};
    if constexpr (K == StreamKind::kDocs) {
      detail::decode_docs(s, collector);
    } else if constexpr (K == StreamKind::kFreqs) {
      detail::decode_freqs(s, collector);
    } else {
      collect_positions<K>(s, new_docs);
    }
    auto give = [&](const Doc& doc) {
      sink.start_doc(doc.doc);
      if constexpr (has_positions(K)) {
        SliceReader in(s.pool, doc.positions, s.state.head);
        for (uint32_t i = 0; i < doc.freq; ++i)
          detail::read_position<K>(in, in.read_code(), give_payloads, scratch, sink);
      }
      sink.finish_doc(doc.freq);
    };
    for_each_sorted(static_cast<uint32_t>(new_docs.size()), give);
  }

  // A list with this share of all documents is sorted by putting each in its place.
  static constexpr uint32_t kLongShare = 32;

  template <class Give>
  void for_each_sorted(uint32_t max_doc, Give&& give) {
    const auto n = static_cast<uint32_t>(docs_.size());
    if (n < max_doc / kLongShare || n < 16) {
      std::sort(docs_.data(), docs_.data() + n,
                [](const Doc& a, const Doc& b) { return a.doc < b.doc; });
      for (uint32_t i = 0; i < n; ++i) give(docs_[i]);
      return;
    }
    if (places_.empty()) {
      places_.resize(max_doc);
      std::fill_n(places_.data(), max_doc, 0);
    }
    for (uint32_t i = 0; i < n; ++i) places_[docs_[i].doc] = i + 1;
    for (uint32_t doc = 0; doc < max_doc; ++doc) {
      if (places_[doc] == 0) continue;
      give(docs_[places_[doc] - 1]);
      places_[doc] = 0;
    }
  }

  memory::GrowArray<Doc> docs_;
  memory::GrowArray<uint32_t> places_;  // plus 1, of each document in docs_; 0 between terms
};

}  // namespace postern::invert
