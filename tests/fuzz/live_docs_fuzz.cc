#include "codec/live_docs.h"
#include "sealed_file.h"

// The first two bytes are the number of documents and of deleted ones.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  if (size < 2) return 0;
  auto directory = memory_directory();
  fuzz::put(*directory, "_0_1.liv", data + 2, size - 2, "Lucene90LiveDocs", 0, "1");
  try {
    auto live = codec::read_live_docs(*directory, "_0", fuzz::kId, 1, data[0], data[1]);
    if (codec::count_deleted(live, data[0]) != data[1]) __builtin_trap();
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  }
  return 0;
}
