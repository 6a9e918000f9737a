// A sensible schema when none is given, as JSON that can be saved, edited and given back.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace postern::input {

// From the first (at most 1,000) documents of JSON Lines. Strings become text; short ones without
// white space in fields called id, …_id, …Id become keywords, and so do numbers and booleans. A
// last pattern takes whatever comes later. Lines that are not JSON are left to the reader to
// refuse.
std::string infer_json_schema(std::string_view lines);

// One field per column: text, but a keyword for `date` and for ids.
std::string line_documents_schema(std::span<const std::string> columns);

// path, title, body, modified, size.
std::string folder_schema();

}  // namespace postern::input
