// What the readers of JSON Lines share while they walk one line with simdjson's on-demand reader:
// keys and scalars as they are spelled, and everything of JSON's grammar that simdjson leaves
// unchecked there.
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "input/errors.h"
#include "input/scratch.h"

namespace postern::input {

namespace ondemand = simdjson::ondemand;

// Throws simdjson_error, which JsonDocuments turns into a BadValue with its place.
inline void check(simdjson::error_code error) {
  if (error) throw simdjson::simdjson_error(error);
}

template <class T, class Result>
T taken(Result&& result) {
  T value;
  check(std::forward<Result>(result).get(value));
  return value;
}

// A value's first token without the white space behind it.
inline std::string_view token_of(ondemand::value& value) {
  std::string_view token = value.raw_json_token();
  while (!token.empty() && (token.back() == ' ' || token.back() == '\t' || token.back() == '\n' ||
                            token.back() == '\r')) {
    token.remove_suffix(1);
  }
  return token;
}

// The keys of one object among those it may hold; each at most once.
class SeenKeys {
 public:
  SeenKeys(std::span<const std::string_view> keys, std::string_view where)
      : keys_(keys), where_(where) {}

  // Its index among the keys.
  size_t take(std::string_view key) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] != key) continue;
      if (has(i)) throw BadValue(fmt::format("repeated key {} in {}", quoted(key), where_));
      seen_ |= 1u << i;
      return i;
    }
    throw BadValue(fmt::format("unknown key {} in {}", quoted(key), where_));
  }
  bool has(size_t index) const { return (seen_ >> index & 1u) != 0; }

 private:
  std::span<const std::string_view> keys_;
  std::string_view where_;
  uint32_t seen_ = 0;
};

class JsonCursor {
 public:
  explicit JsonCursor(Scratch& scratch) : scratch_(scratch) {}

  void start(std::string_view line) { line_ = line; }
  std::string_view line() const { return line_; }
  Scratch& scratch() { return scratch_; }

  // `where` points into the line, or is null. Throws BadValue.
  [[noreturn]] void malformed(std::string_view reason, const char* where) const;

  // A key as it is spelled, in the line.
  std::string_view spelled_key(ondemand::field& field) const;
  // A key's text.
  std::string_view key(ondemand::field& field);

  // The text between the quotes of a string token, as it is spelled.
  std::string_view body_of(std::string_view token) const {
    if (token.size() < 2 || token.back() != '"') malformed("a string without end", token.data());
    return token.substr(1, token.size() - 2);
  }

  // Values of keys whose type is fixed.
  std::string_view take_string(ondemand::value& value, std::string_view key);
  // Without unpaired surrogates.
  std::string_view take_text(ondemand::value& value, std::string_view key);
  int32_t take_integer(ondemand::value& value, std::string_view key) const;
  // `what` begins the message.
  ondemand::object take_object(ondemand::value& value, std::string_view what) const;
  ondemand::array take_array(ondemand::value& value, std::string_view what) const;

 private:
  Scratch& scratch_;
  std::string_view line_;
};

}  // namespace postern::input
