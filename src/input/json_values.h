// A value of a JSON document -> values of a Document (docs/schema.md, "JSON Lines").
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "input/json_cursor.h"
#include "input/schema.h"
#include "postern/document.h"

namespace postern::input {

// What it adds lives as long as the cursor's line and scratch, until the next call of clear().
class JsonValues {
 public:
  explicit JsonValues(JsonCursor& cursor) : cursor_(cursor) {}

  void clear() { token_lists_used_ = 0; }
  // Throws BadValue.
  void add(Document& document, const SchemaField& field, ondemand::value& value) {
    add_value(document, field, value, false);
  }
  // The bytes of {"base64": …}, which live as long. Throws BadValue.
  std::string_view take_base64(ondemand::value& value);

 private:
  void add_value(Document& document, const SchemaField& field, ondemand::value& value,
                 bool in_array);
  void add_array(Document& document, const SchemaField& field, ondemand::value& value);
  void add_points(Document& document, const SchemaField& field, ondemand::value& value);
  void add_vector(Document& document, const SchemaField& field, ondemand::value& value);
  std::string_view spelled_number(ondemand::value& value);
  void add_string(Document& document, const SchemaField& field, std::string_view body);
  void add_scalar(Document& document, const SchemaField& field, std::string_view token) const;
  void add_object(Document& document, const SchemaField& field, ondemand::value& value);
  void add_tokens(Document& document, const SchemaField& field, ondemand::value& value);
  void read_tokens(TokenList& list, ondemand::value& value, int32_t& last);
  void read_token(TokenList& list, ondemand::object& object, int32_t& last);
  TokenList& next_token_list();

  JsonCursor& cursor_;
  std::vector<std::unique_ptr<TokenList>> token_lists_;
  size_t token_lists_used_ = 0;
};

}  // namespace postern::input
