// AVX2 with FMA (32 lanes are 4 registers) and AVX-512 (2 registers), chosen by what the processor
// says.
#if defined(__x86_64__)

// GCC 12 takes the undefined registers inside its own intrinsics for mistakes (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include "codec/vector_kernels_simd.h"

#define POSTERN_AVX2 __attribute__((target("avx2,fma"), always_inline))
#define POSTERN_AVX2_ENTRY __attribute__((target("avx2,fma")))
#define POSTERN_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"), always_inline))
#define POSTERN_AVX512_ENTRY __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))

namespace postern::codec {
namespace {

// Rows that are taken together, so that the query is loaded once for all and their sums, each a
// chain of dependent additions, run side by side.
constexpr size_t kRows = 4;

POSTERN_AVX2 inline float add_lanes(__m256 lanes) {
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_shuffle_ps(four, four, 1)));
}
POSTERN_AVX2 inline int32_t add_lanes(__m256i lanes) {
  __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1)));
}

// What is summed of two components.
struct Dot {
  POSTERN_AVX2 static __m256 term(__m256 a, __m256 b, __m256 sum) {
    return _mm256_fmadd_ps(a, b, sum);
  }
  POSTERN_AVX2 static __m256i term(__m256i a, __m256i b, __m256i sum) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
  }
  POSTERN_AVX512 static __m512 term(__m512 a, __m512 b, __m512 sum) {
    return _mm512_fmadd_ps(a, b, sum);
  }
  POSTERN_AVX512 static __m512i term(__m512i a, __m512i b, __m512i sum) {
    return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
  }
  static int32_t term(int32_t a, int32_t b) { return a * b; }
};
struct L2 {
  POSTERN_AVX2 static __m256 term(__m256 a, __m256 b, __m256 sum) {
    const __m256 d = _mm256_sub_ps(a, b);
    return _mm256_fmadd_ps(d, d, sum);
  }
  POSTERN_AVX2 static __m256i term(__m256i a, __m256i b, __m256i sum) {
    const __m256i d = _mm256_sub_epi16(a, b);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(d, d));
  }
  POSTERN_AVX512 static __m512 term(__m512 a, __m512 b, __m512 sum) {
    const __m512 d = _mm512_sub_ps(a, b);
    return _mm512_fmadd_ps(d, d, sum);
  }
  POSTERN_AVX512 static __m512i term(__m512i a, __m512i b, __m512i sum) {
    const __m512i d = _mm512_sub_epi16(a, b);
    return _mm512_add_epi32(sum, _mm512_madd_epi16(d, d));
  }
  static int32_t term(int32_t a, int32_t b) { return (a - b) * (a - b); }
};

// The sums of R rows.
template <class Op, size_t R>
POSTERN_AVX2 inline void avx2_floats(const float* query, const float* const* rows,
                                     uint32_t dimension, float* out) {
  __m256 sums[R][4];
  for (size_t r = 0; r < R; ++r)
    for (auto& sum : sums[r]) sum = _mm256_setzero_ps();
  uint32_t i = 0;
  for (; i + kFloatSumLanes <= dimension; i += kFloatSumLanes) {
    for (uint32_t part = 0; part < 4; ++part) {
      const __m256 a = _mm256_loadu_ps(query + i + 8 * part);
      for (size_t r = 0; r < R; ++r) {
        sums[r][part] = Op::term(a, _mm256_loadu_ps(rows[r] + i + 8 * part), sums[r][part]);
      }
    }
  }
  for (uint32_t part = 0; i < dimension; i += 8, ++part) {
    const auto left = static_cast<int32_t>(dimension - i);
    const __m256i mask =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256 a = _mm256_maskload_ps(query + i, mask);
    for (size_t r = 0; r < R; ++r) {
      sums[r][part] = Op::term(a, _mm256_maskload_ps(rows[r] + i, mask), sums[r][part]);
    }
  }
  for (size_t r = 0; r < R; ++r) {
    out[r] = add_lanes(_mm256_add_ps(_mm256_add_ps(sums[r][0], sums[r][2]),
                                     _mm256_add_ps(sums[r][1], sums[r][3])));
  }
}

template <class Op, size_t R>
POSTERN_AVX512 inline void avx512_floats(const float* query, const float* const* rows,
                                         uint32_t dimension, float* out) {
  __m512 sums[R][2];
  for (size_t r = 0; r < R; ++r)
    for (auto& sum : sums[r]) sum = _mm512_setzero_ps();
  uint32_t i = 0;
  for (; i + kFloatSumLanes <= dimension; i += kFloatSumLanes) {
    const __m512 low = _mm512_loadu_ps(query + i);
    const __m512 high = _mm512_loadu_ps(query + i + 16);
    for (size_t r = 0; r < R; ++r) {
      sums[r][0] = Op::term(low, _mm512_loadu_ps(rows[r] + i), sums[r][0]);
      sums[r][1] = Op::term(high, _mm512_loadu_ps(rows[r] + i + 16), sums[r][1]);
    }
  }
  for (uint32_t part = 0; i < dimension; i += 16, ++part) {
    const uint32_t left = dimension - i;
    const auto mask = static_cast<__mmask16>(left >= 16 ? 0xffff : (1u << left) - 1);
    const __m512 a = _mm512_maskz_loadu_ps(mask, query + i);
    for (size_t r = 0; r < R; ++r) {
      sums[r][part] = Op::term(a, _mm512_maskz_loadu_ps(mask, rows[r] + i), sums[r][part]);
    }
  }
  for (size_t r = 0; r < R; ++r) {
    const __m512 sum = _mm512_add_ps(sums[r][0], sums[r][1]);
    out[r] = add_lanes(_mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1)));
  }
}

POSTERN_AVX2 inline __m256i load_16(const int8_t* p) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

template <class Op, size_t R>
POSTERN_AVX2 inline void avx2_bytes(const int8_t* query, const int8_t* const* rows,
                                    uint32_t dimension, int32_t* out) {
  __m256i sums[R];
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  uint32_t i = 0;
  for (; i + 16 <= dimension; i += 16) {
    const __m256i a = load_16(query + i);
    for (size_t r = 0; r < R; ++r) sums[r] = Op::term(a, load_16(rows[r] + i), sums[r]);
  }
  for (size_t r = 0; r < R; ++r) {
    int32_t sum = add_lanes(sums[r]);
    for (uint32_t j = i; j < dimension; ++j) sum += Op::term(query[j], rows[r][j]);
    out[r] = sum;
  }
}

template <class Op, size_t R>
POSTERN_AVX512 inline void avx512_bytes(const int8_t* query, const int8_t* const* rows,
                                        uint32_t dimension, int32_t* out) {
  __m512i sums[R];
  for (auto& sum : sums) sum = _mm512_setzero_si512();
  for (uint32_t i = 0; i < dimension; i += 32) {
    const uint32_t left = dimension - i;
    const __mmask32 mask = left >= 32 ? 0xffffffff : (1u << left) - 1;
    const __m512i a = _mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(mask, query + i));
    for (size_t r = 0; r < R; ++r) {
      const __m512i b = _mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(mask, rows[r] + i));
      sums[r] = Op::term(a, b, sums[r]);
    }
  }
  for (size_t r = 0; r < R; ++r) {
    out[r] = add_lanes(
        _mm256_add_epi32(_mm512_castsi512_si256(sums[r]), _mm512_extracti64x4_epi64(sums[r], 1)));
  }
}

// Takes the rows in groups while the next group is on its way from memory.
// NOLINTBEGIN(bugprone-macro-parentheses): types take none.
#define POSTERN_SUMS(NAME, STEP, ENTRY, T, SUM)                                                  \
  template <class Op>                                                                            \
  ENTRY void NAME(const T* query, const T* rows, uint32_t dimension, const uint32_t* ords,       \
                  size_t n, SUM* out) {                                                          \
    auto row = [rows, dimension, ords](size_t k) { return rows + size_t{ords[k]} * dimension; }; \
    for (size_t k = 0; k < n && k < kRows; ++k) prefetch_row(row(k), dimension);                 \
    size_t k = 0;                                                                                \
    for (; k + kRows <= n; k += kRows) {                                                         \
      for (size_t next = k + kRows; next < n && next < k + 2 * kRows; ++next)                    \
        prefetch_row(row(next), dimension);                                                      \
      const T* const group[kRows] = {row(k), row(k + 1), row(k + 2), row(k + 3)};                \
      STEP<Op, kRows>(query, group, dimension, out + k);                                         \
    }                                                                                            \
    for (; k < n; ++k) {                                                                         \
      const T* const one[1] = {row(k)};                                                          \
      STEP<Op, 1>(query, one, dimension, out + k);                                               \
    }                                                                                            \
  }

// NOLINTEND(bugprone-macro-parentheses)
POSTERN_SUMS(avx2_float_sums, avx2_floats, POSTERN_AVX2_ENTRY, float, float)
POSTERN_SUMS(avx2_byte_sums, avx2_bytes, POSTERN_AVX2_ENTRY, int8_t, int32_t)
POSTERN_SUMS(avx512_float_sums, avx512_floats, POSTERN_AVX512_ENTRY, float, float)
POSTERN_SUMS(avx512_byte_sums, avx512_bytes, POSTERN_AVX512_ENTRY, int8_t, int32_t)

}  // namespace

void add_simd_kernels(std::vector<VectorKernels>& kernels) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
  kernels.push_back(
      {"avx2", avx2_float_sums<Dot>, avx2_float_sums<L2>, avx2_byte_sums<Dot>, avx2_byte_sums<L2>});
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return;
  kernels.push_back({"avx512", avx512_float_sums<Dot>, avx512_float_sums<L2>, avx512_byte_sums<Dot>,
                     avx512_byte_sums<L2>});
}

}  // namespace postern::codec

#endif
