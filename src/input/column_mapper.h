// Inputs whose documents are rows of named columns: which field takes which column.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/schema.h"
#include "input/scratch.h"
#include "postern/document.h"

namespace postern::input {

// Each field of the schema, in the schema's order, takes the column its `source` names (its own
// name unless told otherwise); "_line" is the number of the document.
class ColumnMapper {
 public:
  // `input` is for messages. Throws InvalidArgument if no field takes a column, or one that takes
  // no text.
  ColumnMapper(Schema& schema, std::span<const std::string> columns, const std::string& input);

  // `values` are the first columns of the row; fields of further columns are left out. The values
  // must live as long as the document's, and so must this object. Throws BadValue with the field.
  void fill(Document& document, std::span<const std::string_view> values, uint64_t number);

 private:
  static constexpr size_t kNumber = static_cast<size_t>(-1);

  struct Target {
    const SchemaField* field;
    size_t column;  // or kNumber
  };

  std::vector<Target> targets_;
  Scratch scratch_;  // the number as text
};

}  // namespace postern::input
