#include "codec/stored_fields_writer.h"

#include <algorithm>
#include <cassert>

#include "codec/stored_fields_ints.h"

namespace postern::codec {
namespace {

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

void StoredFieldsWriter::finish_document() {
  value_counts_.push_back(value_count());
  lengths_.push_back(values_length());
  write_full_chunk();
}

void StoredFieldsWriter::add_document(uint32_t values, std::span<const uint8_t> bytes) {
  values_.write_bytes(bytes);
  value_counts_.push_back(values);
  lengths_.push_back(static_cast<uint32_t>(bytes.size()));
  write_full_chunk();
}

void StoredFieldsWriter::write_full_chunk() {
  if (values_.size() >= format_.chunk_size || chunk_documents() >= format_.max_chunk_documents)
    write_chunk(false);
}

void StoredFieldsWriter::write_chunk(bool dirty) {
  const uint32_t count = chunk_documents();
  const bool sliced = values_.size() >= 2 * size_t{format_.chunk_size};
  chunks_.add_chunk(chunk_base_, data_.file_pointer(), count, dirty);
  data_.write_vint(chunk_base_);
  data_.write_vint(count << 2 | (dirty ? 2u : 0u) | (sliced ? 1u : 0u));
  write_stored_fields_ints(value_counts_, data_);
  write_stored_fields_ints(lengths_, data_);
  if (sliced) {
    for (size_t at = 0; at < values_.size(); at += format_.chunk_size)
      compressor_.compress(
          values_.bytes().subspan(at, std::min<size_t>(format_.chunk_size, values_.size() - at)),
          data_);
  } else {
    compressor_.compress(values_.bytes(), data_);
  }
  chunk_base_ += count;
  value_counts_.clear();
  lengths_.clear();
  values_.clear();
  // One huge document must not keep its memory for the rest of the segment.
  if (values_.capacity() > 8 * size_t{format_.chunk_size}) values_.release();
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
  return values_.capacity() + (value_counts_.capacity() + lengths_.capacity()) * sizeof(uint32_t) +
         chunks_.ram_bytes() + compressor_.ram_bytes() + kOutputBuffers;
}

}  // namespace postern::codec
