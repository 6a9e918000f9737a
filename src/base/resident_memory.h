// For tests: what of the process lies in memory.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POSTERN_SANITIZED_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POSTERN_SANITIZED_MEMORY 1
#endif
#endif

namespace postern {

// Sanitizers take pages for their own purposes, and keep what is freed: measuring would measure
// them.
#ifdef POSTERN_SANITIZED_MEMORY
inline constexpr bool kMemoryIsOurs = false;
#else
inline constexpr bool kMemoryIsOurs = true;
#endif

// In bytes; 0 if the system does not tell.
inline uint64_t resident_bytes() {
  long total = 0;
  long resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
  std::fclose(file);
  return static_cast<uint64_t>(resident) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace postern
