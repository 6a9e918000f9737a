// A value that is written as text: a column, or a JSON string, number or boolean.
#pragma once

#include <string_view>

#include "input/schema.h"
#include "postern/document.h"

namespace postern::input {

// Adds it as its field's type asks; text and keyword take it as it is spelled. `value` must live as
// long as the document's. Throws BadValue (also for binary, which is never spelled so).
void add_spelled_value(Document& document, const SchemaField& field, std::string_view value);

}  // namespace postern::input
