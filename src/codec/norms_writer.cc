#include "codec/norms_writer.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>

#include "codec/indexed_disi.h"
#include "codec/norm_byte.h"
#include "codec/norms_format.h"

namespace postern::codec {
namespace {

// With one common value, or none, no value is stored: the entry carries it instead.
bool all_equal(std::span<const uint8_t> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

NormsWriter::NormsWriter(const SegmentContext& context)
    : max_doc_(context.max_doc),
      data_(context.directory, segment_file(context.segment, "", kNormsDataExtension)),
      meta_(context.directory, segment_file(context.segment, "", kNormsMetaExtension)) {
  store::write_index_header(data_, kNormsDataCodec, kNormsVersion, context.id, "");
  store::write_index_header(meta_, kNormsMetaCodec, kNormsVersion, context.id, "");
}

void NormsWriter::add_field(const FieldInfo& field, std::span<const uint32_t> docs,
                            std::span<const uint8_t> values) {
  const bool all = docs.empty() && !values.empty();
  assert(values.size() == (all ? max_doc_ : docs.size()));
  meta_.write_le32(field.number);
  write_docs_with_field(docs, all, max_doc_, data_, meta_);
  meta_.write_le32(static_cast<uint32_t>(values.size()));
  if (all_equal(values)) {
    // Without any value Lucene writes what its running minimum started from.
    const int64_t common =
        values.empty() ? std::numeric_limits<int64_t>::max() : norm_value(values[0]);
    meta_.write_byte(0);
    meta_.write_le64(static_cast<uint64_t>(common));
    return;
  }
  meta_.write_byte(1);
  meta_.write_le64(data_.file_pointer());
  data_.write_bytes(values);
}

void NormsWriter::close() {
  meta_.write_le32(kNormsEnd);
  for (store::IndexOutput* out : {&data_, &meta_}) {
    store::write_footer(*out);
    out->close();
  }
}

}  // namespace postern::codec
