// A mapping as it comes: it is taken or refused; what is taken is written and read again to the
// same.
#include <cstdlib>
#include <memory>
#include <string_view>

#include "opensearch/mapping.h"
#include "postern/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  using opensearch::Mapping;
  std::unique_ptr<Mapping> mapping;
  try {
    mapping = Mapping::parse({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const InvalidArgument&) {
    return 0;
  } catch (const NotSupported&) {
    return 0;
  }
  // Limits that the input's settings raised are not in the mapping.
  if (!mapping->index_settings().empty()) return 0;
  const std::string json = mapping->to_json();
  if (Mapping::parse(json, "again")->to_json() != json) std::abort();
  return 0;
}
