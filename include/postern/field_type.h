// How the values of a field are indexed. The numbers of the enumerations are those of the .fnm file
// (docs/formats/11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace postern {

class Analyzer;

enum class IndexOptions : uint8_t {
  kNone = 0,
  kDocs = 1,
  kFreqs = 2,
  kPositions = 3,
  kOffsets = 4
};

enum class DocValuesType : uint8_t {
  kNone = 0,
  kNumeric = 1,
  kBinary = 2,
  kSorted = 3,
  kSortedSet = 4,
  kSortedNumeric = 5
};

// As schemas and messages have it: "sorted_set"; "none".
constexpr const char* name_of(DocValuesType type) {
  constexpr const char* kNames[] = {"none",   "numeric",    "binary",
                                    "sorted", "sorted_set", "sorted_numeric"};
  return kNames[static_cast<size_t>(type)];
}

enum class VectorEncoding : uint8_t { kByte = 0, kFloat32 = 1 };
enum class VectorSimilarity : uint8_t {
  kEuclidean = 0,
  kDotProduct = 1,
  kCosine = 2,
  kMaxInnerProduct = 3
};

struct TermVectors {
  bool enabled = false;
  bool positions = false;
  bool offsets = false;
  bool payloads = false;
  bool operator==(const TermVectors&) const = default;
};

struct FieldType {
  IndexOptions index_options = IndexOptions::kNone;
  // false: a value is one term, as it is (Lucene's StringField); no analyzer and no gaps.
  bool tokenized = true;
  bool stored = false;
  bool omit_norms = false;
  TermVectors term_vectors;
  DocValuesType doc_values = DocValuesType::kNone;
  bool doc_values_skip_index = false;
  uint8_t point_dimensions = 0;
  uint8_t point_index_dimensions = 0;
  uint8_t point_bytes = 0;
  uint32_t vector_dimension = 0;  // 1 to 1024: the field's values are KNN vectors
  VectorEncoding vector_encoding = VectorEncoding::kFloat32;
  VectorSimilarity vector_similarity = VectorSimilarity::kEuclidean;

  bool indexed() const { return index_options != IndexOptions::kNone; }
  bool has_positions() const { return index_options >= IndexOptions::kPositions; }
  bool has_norms() const { return indexed() && !omit_norms; }
};

// A named field. Made once and referred to by documents: its address identifies it while a writer
// is open, so it must outlive every writer that has seen it.
class FieldDefinition {
 public:
  FieldDefinition(std::string name, FieldType type,
                  std::shared_ptr<const Analyzer> analyzer = nullptr,
                  uint32_t position_increment_gap = 0, uint32_t offset_gap = 1)
      : name_(std::move(name)),
        type_(type),
        analyzer_(std::move(analyzer)),
        position_increment_gap_(position_increment_gap),
        offset_gap_(offset_gap) {}
  FieldDefinition(const FieldDefinition&) = delete;
  FieldDefinition& operator=(const FieldDefinition&) = delete;

  const std::string& name() const { return name_; }
  const FieldType& type() const { return type_; }
  // Null unless the field is tokenized.
  const Analyzer* analyzer() const { return analyzer_.get(); }
  // Positions, and UTF-16 units, added between two values of the field in one document.
  uint32_t position_increment_gap() const { return position_increment_gap_; }
  uint32_t offset_gap() const { return offset_gap_; }

 private:
  std::string name_;
  FieldType type_;
  std::shared_ptr<const Analyzer> analyzer_;
  uint32_t position_increment_gap_;
  uint32_t offset_gap_;
};

}  // namespace postern
