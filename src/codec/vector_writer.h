// Writes the vectors of one segment (docs/formats/40 §2).
//
// .vemf, per field:
//   i32 field, encoding, similarity | vLong offset, length of the vectors in .vec | vInt dimension
//   | i32 count | documents with a vector (docs/formats/20 §3.1) | and if those are a set: i64
//   offset of the ordinals' documents | vInt 16 | monotonic metadata | i64 length
// .vec, per field:
//   padding to 64 (floats) or 4 (bytes) | vectors by ordinal | set of documents | ordinals'
//   documents
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/doc_values_columns.h"
#include "codec/segment_context.h"
#include "codec/vector_scorer.h"
#include "store/index_output.h"

namespace postern::codec {

// What both metadata files of the vectors begin a field with.
void write_vector_field(const FieldInfo& field, uint64_t offset, uint64_t length, uint32_t count,
                        store::IndexOutput& meta);

// Make one only if some field of the segment has a vector dimension; every such field must be
// added. Errors: IoError.
class VectorWriter {
 public:
  // Creates both files; context.max_doc must be known.
  explicit VectorWriter(const SegmentContext& context);

  // `rows`: one vector per document with the field, of the field's dimension and encoding. `order`:
  // the row of each ordinal, or empty if they are the same. `docs`: the documents, by ordinal.
  void add_field(const FieldInfo& field, const ColumnDocs& docs, const VectorRows& rows,
                 std::span<const uint32_t> order = {});
  // Completes both files.
  void close();

  std::vector<std::string> files() const { return {data_.name(), meta_.name()}; }

 private:
  uint32_t max_doc_;
  store::IndexOutput data_;
  store::IndexOutput meta_;
};

}  // namespace postern::codec
