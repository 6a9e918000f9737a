// Points as text: pairs, WKT, geohashes.
#include <string_view>

#include "opensearch/geo_point.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace postern::opensearch;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto hash = parse_geohash(text);
  if (hash && !is_valid(*hash)) __builtin_trap();
  const auto point = parse_geo_point(text);
  if (!point) return 0;
  const auto within = normalized(*point);
  if (within && !is_valid(*within)) __builtin_trap();
  if (within) geo_packed_point(*within);
  return 0;
}
