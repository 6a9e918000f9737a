#include "codec/vector_scorer.h"

#include <algorithm>
#include <cmath>

namespace postern::codec {
namespace {

constexpr uint32_t kFirst = 0;

const float* floats(const uint8_t* p) { return reinterpret_cast<const float*>(p); }
const int8_t* bytes(const uint8_t* p) { return reinterpret_cast<const int8_t*>(p); }

}  // namespace

VectorScorer::VectorScorer(const VectorRows& rows, VectorSimilarity similarity,
                           const VectorKernels& kernels)
    : rows_(rows), similarity_(similarity), kernels_(kernels) {
  if (similarity != VectorSimilarity::kCosine) return;
  norms_.resize(rows.count);
  for (uint32_t ord = 0; ord < rows.count; ++ord) norms_[ord] = norm_of(rows.row(ord));
}

float VectorScorer::norm_of(const uint8_t* vector) const {
  float norm = 0;
  if (rows_.encoding == VectorEncoding::kFloat32) {
    kernels_.float_dot(floats(vector), floats(vector), rows_.dimension, &kFirst, 1, &norm);
    return norm;
  }
  int32_t exact = 0;
  kernels_.byte_dot(bytes(vector), bytes(vector), rows_.dimension, &kFirst, 1, &exact);
  return static_cast<float>(exact);  // at most 2^24
}

void VectorScorer::score(const uint8_t* query, float norm, const uint32_t* ords, size_t n,
                         float* out) const {
  const bool l2 = similarity_ == VectorSimilarity::kEuclidean;
  const bool of_bytes = rows_.encoding == VectorEncoding::kByte;
  if (of_bytes) {
    constexpr size_t kGroup = 64;
    int32_t sums[kGroup];
    for (size_t k = 0; k < n; k += kGroup) {
      const size_t some = std::min(kGroup, n - k);
      (l2 ? kernels_.byte_l2 : kernels_.byte_dot)(bytes(query), bytes(rows_.data), rows_.dimension,
                                                  ords + k, some, sums);
      for (size_t i = 0; i < some; ++i) out[k + i] = static_cast<float>(sums[i]);
    }
  } else {
    (l2 ? kernels_.float_l2 : kernels_.float_dot)(floats(query), floats(rows_.data),
                                                  rows_.dimension, ords, n, out);
  }
  switch (similarity_) {
    case VectorSimilarity::kEuclidean:
      for (size_t k = 0; k < n; ++k) out[k] = 1 / (1 + out[k]);
      break;
    case VectorSimilarity::kDotProduct:
      if (of_bytes) {
        const auto scale = static_cast<float>(rows_.dimension * 32768);
        for (size_t k = 0; k < n; ++k) out[k] = 0.5f + out[k] / scale;
      } else {
        for (size_t k = 0; k < n; ++k) out[k] = std::max((1 + out[k]) / 2, 0.0f);
      }
      break;
    case VectorSimilarity::kCosine:
      score_cosine(norm, ords, n, out);
      break;
    case VectorSimilarity::kMaxInnerProduct:
      for (size_t k = 0; k < n; ++k) out[k] = out[k] < 0 ? 1 / (1 - out[k]) : 1 + out[k];
      break;
  }
  for (size_t k = 0; k < n; ++k) {
    if (std::isnan(out[k])) out[k] = kNoScore;
  }
}

void VectorScorer::score_cosine(float norm, const uint32_t* ords, size_t n, float* out) const {
  const double own = norm;
  for (size_t k = 0; k < n; ++k) {
    const double lengths = std::sqrt(own * static_cast<double>(norms_[ords[k]]));
    const auto cosine = static_cast<float>(static_cast<double>(out[k]) / lengths);
    out[k] = (1 + cosine) / 2;
    if (out[k] < 0) out[k] = 0;  // keeps NaN; of bytes the cosine is not below -1
  }
}

}  // namespace postern::codec
