// Date formats and the texts they are to match: "format\ntext".
#include <string_view>

#include "opensearch/date_format.h"
#include "postern/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  using namespace postern::opensearch;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\n');
  if (end == std::string_view::npos || end > 200) return 0;
  try {
    const DateFormat format = DateFormat::compile(input.substr(0, end));
    format.parse(input.substr(end + 1), DateResolution::kMilliseconds);
    const auto nanos = format.parse(input.substr(end + 1), DateResolution::kNanoseconds);
    if (nanos && *nanos < 0) __builtin_trap();
  } catch (const NotSupported&) {
  } catch (const InvalidArgument&) {
  }
  return 0;
}
