#include "codec/points_writer.h"

#include "codec/bkd_writer.h"
#include "codec/points_format.h"

namespace postern::codec {

PointsWriter::PointsWriter(const SegmentContext& context)
    : max_doc_(context.max_doc),
      data_(context.directory, segment_file(context.segment, "", kPointsDataExtension)),
      meta_(context.directory, segment_file(context.segment, "", kPointsMetaExtension)),
      index_(context.directory, segment_file(context.segment, "", kPointsIndexExtension)) {
  store::write_index_header(data_, kPointsDataCodec, kPointsVersion, context.id, "");
  store::write_index_header(meta_, kPointsMetaCodec, kPointsVersion, context.id, "");
  store::write_index_header(index_, kPointsIndexCodec, kPointsVersion, context.id, "");
}

void PointsWriter::add_field(const FieldInfo& field, std::span<uint8_t> records,
                             uint32_t doc_count) {
  const BkdShape shape{field.point_dimensions, field.point_index_dimensions, field.point_bytes};
  meta_.write_le32(field.number);
  write_bkd_tree(shape, records, max_doc_, doc_count, {data_, index_, meta_});
}

void PointsWriter::close() {
  meta_.write_le32(kPointsEnd);
  store::write_footer(index_);
  store::write_footer(data_);
  meta_.write_le64(index_.file_pointer());
  meta_.write_le64(data_.file_pointer());
  store::write_footer(meta_);
  for (store::IndexOutput* out : {&data_, &meta_, &index_}) out->close();
}

}  // namespace postern::codec
