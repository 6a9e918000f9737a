// A shard's manifest, written back, and its mapping merged with itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "input/json_tree.h"
#include "opensearch/mapping_merge.h"
#include "opensearch/shard_manifest.h"
#include "opensearch/smile.h"
#include "postern/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const opensearch::ShardManifest manifest = opensearch::parse_manifest(text, "fuzz");
    const std::string json = opensearch::to_json(manifest);
    if (opensearch::to_json(opensearch::parse_manifest(json, "again")) != json) std::abort();
    input::JsonNode mappings = input::parse_json(manifest.mappings);
    opensearch::merge_mappings(mappings, input::parse_json(manifest.mappings), "a", "b");
    opensearch::SmileWriter().value(mappings);
  } catch (const Error&) {
  }
  return 0;
}
