#include "codec/stored_fields_writer.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "codec/stored_fields_ints.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr uint64_t kMaxChunkBytes = std::numeric_limits<int32_t>::max();
constexpr size_t kMostHeaderBytes = 5;  // field number and type
constexpr size_t kMostNumberBytes = 10;
constexpr uint64_t kOutputBuffers = 3 * 64 * 1024;

}  // namespace

StoredFieldsWriter::StoredFieldsWriter(const SegmentContext& context, StoredFieldsMode mode)
    : format_(stored_fields_format(mode)),
      id_(context.id),
      data_(context.directory, segment_file(context.segment, "", "fdt")),
      index_(context.directory, segment_file(context.segment, "", "fdx")),
      meta_(context.directory, segment_file(context.segment, "", "fdm")),
      compressor_(mode) {
  store::write_index_header(data_, format_.data_codec, kStoredFieldsDataVersion, id_, "");
  store::write_index_header(index_, kStoredFieldsIndexCodec, kStoredFieldsIndexVersion, id_, "");
  store::write_index_header(meta_, kStoredFieldsMetaCodec, kStoredFieldsMetaVersion, id_, "");
  meta_.write_vint(format_.chunk_size);
}

void StoredFieldsWriter::start_document() {
  document_values_ = 0;
  document_start_ = chunk_.size();
}

// Refuses before anything is written, so that the document stays whole.
void StoredFieldsWriter::begin_value(uint32_t field_number, StoredType type, uint64_t most_bytes) {
  if (chunk_.size() + kMostHeaderBytes + most_bytes > kMaxChunkBytes)
    throw InvalidDocument("document " + std::to_string(documents()) + ": its stored values pass " +
                          std::to_string(kMaxChunkBytes) + " bytes with one of " +
                          std::to_string(most_bytes) + " bytes in field number " +
                          std::to_string(field_number));
  chunk_.write_vlong(uint64_t{field_number} << 3 | static_cast<uint64_t>(type));
  ++document_values_;
}

void StoredFieldsWriter::add_sized(uint32_t field_number, StoredType type, std::string_view value) {
  begin_value(field_number, type, value.size() + kMostHeaderBytes);
  chunk_.write_string(value);
}

void StoredFieldsWriter::add_int(uint32_t field_number, int32_t value) {
  begin_value(field_number, StoredType::kInt, kMostNumberBytes);
  chunk_.write_zint(value);
}

void StoredFieldsWriter::add_long(uint32_t field_number, int64_t value) {
  begin_value(field_number, StoredType::kLong, kMostNumberBytes);
  chunk_.advance(encode_stored_long(value, chunk_.reserve(kMostNumberBytes)));
}

void StoredFieldsWriter::add_float(uint32_t field_number, float value) {
  begin_value(field_number, StoredType::kFloat, kMostNumberBytes);
  chunk_.advance(encode_stored_float(value, chunk_.reserve(kMostNumberBytes)));
}

void StoredFieldsWriter::add_double(uint32_t field_number, double value) {
  begin_value(field_number, StoredType::kDouble, kMostNumberBytes);
  chunk_.advance(encode_stored_double(value, chunk_.reserve(kMostNumberBytes)));
}

void StoredFieldsWriter::finish_document() {
  value_counts_.push_back(document_values_);
  lengths_.push_back(static_cast<uint32_t>(chunk_.size() - document_start_));
  if (chunk_.size() >= format_.chunk_size || chunk_documents() >= format_.max_chunk_documents)
    write_chunk(false);
}

void StoredFieldsWriter::write_chunk(bool dirty) {
  const uint32_t count = chunk_documents();
  const bool sliced = chunk_.size() >= 2 * size_t{format_.chunk_size};
  chunks_.add_chunk(chunk_base_, data_.file_pointer(), count, dirty);
  data_.write_vint(chunk_base_);
  data_.write_vint(count << 2 | (dirty ? 2u : 0u) | (sliced ? 1u : 0u));
  write_stored_fields_ints(value_counts_, data_);
  write_stored_fields_ints(lengths_, data_);
  if (sliced) {
    for (size_t at = 0; at < chunk_.size(); at += format_.chunk_size)
      compressor_.compress(
          chunk_.bytes().subspan(at, std::min<size_t>(format_.chunk_size, chunk_.size() - at)),
          data_);
  } else {
    compressor_.compress(chunk_.bytes(), data_);
  }
  chunk_base_ += count;
  value_counts_.clear();
  lengths_.clear();
  chunk_.clear();
  // One huge document must not keep its memory for the rest of the segment.
  if (chunk_.capacity() > 8 * size_t{format_.chunk_size}) chunk_.release();
}

void StoredFieldsWriter::finish(uint32_t max_doc) {
  assert(max_doc >= documents());
  while (documents() < max_doc) {
    start_document();
    finish_document();
  }
  if (chunk_documents() != 0) write_chunk(true);
  chunks_.write(max_doc, data_.file_pointer(), index_, meta_);
  for (store::IndexOutput* out : {&data_, &index_, &meta_}) {
    store::write_footer(*out);
    out->close();
  }
}

uint64_t StoredFieldsWriter::ram_bytes() const {
  return chunk_.capacity() + (value_counts_.capacity() + lengths_.capacity()) * sizeof(uint32_t) +
         chunks_.ram_bytes() + compressor_.ram_bytes() + kOutputBuffers;
}

}  // namespace postern::codec
