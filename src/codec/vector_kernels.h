// Sums over the components of one vector and of each of many others, with the instructions of the
// processor the program runs on.
//
// Float sums are the same bits on every processor: component i goes to lane i mod 32 of 32 running
// sums by a fused multiply-add, in ascending order of i; then the upper half of the lanes is added
// to the lower half until one is left. So an index does not depend on the machine that built it.
// Byte sums are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postern::codec {

inline constexpr uint32_t kFloatSumLanes = 32;

// out[k] is the sum for `query` and the row ords[k] of `rows`, k < n. Rows have `dimension`
// components each and follow one another; neither they nor the query need be aligned.
using FloatSums = void (*)(const float* query, const float* rows, uint32_t dimension,
                           const uint32_t* ords, size_t n, float* out);
using ByteSums = void (*)(const int8_t* query, const int8_t* rows, uint32_t dimension,
                          const uint32_t* ords, size_t n, int32_t* out);

struct VectorKernels {
  const char* name;
  FloatSums float_dot;  // of the products
  FloatSums float_l2;   // of the squared differences
  ByteSums byte_dot;
  ByteSums byte_l2;
};

// The fastest set for this processor.
const VectorKernels& vector_kernels();
// Every set this processor can run, the portable one first.
const std::vector<VectorKernels>& usable_vector_kernels();

}  // namespace postern::codec
