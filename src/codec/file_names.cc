#include "codec/file_names.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace postern::codec {
namespace {

constexpr std::string_view kCommitPrefix = "segments";
constexpr std::string_view kPendingPrefix = "pending_segments";

bool is_base36_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); }

// Names come from files that anybody may have written: none leads out of its folder, or ends where
// the operating system sees an end and we do not.
bool may_stand_in_name(char c) { return c > ' ' && c <= '~' && c != '/'; }

std::optional<uint64_t> parse_behind(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() == prefix.size() || name[prefix.size()] != '_')
    return std::nullopt;
  return parse_base36(name.substr(prefix.size() + 1));
}

}  // namespace

std::string to_base36(uint64_t value) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof digits, value, 36).ptr};
}

std::optional<uint64_t> parse_base36(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, is_base36_digit)) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 36);
  if (error != std::errc()) return std::nullopt;
  return static_cast<uint64_t>(value);
}

std::string segment_name(uint64_t counter) {
  std::string name(1, '_');
  name += to_base36(counter);
  return name;
}

std::string commit_file_name(uint64_t generation) {
  return std::string(kCommitPrefix) + "_" + to_base36(generation);
}

std::string pending_commit_file_name(uint64_t generation) {
  return std::string(kPendingPrefix) + "_" + to_base36(generation);
}

std::optional<uint64_t> parse_commit_file_name(std::string_view name) {
  return parse_behind(name, kCommitPrefix);
}

std::optional<uint64_t> parse_pending_commit_file_name(std::string_view name) {
  return parse_behind(name, kPendingPrefix);
}

std::string generation_file(const std::string& segment, uint64_t generation,
                            const char* extension) {
  return segment_file(segment, to_base36(generation), extension);
}

bool is_index_file(std::string_view name) {
  return name.starts_with(kCommitPrefix) || name.starts_with(kPendingPrefix) ||
         !segment_of_file(name).empty();
}

std::string_view segment_of_file(std::string_view name) {
  if (name.empty() || name[0] != '_' || !std::ranges::all_of(name, may_stand_in_name)) return {};
  size_t end = 1;
  while (end < name.size() && is_base36_digit(name[end])) ++end;
  if (end == 1 || end == name.size()) return {};
  bool extension =
      name[end] == '.' || (name[end] == '_' && name.find('.', end) != std::string_view::npos);
  return extension ? name.substr(0, end) : std::string_view();
}

std::optional<uint64_t> counter_of_file(std::string_view name) {
  std::string_view segment = segment_of_file(name);
  if (segment.empty()) return std::nullopt;
  return parse_base36(segment.substr(1));
}

std::optional<uint64_t> generation_of_file(std::string_view name) {
  std::string_view segment = segment_of_file(name);
  if (segment.empty()) return std::nullopt;
  // Behind the segment: "", "_gen", "_format_suffix" or "_gen_format_suffix".
  std::string_view rest = name.substr(segment.size(), name.find('.') - segment.size());
  auto parts = std::ranges::count(rest, '_');
  if (parts != 1 && parts != 3) return std::nullopt;
  rest.remove_prefix(1);
  return parse_base36(rest.substr(0, rest.find('_')));
}

}  // namespace postern::codec
