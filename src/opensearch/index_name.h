// What an index is called, and what OpenSearch it is built for.
#pragma once

#include <cstdint>
#include <string_view>

namespace postern::opensearch {

// The only OpenSearch whose indexes are written, in the sense of `index.version.created`: 3.6,
// which is Lucene 10.4. Later ones restore them too.
inline constexpr const char* kOpenSearchVersion = "3.6.0";

// Throws InvalidArgument unless OpenSearch takes `name` as that of an index. (Capitals beyond ASCII
// are for OpenSearch to refuse.)
void check_index_name(std::string_view name);
// Throws NotSupported for anything but 3.6.x.
void check_opensearch_version(std::string_view version);

// The number by which OpenSearch knows a version of itself: (major * 10^6 + minor * 10^4 + patch *
// 100 + 99) xor 2^27. `version` has been checked.
int64_t version_id(std::string_view version);

}  // namespace postern::opensearch
