#include "input/column_mapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "input/errors.h"
#include "input/spelled_value.h"
#include "postern/error.h"

namespace postern::input {

ColumnMapper::ColumnMapper(Schema& schema, std::span<const std::string> columns,
                           const std::string& input) {
  for (const Declaration& declaration : schema.declarations()) {
    size_t column = kNumber;
    if (declaration.source != "_line") {
      const auto found = std::find(columns.begin(), columns.end(), declaration.source);
      if (found == columns.end()) continue;
      column = static_cast<size_t>(found - columns.begin());
    }
    if (declaration.kind == FieldKind::kBinary || declaration.kind == FieldKind::kVector) {
      throw InvalidArgument(fmt::format("{}: field {} is {}; columns hold only text and numbers",
                                        input, quoted(declaration.name),
                                        kind_name(declaration.kind)));
    }
    targets_.push_back({schema.find(declaration.name), column});
  }
  if (targets_.empty()) {
    throw InvalidArgument(fmt::format("{}: no field of the schema takes one of its columns ({})",
                                      input, fmt::join(columns, ", ")));
  }
}

void ColumnMapper::fill(Document& document, std::span<const std::string_view> values,
                        uint64_t number) {
  scratch_.clear();
  for (const Target& target : targets_) {
    std::string_view value;
    if (target.column == kNumber) {
      constexpr size_t kLongest = 20;
      char* digits = scratch_.allocate(kLongest);
      value = {digits, std::to_chars(digits, digits + kLongest, number).ptr};
    } else if (target.column < values.size()) {
      value = values[target.column];
    } else {
      continue;
    }
    try {
      add_spelled_value(document, *target.field, value);
    } catch (const BadValue& e) {
      throw BadValue(e.what(), target.field->definition.name());
    }
  }
}

}  // namespace postern::input
