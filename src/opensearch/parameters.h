// The parameters of one field or object of a mapping: each is asked for by name, and what nobody
// asked for is refused.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/json_tree.h"

namespace postern::opensearch {

class Parameters {
 public:
  // `what` begins messages: `field [a.b] of type [long]`. Both must outlive this object. Throws
  // InvalidArgument for a key that is there twice.
  Parameters(const input::JsonNode& node, std::string what);

  const std::string& what() const { return what_; }

  // The value of a parameter, which is then known; null if it is not there.
  const input::JsonNode* take(std::string_view key);
  // These throw InvalidArgument for a value of another kind. "true" and "1" in quotes count, as in
  // OpenSearch.
  bool boolean(std::string_view key, bool otherwise);
  uint32_t integer(std::string_view key, uint32_t otherwise);
  std::optional<std::string> string(std::string_view key);
  std::string one_of(std::string_view key, std::string_view otherwise,
                     std::initializer_list<std::string_view> known);
  // Known, kept in the mapping, and without a meaning for what is indexed.
  void keep(std::initializer_list<std::string_view> keys);
  // Throws NotSupported if one of them is there.
  void refuse(
      std::initializer_list<std::pair<std::string_view, std::string_view>> keys_and_reasons);
  // Throws InvalidArgument for the first that was neither taken, kept nor refused.
  void finish() const;

  [[noreturn]] void fail(std::string_view key, std::string_view why) const;
  [[noreturn]] void not_supported(std::string_view key, std::string_view why) const;

 private:
  const input::JsonNode& node_;
  std::string what_;
  std::vector<bool> taken_;
};

// A JSON value as a message shows it.
std::string shown(const input::JsonNode& node);

}  // namespace postern::opensearch
