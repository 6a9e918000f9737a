#include "codec/doc_values_writer.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "codec/indexed_disi.h"

namespace postern::codec {

DocValuesWriter::DocValuesWriter(const SegmentContext& context, const std::string& suffix)
    : max_doc_(context.max_doc),
      data_(context.directory, segment_file(context.segment, suffix, kDocValuesDataExtension)),
      meta_(context.directory, segment_file(context.segment, suffix, kDocValuesMetaExtension)) {
  store::write_index_header(data_, kDocValuesDataCodec, kDocValuesVersion, context.id, suffix);
  store::write_index_header(meta_, kDocValuesMetaCodec, kDocValuesVersion, context.id, suffix);
}

template <class Value>
void DocValuesWriter::start_field(const FieldInfo& field, DocValuesKind kind,
                                  const ColumnDocs& docs, std::span<const uint32_t> counts,
                                  std::span<const Value> values) {
  assert(!terms_);
  meta_.write_le32(field.number);
  meta_.write_byte(static_cast<uint8_t>(kind));
  if (field.doc_values_skip_index)
    write_skip_index(docs, doc_count(docs), counts, values, data_, meta_);
}

template <class Value>
void DocValuesWriter::add_numbers(const ColumnDocs& docs, std::span<const Value> values) {
  write_docs_with_field(docs.listed, docs.all, max_doc_, data_, meta_);
  write_numbers(values, data_, meta_);
}

template <class Value>
void DocValuesWriter::add_sorted_numbers(const ColumnDocs& docs, std::span<const uint32_t> counts,
                                         std::span<const Value> values) {
  add_numbers(docs, values);
  meta_.write_le32(doc_count(docs));
  if (values.size() != doc_count(docs)) write_addresses(counts, data_, meta_);
}

void DocValuesWriter::add_numeric(const FieldInfo& field, const ColumnDocs& docs,
                                  std::span<const int64_t> values) {
  assert(values.size() == doc_count(docs));
  start_field(field, DocValuesKind::kNumeric, docs, {}, values);
  add_numbers(docs, values);
}

void DocValuesWriter::add_sorted_numeric(const FieldInfo& field, const ColumnDocs& docs,
                                         std::span<const uint32_t> counts,
                                         std::span<const int64_t> values) {
  start_field(field, DocValuesKind::kSortedNumeric, docs, counts, values);
  add_sorted_numbers(docs, counts, values);
}

void DocValuesWriter::add_binary(const FieldInfo& field, const ColumnDocs& docs,
                                 std::span<const uint32_t> lengths,
                                 std::span<const uint8_t> bytes) {
  assert(lengths.size() == doc_count(docs));
  meta_.write_le32(field.number);
  meta_.write_byte(static_cast<uint8_t>(DocValuesKind::kBinary));
  meta_.write_le64(data_.file_pointer());
  meta_.write_le64(bytes.size());
  data_.write_bytes(bytes);
  write_docs_with_field(docs.listed, docs.all, max_doc_, data_, meta_);
  uint32_t min = std::numeric_limits<int32_t>::max();
  uint32_t max = 0;
  for (uint32_t length : lengths) {
    min = std::min(min, length);
    max = std::max(max, length);
  }
  meta_.write_le32(static_cast<uint32_t>(lengths.size()));
  meta_.write_le32(min);
  meta_.write_le32(max);
  if (min < max) write_addresses(lengths, data_, meta_);
}

void DocValuesWriter::add_sorted(const FieldInfo& field, const ColumnDocs& docs,
                                 std::span<const uint32_t> ords) {
  assert(ords.size() == doc_count(docs));
  start_field(field, DocValuesKind::kSorted, docs, {}, ords);
  add_numbers(docs, ords);
  terms_.emplace(data_, meta_);
}

void DocValuesWriter::add_sorted_set(const FieldInfo& field, const ColumnDocs& docs,
                                     std::span<const uint32_t> counts,
                                     std::span<const uint32_t> ords) {
  const bool multi_valued = ords.size() != doc_count(docs);
  start_field(field, DocValuesKind::kSortedSet, docs, counts, ords);
  meta_.write_byte(multi_valued ? 1 : 0);
  if (multi_valued) {
    add_sorted_numbers(docs, counts, ords);
  } else {
    add_numbers(docs, ords);
  }
  terms_.emplace(data_, meta_);
}

void DocValuesWriter::finish_terms() {
  terms_->finish();
  terms_.reset();
}

void DocValuesWriter::close() {
  assert(!terms_);
  meta_.write_le32(kDocValuesEnd);
  for (store::IndexOutput* out : {&data_, &meta_}) {
    store::write_footer(*out);
    out->close();
  }
}

}  // namespace postern::codec
