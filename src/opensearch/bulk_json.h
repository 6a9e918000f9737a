// The few things that are read in the lines of bulk_source: an action's parameters, and a
// document's id and routing.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace postern::opensearch {

enum class BulkAction : uint8_t { kIndex, kCreate, kUpdate, kDelete };

struct ActionLine {
  BulkAction action = BulkAction::kIndex;
  std::string id;
  std::string routing;
  std::string index;
  bool has_id = false;
  bool has_routing = false;
  bool has_index = false;
  std::string refused;  // why it is one that is not taken; empty if it is
};

// Keeps its memory.
class BulkJson {
 public:
  // An action line, whatever it asks for. Throws input::BadValue if it is no action. The 64 bytes
  // behind the line must be readable.
  const ActionLine& read_action(std::string_view line);

  // Text of the string or number at `path`, names joined by dots (a name may have dots itself).
  // False: there is none, or null. Throws input::BadValue for other values and malformed JSON. As
  // read_action for the line.
  bool find(std::string_view line, std::string_view path, std::string& text);

 private:
  simdjson::ondemand::object open(std::string_view line);
  void prepare(size_t length);
  void read_parameter(std::string_view key, simdjson::ondemand::value value);
  bool find_in(simdjson::ondemand::object object, std::string_view path, std::string& text);
  void take_text(simdjson::ondemand::value& value, std::string_view what, std::string& text) const;

  simdjson::ondemand::parser parser_;
  size_t capacity_ = 0;
  simdjson::ondemand::document document_;
  ActionLine action_;
};

}  // namespace postern::opensearch
