#include "memory/pages.h"

#include <sys/mman.h>

#include <cstring>

namespace postern::memory {

uint8_t* map_pages(size_t bytes) {
  size_t reserved = bytes + kHugePage;
  void* p = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  auto start = reinterpret_cast<uintptr_t>(p);
  uintptr_t aligned = (start + kHugePage - 1) & ~(kHugePage - 1);
  if (aligned != start) munmap(p, aligned - start);
  uintptr_t end = start + reserved;
  if (end != aligned + bytes) {
    munmap(reinterpret_cast<void*>(aligned + bytes), end - (aligned + bytes));
  }
  return reinterpret_cast<uint8_t*>(aligned);
}

// Advice is only advice: a system without huge pages works all the same.
void prefer_huge_pages(uint8_t* at, size_t bytes) { madvise(at, bytes, MADV_HUGEPAGE); }
void prefer_small_pages(uint8_t* at, size_t bytes) { madvise(at, bytes, MADV_NOHUGEPAGE); }

uint8_t* grow_pages(uint8_t* at, size_t old_bytes, size_t new_bytes) {
  if (mremap(at, old_bytes, new_bytes, 0) != MAP_FAILED) return at;
  uint8_t* target = map_pages(new_bytes);
  if (target == nullptr) return nullptr;
  if (mremap(at, old_bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) == MAP_FAILED) {
    std::memcpy(target, at, old_bytes);
    munmap(at, old_bytes);
  }
  return target;
}

void unmap_pages(uint8_t* at, size_t bytes) { munmap(at, bytes); }
void discard_pages(uint8_t* at, size_t bytes) { madvise(at, bytes, MADV_DONTNEED); }

}  // namespace postern::memory
