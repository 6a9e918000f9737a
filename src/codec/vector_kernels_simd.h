// The sets of vector_kernels.h that need more than the processor every build is for.
#pragma once

#include <vector>

#include "codec/vector_kernels.h"

namespace postern::codec {

// Appends those that this processor can run, slowest first.
void add_simd_kernels(std::vector<VectorKernels>& kernels);

// Lines of the rows that come next are asked for ahead: their addresses follow no pattern that a
// processor could guess. The first lines suffice, the rest it does guess.
inline constexpr size_t kPrefetchedLines = 6;
inline constexpr size_t kCacheLine = 64;

template <class T>
inline void prefetch_row(const T* row, uint32_t dimension) {
  const auto* at = reinterpret_cast<const char*>(row);
  const size_t bytes = size_t{dimension} * sizeof(T);
  for (size_t line = 0; line < kPrefetchedLines && line * kCacheLine < bytes; ++line)
    __builtin_prefetch(at + line * kCacheLine);
}

}  // namespace postern::codec
