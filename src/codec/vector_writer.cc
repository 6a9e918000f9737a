#include "codec/vector_writer.h"

#include <cassert>

#include "codec/direct_monotonic.h"
#include "codec/indexed_disi.h"
#include "codec/vector_format.h"

namespace postern::codec {

void write_vector_field(const FieldInfo& field, uint64_t offset, uint64_t length, uint32_t count,
                        store::IndexOutput& meta) {
  meta.write_le32(field.number);
  meta.write_le32(static_cast<uint32_t>(field.vector_encoding));
  meta.write_le32(static_cast<uint32_t>(field.vector_similarity));
  meta.write_vlong(offset);
  meta.write_vlong(length);
  meta.write_vint(field.vector_dimension);
  meta.write_le32(count);
}

VectorWriter::VectorWriter(const SegmentContext& context)
    : max_doc_(context.max_doc),
      data_(context.directory, segment_file(context.segment, kVectorSuffix, kVectorDataExtension)),
      meta_(context.directory, segment_file(context.segment, kVectorSuffix, kVectorMetaExtension)) {
  store::write_index_header(data_, kVectorDataCodec, kVectorVersion, context.id, kVectorSuffix);
  store::write_index_header(meta_, kVectorMetaCodec, kVectorVersion, context.id, kVectorSuffix);
}

void VectorWriter::add_field(const FieldInfo& field, const ColumnDocs& docs, const VectorRows& rows,
                             std::span<const uint32_t> order) {
  assert(rows.dimension == field.vector_dimension && rows.encoding == field.vector_encoding);
  assert(docs.all ? rows.count == max_doc_ : rows.count == docs.listed.size());
  const uint32_t alignment = vector_alignment(field.vector_encoding);
  while (data_.file_pointer() % alignment != 0) data_.write_byte(0);
  const uint64_t offset = data_.file_pointer();
  if (order.empty()) {
    if (rows.count != 0) data_.write_bytes({rows.data, rows.bytes()});
  } else {
    for (uint32_t row : order) data_.write_bytes({rows.row(row), rows.row_bytes()});
  }
  write_vector_field(field, offset, rows.bytes(), rows.count, meta_);
  write_docs_with_field(docs.listed, docs.all, max_doc_, data_, meta_);
  if (docs.all || rows.count == 0 || rows.count == max_doc_) return;
  const uint64_t addresses = data_.file_pointer();
  meta_.write_le64(addresses);
  meta_.write_vint(kVectorBlockShift);
  DirectMonotonicWriter documents(meta_, data_, kVectorBlockShift);
  for (uint32_t doc : docs.listed) documents.add(doc);
  documents.finish();
  meta_.write_le64(data_.file_pointer() - addresses);
}

void VectorWriter::close() {
  meta_.write_le32(kVectorEnd);
  for (store::IndexOutput* out : {&data_, &meta_}) {
    store::write_footer(*out);
    out->close();
  }
}

}  // namespace postern::codec
