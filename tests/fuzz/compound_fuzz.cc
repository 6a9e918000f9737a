#include "codec/compound.h"
#include "sealed_file.h"

// The input is the .cfe, over a .cfs of fixed bytes; with 0xff in front it is the .cfs, over a .cfe
// of two entries.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  auto directory = memory_directory();
  constexpr const char* kEntries = "Lucene90CompoundEntries";
  constexpr const char* kData = "Lucene90CompoundData";
  if (size > 0 && data[0] == 0xff) {
    static constexpr uint8_t kTwo[] = {0, 2, 2, '.', 'a', 64, 0, 0, 0,   0,   0,   0, 0, 1,
                                       0, 0, 0, 0,   0,   0,  0, 2, '.', 'b', 128, 0, 0, 0,
                                       0, 0, 0, 0,   8,   0,  0, 0, 0,   0,   0,   0};
    fuzz::put(*directory, "_0.cfe", kTwo, sizeof kTwo, kEntries, 0, "");
    fuzz::put(*directory, "_0.cfs", data + 1, size - 1, kData, 0, "");
  } else {
    static constexpr uint8_t kBytes[300] = {};
    fuzz::put(*directory, "_0.cfe", data, size, kEntries, 0, "");
    fuzz::put(*directory, "_0.cfs", kBytes, sizeof kBytes, kData, 0, "");
  }
  try {
    codec::CompoundReader reader(*directory, "_0", fuzz::kId);
    uint32_t sum = 0;
    for (const auto& name : reader.list())
      for (uint8_t byte : reader.open(name)->bytes()) sum += byte;
    if (sum == 0xdeadbeef) __builtin_trap();
    reader.check_integrity();
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  }
  return 0;
}
