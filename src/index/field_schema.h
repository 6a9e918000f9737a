// What documents of one index must agree on, field by field (docs/formats/02 §8).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "codec/field_infos.h"
#include "deletes/change.h"
#include "postern/field_type.h"

namespace postern::index {

// The compared properties of a field. Storedness, gaps and analyzers are not among them.
struct FieldSchema {
  IndexOptions index_options = IndexOptions::kNone;
  bool omit_norms = false;    // counts only if indexed
  bool term_vectors = false;  // likewise
  DocValuesType doc_values = DocValuesType::kNone;
  bool doc_values_skip_index = false;
  uint32_t point_dimensions = 0;
  uint32_t point_index_dimensions = 0;
  uint32_t point_bytes = 0;
  uint32_t vector_dimension = 0;
  VectorEncoding vector_encoding = VectorEncoding::kFloat32;
  VectorSimilarity vector_similarity = VectorSimilarity::kEuclidean;

  bool operator==(const FieldSchema&) const = default;

  static FieldSchema of(const FieldType& type);
  static FieldSchema of(const codec::FieldInfo& info);
};

// The info of a new field; postings attributes and the like are added at flush.
codec::FieldInfo field_info(const std::string& name, uint32_t number, const FieldSchema& schema);

// Throws InvalidDocument if the type contradicts itself (term vectors of a field that is not
// indexed, ...).
void check_type(const std::string& field, const FieldType& type);

// Throws InvalidDocument if the vectors of a new field have too many dimensions.
void check_vector_dimension(const std::string& field, const FieldSchema& schema);

// Adds the aspects of another value of the field in the same document. Throws SchemaConflict if
// both have an aspect and differ in it.
void merge(FieldSchema& schema, const FieldType& type, const std::string& field, uint32_t doc);

// Throws SchemaConflict if a document's values do not add up to what the segment's field has.
void require_same_in_segment(const FieldSchema& segment, const FieldSchema& document,
                             const std::string& field, uint32_t doc);

// The fields of the whole index: names, numbers, schemas. Earlier segments' fields are loaded when
// the index is opened; a number is never given to a second name. Thread-safe: add is called once
// for each field of a segment.
class GlobalFields {
 public:
  GlobalFields() = default;
  // The names of WriterConfig; empty for none. Throws InvalidArgument if they are the same.
  GlobalFields(std::string parent_field, std::string soft_deletes_field);

  // A field that an update brought to a segment has a number of its own there (docs/formats/11 §4):
  // the first segment's counts, and if that is taken the field gets another. Throws CorruptIndex if
  // two segments disagree on what a field is, InvalidArgument if the index has other parent and
  // soft-deletes fields.
  void load(const codec::FieldInfos& infos, const std::string& segment);

  // The number of the field, new or known. Throws SchemaConflict if the index knows it otherwise.
  uint32_t add(const std::string& field, const FieldSchema& schema);

  // The field of a doc values update, a new one if the index does not have it. Throws
  // InvalidArgument if it has anything else than doc values of that type.
  deletes::Target target(std::string_view field, DocValuesType type);

 private:
  uint32_t add_new(const std::string& field, const FieldSchema& schema);
  void check_roles(const codec::FieldInfos& infos, const std::string& segment) const;

  struct Entry {
    uint32_t number;
    FieldSchema schema;
  };
  std::string parent_field_;
  std::string soft_deletes_field_;
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> fields_;
  std::map<uint32_t, std::string> names_;
  uint32_t lowest_free_ = 0;
};

}  // namespace postern::index
