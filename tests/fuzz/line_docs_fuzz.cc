// Line documents, with whatever header line, plain and as gzip.
#include <memory>
#include <string_view>

#include "input/source.h"
#include "touch_documents.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  static const std::unique_ptr<input::Schema> schema = input::Schema::parse(
      R"({"fields": [{"name": "title", "type": "text"}, {"name": "body", "type": "keyword"},
          {"name": "n", "type": "double", "index": false, "source": "date"},
          {"name": "line", "type": "keyword", "source": "_line"}]})",
      "fuzz");
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto bytes = input::memory_byte_source(text, data[0] % 16 + 1);
  if (data[0] >= 128) bytes = input::gzip_byte_source(std::move(bytes), "fuzz");
  try {
    auto source = input::open_source({.path = "fuzz", .kind = input::InputKind::kLineDocuments},
                                     std::move(bytes), {.longest_line = 4096, .block = 256});
    input::Schema::parse(source->infer_schema(), "inferred");  // always a schema
    source->use_schema(*schema);
    fuzz::read_to_the_end(*source);
  } catch (const InvalidArgument&) {  // a header without columns
  } catch (const IoError&) {          // no gzip data
  }
  return 0;
}
