#include "memory/hash.h"

#include <random>

namespace postern::memory {

uint64_t process_hash_seed() {
  static const uint64_t seed = [] {
    std::random_device device;
    return uint64_t{device()} << 32 | device();
  }();
  return seed;
}

}  // namespace postern::memory
