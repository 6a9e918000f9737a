// The types of OpenSearch's fields by name: those of numbers, and what is said of those that cannot
// be built.
#pragma once

#include <optional>
#include <string_view>

#include "opensearch/number_value.h"

namespace postern::opensearch {

// "half_float"; empty for a name that is no type of numbers.
std::optional<NumberType> number_type(std::string_view name);

// Throws NotSupported for a type that OpenSearch has, InvalidArgument for one that it does not.
[[noreturn]] void refuse_type(std::string_view path, std::string_view type);

}  // namespace postern::opensearch
