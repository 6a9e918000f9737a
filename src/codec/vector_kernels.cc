#include "codec/vector_kernels.h"

#include <array>
#include <cmath>

#include "codec/vector_kernels_simd.h"

namespace postern::codec {
namespace {

float add_lanes(std::array<float, kFloatSumLanes>& lanes) {
  for (uint32_t half = kFloatSumLanes / 2; half > 0; half /= 2) {
    for (uint32_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  return lanes[0];
}

template <class Term>
void float_sums(const float* rows, uint32_t dimension, const uint32_t* ords, size_t n, float* out,
                Term term) {
  for (size_t k = 0; k < n; ++k) {
    const float* row = rows + size_t{ords[k]} * dimension;
    std::array<float, kFloatSumLanes> lanes{};
    for (uint32_t i = 0; i < dimension; ++i) {
      float& lane = lanes[i % kFloatSumLanes];
      lane = term(i, row[i], lane);
    }
    out[k] = add_lanes(lanes);
  }
}

void float_dot(const float* query, const float* rows, uint32_t dimension, const uint32_t* ords,
               size_t n, float* out) {
  float_sums(rows, dimension, ords, n, out,
             [query](uint32_t i, float x, float sum) { return std::fma(query[i], x, sum); });
}

void float_l2(const float* query, const float* rows, uint32_t dimension, const uint32_t* ords,
              size_t n, float* out) {
  float_sums(rows, dimension, ords, n, out, [query](uint32_t i, float x, float sum) {
    const float difference = query[i] - x;
    return std::fma(difference, difference, sum);
  });
}

void byte_dot(const int8_t* query, const int8_t* rows, uint32_t dimension, const uint32_t* ords,
              size_t n, int32_t* out) {
  for (size_t k = 0; k < n; ++k) {
    const int8_t* row = rows + size_t{ords[k]} * dimension;
    int32_t sum = 0;
    for (uint32_t i = 0; i < dimension; ++i) sum += query[i] * row[i];
    out[k] = sum;
  }
}

void byte_l2(const int8_t* query, const int8_t* rows, uint32_t dimension, const uint32_t* ords,
             size_t n, int32_t* out) {
  for (size_t k = 0; k < n; ++k) {
    const int8_t* row = rows + size_t{ords[k]} * dimension;
    int32_t sum = 0;
    for (uint32_t i = 0; i < dimension; ++i) {
      const int32_t difference = query[i] - row[i];
      sum += difference * difference;
    }
    out[k] = sum;
  }
}

}  // namespace

const std::vector<VectorKernels>& usable_vector_kernels() {
  static const std::vector<VectorKernels> kernels = [] {
    std::vector<VectorKernels> usable{{"portable", float_dot, float_l2, byte_dot, byte_l2}};
    add_simd_kernels(usable);
    return usable;
  }();
  return kernels;
}

const VectorKernels& vector_kernels() { return usable_vector_kernels().back(); }

}  // namespace postern::codec
