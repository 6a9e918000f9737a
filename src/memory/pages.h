// Runs of memory taken from the operating system directly: aligned to 2 MB so that huge pages can
// back them, zero when first touched, grown by moving page tables instead of bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postern::memory {

inline constexpr size_t kHugePage = size_t{2} << 20;

// `bytes` (a multiple of kHugePage) of zeroes, readable and writable; physical memory comes with
// the first touch. Null if the system refuses.
uint8_t* map_pages(size_t bytes);
// Asks for huge pages, or for none, in a range of mapped memory.
void prefer_huge_pages(uint8_t* at, size_t bytes);
void prefer_small_pages(uint8_t* at, size_t bytes);
// Makes a mapping of old_bytes larger, keeping its content; its address may change. Null if the
// system refuses, and then the old mapping stays as it is. Both sizes: multiples of kHugePage.
uint8_t* grow_pages(uint8_t* at, size_t old_bytes, size_t new_bytes);
void unmap_pages(uint8_t* at, size_t bytes);
// Gives the physical memory back; the range stays mapped and reads as zero.
void discard_pages(uint8_t* at, size_t bytes);

}  // namespace postern::memory
