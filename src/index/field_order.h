// The order in which Lucene flushes the doc values and points of a segment's fields
// (docs/formats/01 §5): that of the buckets of its field table. Any order is legal; this one gives
// the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace postern::index {

// `names`: all fields of the segment in order of first appearance, those of failed documents
// included; well-formed UTF-8 or WTF-8. Returns their indexes in the order of flushing.
std::vector<uint32_t> bucket_order(std::span<const std::string_view> names);

// Java's hash of a string: 31 h + unit over its UTF-16 units.
uint32_t java_string_hash(std::string_view name);

}  // namespace postern::index
