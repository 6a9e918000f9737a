// What a segment knows of its fields, and the `.fnm` file (docs/formats/11 §4).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "postern/directory.h"
#include "postern/field_type.h"
#include "store/codec_header.h"

namespace postern::codec {

struct FieldInfo {
  std::string name;
  uint32_t number = 0;
  IndexOptions index_options = IndexOptions::kNone;
  bool omit_norms = false;
  bool term_vectors = false;
  bool payloads = false;  // some position of the field in this segment has one
  bool soft_deletes = false;
  bool parent = false;
  DocValuesType doc_values = DocValuesType::kNone;
  bool doc_values_skip_index = false;
  int64_t doc_values_generation = -1;
  uint32_t point_dimensions = 0;
  uint32_t point_index_dimensions = 0;
  uint32_t point_bytes = 0;
  uint32_t vector_dimension = 0;
  VectorEncoding vector_encoding = VectorEncoding::kFloat32;
  VectorSimilarity vector_similarity = VectorSimilarity::kEuclidean;
  // In file order.
  std::vector<std::pair<std::string, std::string>> attributes;

  bool indexed() const { return index_options != IndexOptions::kNone; }
  bool has_freqs() const { return index_options >= IndexOptions::kFreqs; }
  bool has_positions() const { return index_options >= IndexOptions::kPositions; }
  bool has_offsets() const { return index_options >= IndexOptions::kOffsets; }
  bool has_norms() const { return indexed() && !omit_norms; }
};

// Ascending by number; numbers may have holes.
struct FieldInfos {
  std::vector<FieldInfo> fields;

  const FieldInfo* by_number(uint32_t number) const;
  const FieldInfo* by_name(std::string_view name) const;
  bool any_postings() const;  // some field is indexed
  bool any_positions() const;
  bool any_offsets_or_payloads() const;
  bool any_norms() const;
};

// `suffix`: empty, or the generation in base 36. Returns the file's name.
std::string write_field_infos(Directory& directory, const std::string& segment,
                              const store::ObjectId& id, std::string_view suffix,
                              const FieldInfos& infos);
FieldInfos read_field_infos(const Directory& directory, const std::string& segment,
                            const store::ObjectId& id, std::string_view suffix);

}  // namespace postern::codec
