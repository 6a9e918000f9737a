// Hints that an address will be read or written soon.
#pragma once

namespace postern::memory {

// A function that only prefetches counts as free of effects, and GCC drops calls of it that it does
// not inline early. Everything that does nothing but prefetch must carry this.
#define POSTERN_PREFETCHING [[gnu::always_inline]] inline

POSTERN_PREFETCHING void prefetch_read(const void* p) { __builtin_prefetch(p, 0); }
POSTERN_PREFETCHING void prefetch_write(const void* p) { __builtin_prefetch(p, 1); }

}  // namespace postern::memory
