// How near vectors of one field are to each other: Lucene's scores (docs/formats/40 §5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/vector_kernels.h"
#include "postern/field_type.h"

namespace postern::codec {

// The vectors of a field by ordinal, one behind the other, components as the file has them: IEEE
// floats or signed bytes. A view; floats must be aligned as floats are.
struct VectorRows {
  const uint8_t* data = nullptr;
  uint32_t count = 0;
  uint32_t dimension = 0;
  VectorEncoding encoding = VectorEncoding::kFloat32;

  size_t row_bytes() const {
    return size_t{dimension} * (encoding == VectorEncoding::kFloat32 ? sizeof(float) : 1);
  }
  size_t bytes() const { return row_bytes() * count; }
  const uint8_t* row(uint32_t ord) const { return data + ord * row_bytes(); }
};

// The score of vectors that have none (NaN: one of them is zero and the similarity is cosine). Real
// scores are not below zero.
inline constexpr float kNoScore = -1;

// Scores are the same for both directions, to the bit.
class VectorScorer {
 public:
  // `rows` must outlive the scorer.
  VectorScorer(const VectorRows& rows, VectorSimilarity similarity,
               const VectorKernels& kernels = vector_kernels());

  uint32_t count() const { return rows_.count; }
  // What it takes of memory besides the rows.
  static constexpr uint64_t kMostBytesPerVector = sizeof(float);

  // out[k]: the score of `ord` and ords[k], k < n.
  void score(uint32_t ord, const uint32_t* ords, size_t n, float* out) const {
    score(rows_.row(ord), norms_.empty() ? 0 : norms_[ord], ords, n, out);
  }
  // The same for a vector of the same kind that need not be in the field.
  void score(const uint8_t* query, std::span<const uint32_t> ords, float* out) const {
    score(query, norms_.empty() ? 0 : norm_of(query), ords.data(), ords.size(), out);
  }

 private:
  void score(const uint8_t* query, float norm, const uint32_t* ords, size_t n, float* out) const;
  float norm_of(const uint8_t* vector) const;
  void score_cosine(float norm, const uint32_t* ords, size_t n, float* out) const;

  const VectorRows& rows_;
  VectorSimilarity similarity_;
  const VectorKernels& kernels_;
  std::vector<float> norms_;  // cosine only: squared lengths, of bytes exact
};

}  // namespace postern::codec
