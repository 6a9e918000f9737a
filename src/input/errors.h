// How the readers say what is wrong with a piece of input.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "postern/error.h"

namespace postern::input {

// Where something stands. line 0: the whole file (one document of a folder).
struct Place {
  std::string file;
  uint64_t line = 0;      // from 1
  uint64_t document = 0;  // number of the (first) document among all of the run's input, from 0
};

// "docs.jsonl line 3", or the file alone.
std::string describe(const Place& place);

// One line, or one file of a folder, cannot become a document. The source that threw it goes on
// with the next one.
class RefusedInput : public InvalidDocument {
 public:
  RefusedInput(Place place, std::optional<std::string> field, std::string reason);
  const Place& place() const noexcept { return place_; }
  // None: no field in particular. A field may well have the empty name.
  const std::optional<std::string>& field() const noexcept { return field_; }
  const std::string& reason() const noexcept { return reason_; }

 private:
  Place place_;
  std::optional<std::string> field_;
  std::string reason_;
};

// A value that its field cannot take; caught where the place and the field are known.
class BadValue : public std::runtime_error {
 public:
  explicit BadValue(const std::string& reason, std::optional<std::string> field = {})
      : std::runtime_error(reason), field_(std::move(field)) {}
  const std::optional<std::string>& field() const noexcept { return field_; }

 private:
  std::optional<std::string> field_;
};

// A value as a message shows it: quoted, control characters escaped, cut at 120 bytes (never
// inside a character).
std::string quoted(std::string_view value);

}  // namespace postern::input
