// NEON (32 lanes are 8 registers), which every 64-bit ARM processor has; nothing elsewhere.
#if !defined(__x86_64__)

#include "codec/vector_kernels_simd.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace postern::codec {

#if defined(__aarch64__)
namespace {

struct Dot {
  static float32x4_t term(float32x4_t a, float32x4_t b, float32x4_t sum) {
    return vfmaq_f32(sum, a, b);
  }
  static int32x4_t term(int8x8_t a, int8x8_t b, int32x4_t sum) {
    return vpadalq_s16(sum, vmull_s8(a, b));
  }
  static int32_t term(int32_t a, int32_t b) { return a * b; }
};
struct L2 {
  static float32x4_t term(float32x4_t a, float32x4_t b, float32x4_t sum) {
    const float32x4_t d = vsubq_f32(a, b);
    return vfmaq_f32(sum, d, d);
  }
  static int32x4_t term(int8x8_t a, int8x8_t b, int32x4_t sum) {
    const int16x8_t d = vsubl_s8(a, b);
    sum = vmlal_s16(sum, vget_low_s16(d), vget_low_s16(d));
    return vmlal_s16(sum, vget_high_s16(d), vget_high_s16(d));
  }
  static int32_t term(int32_t a, int32_t b) { return (a - b) * (a - b); }
};

float add_lanes(float32x4_t (&sums)[8]) {
  for (uint32_t half = 4; half > 0; half /= 2)
    for (uint32_t l = 0; l < half; ++l) sums[l] = vaddq_f32(sums[l], sums[l + half]);
  const float32x2_t two = vadd_f32(vget_low_f32(sums[0]), vget_high_f32(sums[0]));
  return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}

template <class Op>
void float_sums(const float* query, const float* rows, uint32_t dimension, const uint32_t* ords,
                size_t n, float* out) {
  for (size_t k = 0; k < n; ++k) {
    if (k + 1 < n) prefetch_row(rows + size_t{ords[k + 1]} * dimension, dimension);
    const float* row = rows + size_t{ords[k]} * dimension;
    float32x4_t sums[8];
    for (auto& sum : sums) sum = vdupq_n_f32(0);
    uint32_t i = 0;
    for (; i + kFloatSumLanes <= dimension; i += kFloatSumLanes)
      for (uint32_t part = 0; part < 8; ++part)
        sums[part] =
            Op::term(vld1q_f32(query + i + 4 * part), vld1q_f32(row + i + 4 * part), sums[part]);
    for (uint32_t part = 0; i < dimension; i += 4, ++part) {
      float a[4] = {}, b[4] = {};
      for (uint32_t j = 0; j < 4 && i + j < dimension; ++j) {
        a[j] = query[i + j];
        b[j] = row[i + j];
      }
      sums[part] = Op::term(vld1q_f32(a), vld1q_f32(b), sums[part]);
    }
    out[k] = add_lanes(sums);
  }
}

template <class Op>
void byte_sums(const int8_t* query, const int8_t* rows, uint32_t dimension, const uint32_t* ords,
               size_t n, int32_t* out) {
  for (size_t k = 0; k < n; ++k) {
    if (k + 1 < n) prefetch_row(rows + size_t{ords[k + 1]} * dimension, dimension);
    const int8_t* row = rows + size_t{ords[k]} * dimension;
    int32x4_t sums = vdupq_n_s32(0);
    uint32_t i = 0;
    for (; i + 8 <= dimension; i += 8) sums = Op::term(vld1_s8(query + i), vld1_s8(row + i), sums);
    int32_t sum = vaddvq_s32(sums);
    for (; i < dimension; ++i) sum += Op::term(query[i], row[i]);
    out[k] = sum;
  }
}

}  // namespace

void add_simd_kernels(std::vector<VectorKernels>& kernels) {
  kernels.push_back({"neon", float_sums<Dot>, float_sums<L2>, byte_sums<Dot>, byte_sums<L2>});
}
#else
void add_simd_kernels(std::vector<VectorKernels>&) {}
#endif

}  // namespace postern::codec

#endif
