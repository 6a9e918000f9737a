#include "codec/field_infos.h"
#include "sealed_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  auto directory = memory_directory();
  fuzz::put(*directory, "_0.fnm", data, size, "Lucene94FieldInfos", 2, "");
  try {
    // What is accepted can be written again.
    auto infos = codec::read_field_infos(*directory, "_0", fuzz::kId, "");
    codec::write_field_infos(*directory, "_1", fuzz::kId, "", infos);
    codec::read_field_infos(*directory, "_1", fuzz::kId, "");
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  }
  return 0;
}
