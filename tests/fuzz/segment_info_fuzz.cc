#include "codec/segment_info.h"
#include "sealed_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  auto directory = memory_directory();
  fuzz::put(*directory, "_0.si", data, size, "Lucene90SegmentInfo", 0, "");
  try {
    // What is accepted can be written again.
    auto info = codec::read_segment_info(*directory, "_0", fuzz::kId);
    directory->remove("_0.si");
    codec::write_segment_info(*directory, info);
    codec::read_segment_info(*directory, "_0", fuzz::kId);
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  }
  return 0;
}
