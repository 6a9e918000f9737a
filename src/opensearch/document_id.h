// Document ids as OpenSearch keeps them: the bytes of the field `_id`, in three forms of which the
// shortest that gives back the same text is taken (docs/opensearch.md, "Bytes of an id").
//
//   id                                        bytes
//   decimal digits only                       FE, two digits a byte, high nibble first; an odd last
//                                             digit is followed by the nibble F
//   canonical URL-safe base64, no padding     the decoded bytes; FD before them if the first is
//                                             FD or more
//   anything else                             FF, the id in UTF-8
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postern::opensearch {

// Longest id, in bytes of UTF-8.
inline constexpr size_t kLongestId = 512;

// Appends the bytes of `id`, which is not empty. Never more than one byte longer than the id.
void append_id_bytes(std::string& out, std::string_view id);

// Throws InvalidDocument if OpenSearch would not take it as an id: empty, or longer than
// kLongestId.
void check_id(std::string_view id);

// A random id of 20 characters, the URL-safe base64 of 15 bytes, as OpenSearch makes for documents
// without one. Thread-safe.
std::string random_id();
// A random identifier of 22 characters, the URL-safe base64 of 16 bytes, as OpenSearch gives to
// indexes, snapshots and commits. Thread-safe.
std::string random_uuid();

}  // namespace postern::opensearch
