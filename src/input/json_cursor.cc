#include "input/json_cursor.h"

#include <cstring>
#include <optional>

#include "input/text_values.h"

namespace postern::input {

void JsonCursor::malformed(std::string_view reason, const char* where) const {
  if (where == nullptr || where < line_.data() || where > line_.data() + line_.size()) {
    throw BadValue(fmt::format("malformed JSON: {}", reason));
  }
  throw BadValue(fmt::format("malformed JSON at byte {}: {}", where - line_.data() + 1, reason));
}

std::string_view JsonCursor::spelled_key(ondemand::field& field) const {
  const char* const begin = field.key().raw();
  const char* const line_end = line_.data() + line_.size();
  const char* end = begin;
  while (true) {
    end = static_cast<const char*>(std::memchr(end, '"', static_cast<size_t>(line_end - end)));
    if (end == nullptr) malformed("a key without end", begin);
    ptrdiff_t backslashes = 0;
    while (end - backslashes > begin && end[-1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return {begin, static_cast<size_t>(end - begin)};
    ++end;
  }
}

std::string_view JsonCursor::key(ondemand::field& field) {
  return unescape(spelled_key(field), scratch_);
}

std::string_view JsonCursor::take_string(ondemand::value& value, std::string_view key) {
  const std::string_view token = token_of(value);
  if (!token.starts_with('"')) throw BadValue(fmt::format("\"{}\" must be a string", key));
  check(value.get_raw_json_string().error());
  return unescape(body_of(token), scratch_);
}

std::string_view JsonCursor::take_text(ondemand::value& value, std::string_view key) {
  return without_surrogates(take_string(value, key), scratch_);
}

int32_t JsonCursor::take_integer(ondemand::value& value, std::string_view key) const {
  const std::string_view token = token_of(value);
  const auto number = is_json_number(token) ? parse_int(token) : std::nullopt;
  if (!number) throw BadValue(fmt::format("\"{}\" must be an integer", key));
  return *number;
}

ondemand::object JsonCursor::take_object(ondemand::value& value, std::string_view what) const {
  if (token_of(value) != "{") throw BadValue(fmt::format("{} must be an object", what));
  return taken<ondemand::object>(value.get_object());
}

ondemand::array JsonCursor::take_array(ondemand::value& value, std::string_view what) const {
  if (token_of(value) != "[") throw BadValue(fmt::format("{} must be an array", what));
  return taken<ondemand::array>(value.get_array());
}

}  // namespace postern::input
