#include "opensearch/known_types.h"

#include <fmt/format.h>

#include <utility>

#include "input/errors.h"
#include "postern/error.h"

namespace postern::opensearch {

std::optional<NumberType> number_type(std::string_view name) {
  for (const NumberType type : {NumberType::kByte, NumberType::kShort, NumberType::kInteger,
                                NumberType::kLong, NumberType::kUnsignedLong,
                                NumberType::kHalfFloat, NumberType::kFloat, NumberType::kDouble}) {
    if (name == name_of(type)) return type;
  }
  return std::nullopt;
}

void refuse_type(std::string_view path, std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
      {"scaled_float", "write long or double, and scale the values yourself"},
      {"match_only_text", "write text with index_options docs and norms false"},
      {"constant_keyword", "its value is in the mapping, not in the documents"},
      {"binary", "keep the bytes in _source, in an object with \"enabled\": false"},
      {"flat_object", "write object, or object with \"enabled\": false"},
      {"completion", "it needs a postings format of its own"},
      {"search_as_you_type", "it makes fields of prefixes and shingles"},
      {"token_count", "count the tokens yourself and write integer"},
      {"knn_vector", "it belongs to a plugin with formats of its own"},
      {"sparse_vector", "it belongs to a plugin with formats of its own"},
      {"percolator", "documents would be queries"},
      {"join", "write nested, or a keyword with the id of the other document"},
      {"geo_shape", "shapes are not tessellated here"},
      {"xy_shape", "shapes are not tessellated here"},
      {"xy_point", "write two fields of type float"},
      {"wildcard", "write keyword"},
      {"version", "write keyword"},
      {"integer_range", "write two fields"},
      {"long_range", "write two fields"},
      {"float_range", "write two fields"},
      {"double_range", "write two fields"},
      {"date_range", "write two fields"},
      {"ip_range", "write two fields"},
      {"rank_feature", "it keeps its value in a frequency"},
      {"rank_features", "it keeps its values in frequencies"},
      {"semantic", "it belongs to a plugin"},
      {"semantic_version", "write keyword"},
      {"murmur3", "it belongs to a plugin"},
      {"annotated_text", "it belongs to a plugin"},
      {"icu_collation_keyword", "it belongs to a plugin"},
      {"star_tree", "it has files of its own"},
      {"derived", "it is computed when searching; leave it out and add it to the index later"},
  };
  for (const auto& [name, reason] : kReasons) {
    if (type == name) {
      throw NotSupported(
          fmt::format("field [{}]: type [{}] is not supported: {}", path, type, reason));
    }
  }
  throw InvalidArgument(fmt::format("field [{}]: unknown type {}", path, input::quoted(type)));
}

}  // namespace postern::opensearch
