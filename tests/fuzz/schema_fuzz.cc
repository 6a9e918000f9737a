// Schemas: accepted ones answer for any name, others are refused with a reason.
#include <string_view>

#include "input/schema.h"
#include "postern/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto schema = input::Schema::parse(text, "fuzz");
    for (const input::Declaration& declaration : schema->declarations()) {
      if (schema->find(declaration.name) == nullptr) __builtin_trap();
    }
    schema->find("some_name");
  } catch (const InvalidArgument&) {
  } catch (const NotSupported&) {
  }
  return 0;
}
