// JSON Lines as they come: every line becomes documents, an operation or a refusal.
#include <memory>
#include <string_view>

#include "input/source.h"
#include "touch_documents.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  static const std::unique_ptr<input::Schema> schema = input::Schema::parse(
      R"({"fields": [{"name": "t*", "type": "text"}, {"name": "s*", "type": "text", "store": true},
          {"name": "k*", "type": "keyword"},
          {"name": "b*", "type": "binary", "store": true, "doc_values": true},
          {"name": "n*", "type": "long", "index": false, "doc_values": "numeric"},
          {"name": "i*", "type": "int", "index": false}, {"name": "l*", "type": "long", "index": false},
          {"name": "f*", "type": "float", "index": false},
          {"name": "d*", "type": "double", "index": false}]})",
      "fuzz");
  if (size == 0) return 0;
  // The first byte says in what pieces the text arrives, and how long a line may be.
  const size_t piece = data[0] % 16 + 1;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto source = input::open_source({.path = "fuzz", .kind = input::InputKind::kJsonLines},
                                   input::memory_byte_source(text, piece),
                                   {.longest_line = data[0] < 128 ? 64u : 4096u, .block = 256});
  source->use_schema(*schema);
  fuzz::read_to_the_end(*source);
  return 0;
}
