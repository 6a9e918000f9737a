// The names of index files (docs/formats/10 §5, §9): base 36, generations, segments, commits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/segment_context.h"

namespace postern::codec {

inline constexpr const char* kWriteLockName = "write.lock";

// Digits 0-9a-z.
std::string to_base36(uint64_t value);
// Lower-case digits without leading zeros, up to 2^63 - 1; nullopt for anything else.
std::optional<uint64_t> parse_base36(std::string_view text);

// 10 -> "_a".
std::string segment_name(uint64_t counter);

// 10 -> "segments_a", "pending_segments_a".
std::string commit_file_name(uint64_t generation);
std::string pending_commit_file_name(uint64_t generation);
// The generation, nullopt if the name is not one of these.
std::optional<uint64_t> parse_commit_file_name(std::string_view name);
std::optional<uint64_t> parse_pending_commit_file_name(std::string_view name);

// ("_3", 10, "liv") -> "_3_a.liv".
std::string generation_file(const std::string& segment, uint64_t generation, const char* extension);

// Whether a writer owns the name, and may delete the file when nothing references it:
// `_[a-z0-9]+(_.*)?\..*`, or beginning with "segments" or "pending_segments".
bool is_index_file(std::string_view name);
// "_3_1.liv", "_3.si" -> "_3". Empty if the name does not match the pattern of segment files, of
// printable ASCII without '/'.
std::string_view segment_of_file(std::string_view name);
// "_3_1.liv" -> 3. nullopt if the name does not match the pattern of segment files, or its segment
// name is no number below 2^63.
std::optional<uint64_t> counter_of_file(std::string_view name);
// "_3_a.liv", "_3_a_Lucene90_0.dvd" -> 10. nullopt for names without a generation.
std::optional<uint64_t> generation_of_file(std::string_view name);

}  // namespace postern::codec
