#include "input/foreign_names.h"

#include <cctype>
#include <string>
#include <utility>

namespace postern::input {

namespace {

using Hint = std::pair<std::string_view, std::string_view>;

constexpr Hint kTypes[] = {
    {"integer", "; write \"int\""},
    {"short", "; write \"int\""},
    {"byte", "; write \"int\""},
    {"pint", "; write \"int\""},
    {"token_count", "; write \"int\""},
    {"plong", "; write \"long\""},
    {"pfloat", "; write \"float\""},
    {"half_float", "; write \"float\""},
    {"pdouble", "; write \"double\""},
    {"scaled_float", "; write \"long\" and scale the values"},
    {"unsigned_long", "; write \"long\", or \"keyword\" for values above 9223372036854775807"},
    {"date", "; write \"long\" and milliseconds since 1970"},
    {"date_nanos", "; write \"long\" and nanoseconds since 1970"},
    {"pdate", "; write \"long\" and milliseconds since 1970"},
    {"boolean", "; write \"keyword\", which takes true and false as they are"},
    {"string", "; write \"keyword\""},
    {"strings", "; write \"keyword\""},
    {"constant_keyword", "; write \"keyword\""},
    {"wildcard", "; write \"keyword\""},
    {"version", "; write \"keyword\""},
    {"text_general", "; write \"text\""},
    {"text_en", "; write \"text\" with \"analyzer\": \"english\""},
    {"match_only_text", "; write \"text\" with \"index_options\": \"docs\""},
    {"annotated_text", "; write \"text\""},
    {"preanalyzed", "; write \"text\", which takes ready tokens"},
    {"ip", "; write \"binary\" with \"index\": true, \"bytes\": 16"},
    {"integer_range", "; write \"int\" with \"dims\": 2, the lower end and the upper end"},
    {"long_range", "; write \"long\" with \"dims\": 2, the lower end and the upper end"},
    {"float_range", "; write \"float\" with \"dims\": 2, the lower end and the upper end"},
    {"double_range", "; write \"double\" with \"dims\": 2, the lower end and the upper end"},
    {"geo_point", "; write \"double\" with \"dims\": 2"},
    {"location", "; write \"double\" with \"dims\": 2"},
    {"object", "; give each of its parts a field of its own"},
    {"nested", "; give each of its parts a field, and add blocks of documents"},
};

constexpr Hint kKeys[] = {
    {"stored", "; write \"store\""},
    {"indexed", "; write \"index\""},
    {"omitNorms", "; write \"norms\", which says the opposite"},
    {"docValues", "; write \"doc_values\""},
    {"multiValued",
     "; leave it out: any field takes several values, but \"doc_values\" numeric, "
     "binary and sorted take one"},
    {"termVectors", "; write \"term_vector\": \"yes\""},
    {"termPositions", "; write \"term_vector\": \"with_positions\""},
    {"termOffsets", "; write \"term_vector\": \"with_offsets\""},
    {"termPayloads", "; write \"term_vector\": \"with_positions_payloads\""},
    {"omitTermFreqAndPositions", "; write \"index_options\": \"docs\""},
    {"omitPositions", "; write \"index_options\": \"freqs\""},
    {"storeOffsetsWithPositions", "; write \"index_options\": \"offsets\""},
    {"positionIncrementGap", "; write \"position_increment_gap\""},
    {"copy_to", "; write the value into both fields of the document"},
    {"fields", "; declare a field for each, and write the value into all of them"},
    {"properties", "; declare a field for each of its parts"},
    {"null_value", "; write the value into the document"},
    {"ignore_above", "; leave longer values out of the document"},
    {"search_analyzer", "; leave it out: it plays no part in indexing"},
    {"data_type", "; write \"element_type\""},
    {"space_type", "; write \"similarity\""},
    {"method", "; write \"similarity\""},
};

template <size_t N>
std::string_view find(const Hint (&hints)[N], std::string_view name) {
  for (const auto& [known, hint] : hints)
    if (known == name) return hint;
  return {};
}

}  // namespace

std::string_view type_hint(std::string_view type) { return find(kTypes, type); }

std::string_view key_hint(std::string_view key) { return find(kKeys, key); }

std::string_view special_number_hint(std::string_view text) {
  std::string lower;
  for (char c : text.substr(0, 16))
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower == "nan" || lower == "-nan" || lower == "+nan") return "; write \"NaN\"";
  if (lower == "inf" || lower == "+inf" || lower == "infinity" || lower == "+infinity")
    return "; write \"Infinity\"";
  if (lower == "-inf" || lower == "-infinity") return "; write \"-Infinity\"";
  return {};
}

}  // namespace postern::input
