#include "codec/term_vectors_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

#include "codec/block_packed.h"
#include "codec/direct_writer.h"

namespace postern::codec {
namespace {

constexpr uint64_t kOutputBuffers = 3 * 64 * 1024;
// Lists longer than this give their memory back with the chunk: one huge document must not keep it
// for the rest of the segment.
constexpr size_t kKeptValues = size_t{1} << 16;

size_t common_prefix(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  const size_t most = std::min(a.size(), b.size());
  return lz4_common_length(a.data(), b.data(), b.data() + most);
}

template <class Value>
void clear(std::vector<Value>& list) {
  list.clear();
  if (list.capacity() > kKeptValues) list.shrink_to_fit();
}

template <class Value>
uint64_t bytes_of(const std::vector<Value>& list) {
  return list.capacity() * sizeof(Value);
}

}  // namespace

struct TermVectorsWriter::Files {
  Files(Directory& directory, const std::string& segment, const store::ObjectId& id)
      : data(directory, segment_file(segment, "", "tvd")),
        index(directory, segment_file(segment, "", "tvx")),
        meta(directory, segment_file(segment, "", "tvm")) {
    store::write_index_header(data, kTermVectorsDataCodec, kTermVectorsVersion, id, "");
    store::write_index_header(index, kTermVectorsIndexCodec, kTermVectorsVersion, id, "");
    store::write_index_header(meta, kTermVectorsMetaCodec, kTermVectorsVersion, id, "");
    meta.write_vint(kPackedIntsVersion);
    meta.write_vint(kTermVectorsChunkBytes);
  }

  // A DirectWriter array behind its length in bytes.
  template <class Values, class Get>
  void write_direct(const Values& values, uint32_t width, Get get) {
    data.write_vint(static_cast<uint32_t>(direct_size(values.size(), width)));
    DirectWriter<store::IndexOutput> out(data, width);
    for (const auto& v : values) out.add(get(v));
    out.finish();
  }

  store::IndexOutput data;
  store::IndexOutput index;
  store::IndexOutput meta;
  Lz4Compressor lz4;
  ByteBuffer compressed;
};

TermVectorsWriter::TermVectorsWriter(const SegmentContext& context)
    : directory_(context.directory), segment_(context.segment), id_(context.id) {}

TermVectorsWriter::~TermVectorsWriter() = default;

void TermVectorsWriter::start_document(uint32_t doc) {
  assert(doc >= documents());
  if (files_ == nullptr) files_ = std::make_unique<Files>(directory_, segment_, id_);
  document_fields_ = 0;
  while (documents() < doc) finish_document();
}

void TermVectorsWriter::start_field(uint32_t field_number, const TermVectors& flags) {
  assert(flags.positions || !flags.payloads);
  Pair pair{};
  pair.number = field_number;
  pair.flags = static_cast<uint8_t>((flags.positions ? kVectorPositions : 0) |
                                    (flags.offsets ? kVectorOffsets : 0) |
                                    (flags.payloads ? kVectorPayloads : 0));
  pairs_.push_back(pair);
  last_term_.clear();
  ++document_fields_;
}

void TermVectorsWriter::start_term(std::span<const uint8_t> text, uint32_t freq) {
  const size_t prefix = common_prefix(last_term_.bytes(), text);
  prefix_lengths_.push_back(static_cast<uint32_t>(prefix));
  suffix_lengths_.push_back(static_cast<uint32_t>(text.size() - prefix));
  more_freqs_.push_back(freq - 1);
  content_.write(text.data() + prefix, text.size() - prefix);
  last_term_.resize(prefix);
  last_term_.write(text.data() + prefix, text.size() - prefix);
  ++pairs_.back().terms;
  pairs_.back().occurrences += freq;
}

void TermVectorsWriter::add_occurrence(uint32_t position_delta, uint32_t start_delta,
                                       uint32_t length, std::span<const uint8_t> payload) {
  const uint8_t flags = pairs_.back().flags;
  if ((flags & kVectorPositions) != 0) positions_.push_back(position_delta);
  if ((flags & kVectorOffsets) != 0) {
    starts_.push_back(start_delta);
    lengths_.push_back(int64_t{length} - static_cast<int64_t>(last_term_.size()));
  }
  if ((flags & kVectorPayloads) != 0) {
    payload_lengths_.push_back(static_cast<uint32_t>(payload.size()));
    payloads_.write_bytes(payload);
  }
}

void TermVectorsWriter::finish_document() {
  field_counts_.push_back(document_fields_);
  document_fields_ = 0;
  content_.write_bytes(payloads_.bytes());
  payloads_.clear();
  if (content_.size() >= kTermVectorsChunkBytes || chunk_documents() >= kTermVectorsChunkDocuments)
    write_chunk(false);
}

template <class Value>
void TermVectorsWriter::write_blocks(const std::vector<Value>& values) {
  BlockPackedWriter<store::IndexOutput> blocks(files_->data);
  for (const Value v : values) blocks.add(static_cast<int64_t>(v));
  blocks.finish();
}

void TermVectorsWriter::write_chunk(bool dirty) {
  store::IndexOutput& out = files_->data;
  const uint32_t documents = chunk_documents();
  chunks_.add_chunk(chunk_base_, out.file_pointer(), documents, dirty);
  out.write_vint(chunk_base_);
  out.write_vint(documents << 1 | (dirty ? 1u : 0u));
  if (documents == 1) {
    out.write_vint(field_counts_[0]);
  } else {
    write_blocks(field_counts_);
  }
  if (!pairs_.empty()) {
    write_field_numbers();
    write_pairs();
    write_blocks(prefix_lengths_);
    write_blocks(suffix_lengths_);
    write_blocks(more_freqs_);
    write_blocks(positions_);
    write_offsets();
    write_blocks(payload_lengths_);
    files_->compressed.clear();
    files_->lz4.compress(content_.bytes(), 0, files_->compressed);
    out.write_bytes(files_->compressed.bytes());
  }
  chunk_base_ += documents;
  clear_chunk();
}

void TermVectorsWriter::write_field_numbers() {
  scratch_.clear();
  for (const Pair& pair : pairs_) scratch_.push_back(pair.number);
  std::ranges::sort(scratch_);
  scratch_.erase(std::ranges::unique(scratch_).begin(), scratch_.end());
  numbers_.clear();
  for (const uint64_t number : scratch_)
    numbers_.push_back({.number = static_cast<uint32_t>(number)});
  const auto more = static_cast<uint32_t>(scratch_.size() - 1);
  const uint32_t width = std::max(1u, bit_length(scratch_.back()));
  store::IndexOutput& out = files_->data;
  out.write_byte(static_cast<uint8_t>(std::min(more, 7u) << 5 | width));
  if (more >= 7) out.write_vint(more - 7);
  write_packed(std::span<const uint64_t>(scratch_), width, out);
}

void TermVectorsWriter::write_pairs() {
  uint32_t most_terms = 0;
  bool same_flags = true;  // in all documents, field by field
  for (Pair& pair : pairs_) {
    const auto number = std::ranges::lower_bound(numbers_, pair.number, {}, &Number::number);
    pair.place = static_cast<uint32_t>(number - numbers_.begin());
    same_flags &= number->flags == -1 || number->flags == pair.flags;
    number->flags = pair.flags;
    most_terms = std::max(most_terms, pair.terms);
  }
  files_->write_direct(pairs_, direct_width(numbers_.size() - 1),
                       [](const Pair& p) { return p.place; });
  files_->data.write_vint(same_flags ? 0 : 1);
  if (same_flags) {
    files_->write_direct(numbers_, kVectorFlagsWidth,
                         [](const Number& n) { return static_cast<uint64_t>(n.flags); });
  } else {
    files_->write_direct(pairs_, kVectorFlagsWidth, [](const Pair& p) { return p.flags; });
  }
  const uint32_t width = direct_width(most_terms);
  files_->data.write_vint(width);
  files_->write_direct(pairs_, width, [](const Pair& p) { return p.terms; });
}

// Returns whether any field has offsets. A term's last position and start are the sums of its
// deltas.
bool TermVectorsWriter::find_slopes() {
  const uint32_t* start = starts_.data();
  const uint32_t* position = positions_.data();
  for (const Pair& pair : pairs_) {
    const bool has_positions = (pair.flags & kVectorPositions) != 0;
    const bool has_offsets = (pair.flags & kVectorOffsets) != 0;
    if (has_positions && has_offsets) {
      Number& number = numbers_[pair.place];
      number.last_positions =
          std::accumulate(position, position + pair.occurrences, number.last_positions);
      number.last_starts = std::accumulate(start, start + pair.occurrences, number.last_starts);
    }
    if (has_positions) position += pair.occurrences;
    if (has_offsets) start += pair.occurrences;
  }
  for (Number& n : numbers_) {
    if (n.last_positions == 0 || n.last_starts == 0) continue;
    n.slope = static_cast<float>(static_cast<double>(n.last_starts) /
                                 static_cast<double>(n.last_positions));
  }
  return !starts_.empty();
}

void TermVectorsWriter::write_offsets() {
  if (!find_slopes()) return;
  for (const Number& n : numbers_) files_->data.write_le32(std::bit_cast<uint32_t>(n.slope));
  BlockPackedWriter<store::IndexOutput> blocks(files_->data);
  const uint32_t* start = starts_.data();
  const uint32_t* position = positions_.data();
  for (const Pair& pair : pairs_) {
    const bool has_positions = (pair.flags & kVectorPositions) != 0;
    if ((pair.flags & kVectorOffsets) != 0) {
      const float slope = numbers_[pair.place].slope;
      for (uint32_t i = 0; i < pair.occurrences; ++i) {
        const int64_t step = has_positions ? vector_offset_step(slope, position[i]) : 0;
        blocks.add(int64_t{*start++} - step);
      }
    }
    if (has_positions) position += pair.occurrences;
  }
  blocks.finish();
  write_blocks(lengths_);
}

void TermVectorsWriter::clear_chunk() {
  for (std::vector<uint32_t>* list : {&field_counts_, &prefix_lengths_, &suffix_lengths_,
                                      &more_freqs_, &positions_, &starts_, &payload_lengths_})
    clear(*list);
  clear(pairs_);
  clear(lengths_);
  clear(numbers_);
  clear(scratch_);
  for (ByteBuffer* buffer : {&content_, &payloads_, &files_->compressed}) {
    buffer->clear();
    if (buffer->capacity() > kKeptValues) buffer->release();
  }
}

void TermVectorsWriter::finish(uint32_t max_doc) {
  if (files_ == nullptr) return;
  assert(max_doc >= documents());
  while (documents() < max_doc) finish_document();
  if (chunk_documents() != 0) write_chunk(true);
  chunks_.write(max_doc, files_->data.file_pointer(), files_->index, files_->meta);
  for (store::IndexOutput* out : {&files_->data, &files_->index, &files_->meta}) {
    store::write_footer(*out);
    out->close();
  }
}

uint64_t TermVectorsWriter::ram_bytes() const {
  if (files_ == nullptr) return 0;
  return bytes_of(field_counts_) + bytes_of(pairs_) + bytes_of(prefix_lengths_) +
         bytes_of(suffix_lengths_) + bytes_of(more_freqs_) + bytes_of(positions_) +
         bytes_of(starts_) + bytes_of(lengths_) + bytes_of(payload_lengths_) + bytes_of(numbers_) +
         bytes_of(scratch_) + content_.capacity() + payloads_.capacity() + last_term_.capacity() +
         files_->compressed.capacity() + files_->lz4.ram_bytes() + chunks_.ram_bytes() +
         kOutputBuffers;
}

std::vector<std::string> TermVectorsWriter::files() const {
  if (files_ == nullptr) return {};
  return {files_->data.name(), files_->index.name(), files_->meta.name()};
}

}  // namespace postern::codec
