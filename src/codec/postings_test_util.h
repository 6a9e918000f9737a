// For the tests of postings and terms: a field's terms in memory, written and read back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codec/postings_format_writer.h"
#include "codec/postings_reader.h"
#include "codec/terms_reader.h"

namespace postern::codec::testing {

struct Occurrence {
  uint32_t position = 0;
  uint32_t start_offset = 0;
  uint32_t end_offset = 0;
  std::string payload;
  bool operator==(const Occurrence&) const = default;
};

struct Posting {
  uint32_t doc = 0;
  uint32_t freq = 1;
  std::vector<Occurrence> occurrences;  // of fields with positions
  bool operator==(const Posting&) const = default;
};

// std::string compares bytes unsigned, as the terms dictionary does.
using Terms = std::map<std::string, std::vector<Posting>>;

// "t17"; GCC 12 warns of a plain sum of these.
inline std::string numbered(const char* text, uint64_t n) {
  return std::string(text).append(std::to_string(n));
}

inline FieldInfo field_info(uint32_t number, IndexOptions options, bool payloads = false) {
  FieldInfo info;
  info.name = numbered("f", number);
  info.number = number;
  info.index_options = options;
  info.payloads = payloads;
  return info;
}

inline std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string as_string(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void write_posting(PostingsFormatWriter& writer, const PostingsParts& parts,
                          const Posting& posting) {
  writer.start_doc(posting.doc);
  uint32_t position = 0;
  uint32_t offset = 0;
  for (const Occurrence& o : posting.occurrences) {
    // The short form also where payloads are possible, for occurrences without one.
    if (parts.offsets || !o.payload.empty()) {
      writer.add_position(o.position - position, as_bytes(o.payload), o.start_offset - offset,
                          o.end_offset - o.start_offset);
    } else {
      writer.add_position(o.position - position);
    }
    position = o.position;
    offset = o.start_offset;
  }
  writer.finish_doc(posting.freq);
}

// A segment of one or more fields in a memory directory.
class TestSegment {
 public:
  explicit TestSegment(FieldInfos fields, uint32_t max_doc = INT32_MAX)
      : infos(std::move(fields)), max_doc(max_doc), directory(memory_directory()) {
    for (size_t i = 0; i < id.size(); ++i) id[i] = static_cast<uint8_t>(i);
  }

  SegmentContext context() { return {*directory, "_0", id, max_doc}; }
  void open() {
    terms = std::make_unique<TermsReader>(*directory, "_0", id, infos, max_doc);
    postings = std::make_unique<PostingsReader>(*directory, "_0", id, infos, max_doc);
  }
  std::vector<uint8_t> bytes(const std::string& extension) const {
    auto file = directory->open(segment_file("_0", kPostingsSuffix, extension.c_str()));
    return {file->bytes().begin(), file->bytes().end()};
  }

  FieldInfos infos;
  uint32_t max_doc;
  store::ObjectId id;
  std::unique_ptr<Directory> directory;
  std::unique_ptr<TermsReader> terms;
  std::unique_ptr<PostingsReader> postings;
};

inline void write_field(PostingsFormatWriter& writer, const FieldInfo& info, const Terms& terms,
                        std::span<const uint8_t> norms = {}) {
  writer.start_field(info, norms);
  std::map<uint32_t, bool> docs;
  for (const auto& [term, postings] : terms) {
    for (const Posting& posting : postings) {
      write_posting(writer, PostingsParts(info), posting);
      docs[posting.doc] = true;
    }
    writer.finish_term(as_bytes(term));
  }
  writer.finish_field(static_cast<uint32_t>(docs.size()));
}

inline std::vector<Posting> read_postings(const PostingsReader& reader, const PostingsParts& parts,
                                          const TermState& state) {
  std::vector<Posting> out;
  PostingsCursor cursor = reader.postings(parts, state);
  while (cursor.next_doc() != PostingsCursor::kNoMoreDocs) {
    Posting posting{cursor.doc(), cursor.freq(), {}};
    for (uint32_t i = 0; parts.positions && i < cursor.freq(); ++i) {
      uint32_t position = cursor.next_position();
      posting.occurrences.push_back(
          {position, cursor.start_offset(), cursor.end_offset(), as_string(cursor.payload())});
    }
    out.push_back(std::move(posting));
  }
  return out;
}

inline Terms read_field(const TestSegment& segment, const FieldTerms& field) {
  Terms out;
  TermsCursor cursor = field.terms();
  while (cursor.next())
    out[as_string(cursor.term())] = read_postings(*segment.postings, field.parts(), cursor.state());
  return out;
}

}  // namespace postern::codec::testing
