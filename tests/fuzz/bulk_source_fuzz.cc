// Documents for OpenSearch, of either format, through several readers in turn.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>

#include "opensearch/bulk_input.h"
#include "postern/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  opensearch::BulkOptions options{.format = static_cast<opensearch::InputFormat>(data[0] % 3)};
  if (options.format == opensearch::InputFormat::kJsonLines) {
    options.id_field = "a.id";
    options.routing_field = "r";
  }
  try {
    opensearch::BulkInput input("fuzz", input::memory_byte_source(text, 1 + data[0]), options, 64);
    const auto part = input.open();
    while (true) {
      try {
        if (!part->source().next()) break;
      } catch (const input::RefusedInput&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
