// Names that Solr's and OpenSearch's schemas use for what ours calls otherwise, for messages.
#pragma once

#include <string_view>

namespace postern::input {

// What to write instead, as the end of a message ("; write ..."); empty for a name that is not
// known there either. `type`: a value of "type". `key`: a key of a field.
std::string_view type_hint(std::string_view type);
std::string_view key_hint(std::string_view key);

// Of a misspelled float or double: how Java spells the number that was probably meant.
std::string_view special_number_hint(std::string_view text);

}  // namespace postern::input
