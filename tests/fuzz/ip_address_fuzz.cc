// IP addresses as text.
#include <string_view>

#include "opensearch/ip_address.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  postern::opensearch::parse_ip({reinterpret_cast<const char*>(data), size});
  return 0;
}
