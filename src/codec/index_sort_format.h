// The keys of an index sort as a `.si` file records them (docs/formats/11 §3.1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "postern/index_sort.h"

namespace postern::codec {

// The number a document without a value is compared as; of a numeric key, in an order that is that
// of the integers. kDefault: 0.
int64_t missing_number(const SortKey& key);
// Whether documents without a value come before all ordinals, before descending turns them round.
bool missing_string_first(const SortKey& key);

// The key's bytes in the file.
std::string encode_sort_key(const SortKey& key);
// Reads past one key, of any that Lucene writes, and returns its bytes. Throws CorruptIndex,
// NotSupported.
std::string read_sort_key(ByteReader& in, std::span<const uint8_t> file);

// For messages, from bytes that read_sort_key or encode_sort_key returned:
// `"price" (SortedNumericSortField, DOUBLE, max, descending, missing = infinity)`.
std::string describe_sort_key(std::string_view bytes);

}  // namespace postern::codec
