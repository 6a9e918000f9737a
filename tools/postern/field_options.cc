#include "field_options.h"

#include <fmt/format.h>

namespace postern::tool {

const char* index_options_name(IndexOptions options) {
  switch (options) {
    case IndexOptions::kNone:
      return "none";
    case IndexOptions::kDocs:
      return "docs";
    case IndexOptions::kFreqs:
      return "freqs";
    case IndexOptions::kPositions:
      return "positions";
    case IndexOptions::kOffsets:
      return "offsets";
  }
  return "";
}

const char* similarity_name(VectorSimilarity similarity) {
  switch (similarity) {
    case VectorSimilarity::kEuclidean:
      return "l2";
    case VectorSimilarity::kDotProduct:
      return "dot_product";
    case VectorSimilarity::kCosine:
      return "cosine";
    case VectorSimilarity::kMaxInnerProduct:
      return "max_inner_product";
  }
  return "";
}

std::string inverted_text(const codec::FieldInfo& field) {
  if (!field.indexed()) return "-";
  std::string text = index_options_name(field.index_options);
  if (field.payloads) text += ", payloads";
  if (field.has_norms()) text += ", norms";
  if (field.term_vectors) text += ", term vectors";
  return text;
}

std::string columns_text(const codec::FieldInfo& field) {
  if (field.doc_values == DocValuesType::kNone) return "-";
  return fmt::format("{}{}", name_of(field.doc_values),
                     field.doc_values_skip_index ? ", skip index" : "");
}

std::string points_text(const codec::FieldInfo& field) {
  if (field.point_dimensions == 0) return "-";
  std::string bytes = fmt::format("{} bytes", field.point_bytes);
  if (field.point_dimensions == 1) return bytes;
  const std::string indexed = field.point_index_dimensions == field.point_dimensions
                                  ? ""
                                  : fmt::format(" ({} indexed)", field.point_index_dimensions);
  return fmt::format("{}{} x {}", field.point_dimensions, indexed, bytes);
}

std::string vectors_text(const codec::FieldInfo& field) {
  if (field.vector_dimension == 0) return "-";
  return fmt::format("{} x {}, {}", field.vector_dimension,
                     field.vector_encoding == VectorEncoding::kByte ? "byte" : "float32",
                     similarity_name(field.vector_similarity));
}

}  // namespace postern::tool
