// Schema::parse and Schema::load: the keys of docs/schema.md and what each may hold.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "input/byte_source.h"
#include "input/errors.h"
#include "input/foreign_names.h"
#include "input/json_tree.h"
#include "input/schema.h"
#include "input/text_values.h"
#include "postern/error.h"

namespace postern::input {

namespace {

constexpr int64_t kLongestToken = 1 << 20;  // UTF-16 units; the tokenizers' own limit

template <class T>
using Choices = std::initializer_list<std::pair<std::string_view, T>>;

template <class T>
T choose(std::string_view what, std::string_view value, Choices<T> choices) {
  std::string known;
  for (const auto& [name, result] : choices) {
    if (name == value) return result;
    known += known.empty() ? "" : ", ";
    known += name;
  }
  throw InvalidArgument(fmt::format("unknown {} {}; known: {}", what, quoted(value), known));
}

void only_keys(const JsonNode& node, std::initializer_list<std::string_view> allowed,
               std::string_view where) {
  for (const std::string& key : node.keys) {
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      throw InvalidArgument(
          fmt::format("unknown key {} in {}{}", quoted(key), where, key_hint(key)));
    }
  }
}

std::string string_at(const JsonNode& node, std::string_view key, std::string_view otherwise) {
  const JsonNode* found = node.find(key);
  if (found == nullptr) return std::string(otherwise);
  if (!found->is_string()) throw InvalidArgument(fmt::format("\"{}\" must be a string", key));
  // As in the index, so that names are found as Schema::find looks for them.
  std::string text;
  append_without_surrogates(text, found->text);
  return text;
}

bool boolean_at(const JsonNode& node, std::string_view key, bool otherwise) {
  const JsonNode* found = node.find(key);
  if (found == nullptr) return otherwise;
  if (found->type != JsonNode::Type::kBoolean) {
    throw InvalidArgument(fmt::format("\"{}\" must be true or false", key));
  }
  return found->text == "true";
}

uint32_t integer_at(const JsonNode& node, std::string_view key, int32_t otherwise, int64_t least,
                    int64_t most) {
  const JsonNode* found = node.find(key);
  if (found == nullptr) return static_cast<uint32_t>(otherwise);
  const auto value = found->type == JsonNode::Type::kNumber ? parse_int(found->text) : std::nullopt;
  if (!value || *value < least || *value > most) {
    throw InvalidArgument(fmt::format("\"{}\" must be an integer from {} to {}{}", key, least, most,
                                      found->text.empty() ? "" : ", got " + quoted(found->text)));
  }
  return static_cast<uint32_t>(*value);
}

std::optional<std::vector<std::string>> stop_words(const JsonNode& node) {
  const JsonNode* found = node.find("stopwords");
  if (found == nullptr) return std::nullopt;
  if (found->is_array()) {
    std::vector<std::string> words;
    for (const JsonNode& word : found->items) {
      if (!word.is_string()) throw InvalidArgument("\"stopwords\" must be an array of strings");
      words.push_back(word.text);
    }
    return words;
  }
  const std::string name = string_at(node, "stopwords", "");
  if (name == "_none_") return std::vector<std::string>();
  if (name == "_english_") return english_stop_words();
  throw InvalidArgument("unknown stopwords " + quoted(name) + "; known: a list, _english_, _none_");
}

std::shared_ptr<const Analyzer> analyzer_of(const JsonNode& node) {
  const std::string name = string_at(node, "analyzer", "standard");
  const uint32_t longest = integer_at(node, "max_token_length", 255, 1, kLongestToken);
  std::optional<std::vector<std::string>> words = stop_words(node);
  enum class Name {
    kStandard,
    kWhitespace,
    kKeyword,
    kSimple,
    kStop,
    kEnglish,
    kDelim,
    kDelimFreq
  };
  switch (choose<Name>("analyzer", name,
                       {{"standard", Name::kStandard},
                        {"whitespace", Name::kWhitespace},
                        {"keyword", Name::kKeyword},
                        {"simple", Name::kSimple},
                        {"stop", Name::kStop},
                        {"english", Name::kEnglish},
                        {"delimited", Name::kDelim},
                        {"delimited_freq", Name::kDelimFreq}})) {
    case Name::kStandard:
      return standard_analyzer(
          {.max_token_length = longest,
           .stop_words = words ? std::move(*words) : std::vector<std::string>()});
    case Name::kWhitespace:
      return whitespace_analyzer(longest);
    case Name::kKeyword:
      return keyword_analyzer();
    case Name::kSimple:
      return simple_analyzer();
    case Name::kStop:
      return stop_analyzer(words ? std::move(*words) : english_stop_words());
    case Name::kEnglish:
      return words ? english_analyzer(std::move(*words)) : english_analyzer();
    case Name::kDelim:
      return delimited_analyzer(longest);
    case Name::kDelimFreq:
      return delimited_freq_analyzer(longest);
  }
  return nullptr;
}

IndexOptions index_options_of(const JsonNode& node, FieldKind kind, bool index) {
  const char* otherwise = "none";
  if (index && kind == FieldKind::kText) otherwise = "positions";
  if (index && kind == FieldKind::kKeyword) otherwise = "docs";
  const auto options =
      choose<IndexOptions>("index_options", string_at(node, "index_options", otherwise),
                           {{"none", IndexOptions::kNone},
                            {"docs", IndexOptions::kDocs},
                            {"freqs", IndexOptions::kFreqs},
                            {"positions", IndexOptions::kPositions},
                            {"offsets", IndexOptions::kOffsets}});
  if (options != IndexOptions::kNone && kind != FieldKind::kText && kind != FieldKind::kKeyword) {
    throw InvalidArgument("\"index_options\" needs type text or keyword");
  }
  return options;
}

TermVectors term_vectors_of(const JsonNode& node, IndexOptions options) {
  const std::string value = string_at(node, "term_vector", "no");
  const auto vectors = choose<TermVectors>(
      "term_vector", value,
      {{"no", {}},
       {"yes", {.enabled = true}},
       {"with_positions", {.enabled = true, .positions = true}},
       {"with_offsets", {.enabled = true, .offsets = true}},
       {"with_positions_offsets", {.enabled = true, .positions = true, .offsets = true}},
       {"with_positions_payloads", {.enabled = true, .positions = true, .payloads = true}},
       {"with_positions_offsets_payloads",
        {.enabled = true, .positions = true, .offsets = true, .payloads = true}}});
  if (vectors.enabled && options == IndexOptions::kNone) {
    throw InvalidArgument(fmt::format(
        "\"term_vector\": \"{}\" needs an indexed text or keyword field; leave \"term_vector\" out",
        value));
  }
  return vectors;
}

// What "doc_values": true means for the kind.
DocValuesType usual_doc_values(FieldKind kind) {
  if (is_numeric(kind)) return DocValuesType::kSortedNumeric;
  return kind == FieldKind::kBinary ? DocValuesType::kBinary : DocValuesType::kSortedSet;
}

DocValuesType doc_values_of(const JsonNode& node, FieldKind kind) {
  const JsonNode* found = node.find("doc_values");
  if (found == nullptr) return DocValuesType::kNone;
  if (found->type == JsonNode::Type::kBoolean) {
    if (found->text != "true") return DocValuesType::kNone;
    if (kind != FieldKind::kText) return usual_doc_values(kind);
    throw InvalidArgument(
        "\"doc_values\": true says too little for type text: its doc values are whole texts, not "
        "their words; write \"sorted_set\", \"sorted\" or \"binary\" for that, or declare a "
        "keyword field");
  }
  const auto type = choose<DocValuesType>("doc_values", string_at(node, "doc_values", ""),
                                          {{"none", DocValuesType::kNone},
                                           {"numeric", DocValuesType::kNumeric},
                                           {"binary", DocValuesType::kBinary},
                                           {"sorted", DocValuesType::kSorted},
                                           {"sorted_numeric", DocValuesType::kSortedNumeric},
                                           {"sorted_set", DocValuesType::kSortedSet}});
  const bool of_numbers = type == DocValuesType::kNumeric || type == DocValuesType::kSortedNumeric;
  if (type != DocValuesType::kNone && of_numbers != is_numeric(kind)) {
    throw InvalidArgument(fmt::format("\"doc_values\": \"{}\" does not fit type {}; write \"{}\"",
                                      name_of(type), kind_name(kind),
                                      name_of(usual_doc_values(kind))));
  }
  return type;
}

bool skip_index_of(const JsonNode& node, DocValuesType type) {
  if (!boolean_at(node, "doc_values_skip_index", false)) return false;
  if (type == DocValuesType::kNone || type == DocValuesType::kBinary) {
    throw InvalidArgument(
        "\"doc_values_skip_index\" needs \"doc_values\", other than binary ones; write "
        "\"doc_values\": true, or leave \"doc_values_skip_index\" out");
  }
  return true;
}

uint8_t point_width(FieldKind kind) {
  return kind == FieldKind::kInt || kind == FieldKind::kFloat ? 4 : 8;
}

void set_points(FieldType& type, const JsonNode& node, FieldKind kind, bool index) {
  const bool points = index && (is_numeric(kind) || kind == FieldKind::kBinary);
  const auto dims = static_cast<uint8_t>(integer_at(node, "dims", 1, 1, 16));
  const int32_t most = std::min<int32_t>(dims, 8);
  const auto index_dims = static_cast<uint8_t>(integer_at(node, "index_dims", dims, 1, most));
  const auto bytes = static_cast<uint8_t>(integer_at(node, "bytes", 1, 1, 16));
  for (const char* key : {"dims", "index_dims", "bytes"}) {
    if (points || node.find(key) == nullptr) continue;
    throw InvalidArgument(fmt::format(
        "\"{}\" is of points, and type {}{} has none; leave \"{}\" out, or write an indexed int, "
        "long, float, double or binary",
        key, kind_name(kind), index ? "" : " without index", key));
  }
  if (dims > 1 && !is_numeric(kind)) {
    throw InvalidArgument(
        "\"dims\" above 1 needs type int, long, float or double; a binary is one point of "
        "\"bytes\"");
  }
  if (dims > 1 && (type.stored || type.doc_values != DocValuesType::kNone)) {
    throw InvalidArgument(
        "a point of several \"dims\" has neither \"store\" nor \"doc_values\"; declare fields of "
        "one "
        "dimension for those");
  }
  if (!points) return;
  if (kind == FieldKind::kBinary && node.find("bytes") == nullptr) {
    throw InvalidArgument(
        "an indexed binary is a point and needs \"bytes\", its width from 1 to 16; to search bytes "
        "as "
        "one term write \"type\": \"keyword\"");
  }
  type.point_dimensions = dims;
  type.point_index_dimensions = index_dims;
  type.point_bytes = is_numeric(kind) ? point_width(kind) : bytes;
}

void set_vector(FieldType& type, const JsonNode& node, FieldKind kind) {
  if (kind != FieldKind::kVector) {
    for (const char* key : {"dimension", "element_type", "similarity"}) {
      if (node.find(key) == nullptr) continue;
      throw InvalidArgument(fmt::format(
          "\"{}\" needs \"type\": \"knn_vector\"{}", key,
          key == std::string_view("dimension") ? "; dimensions of points are \"dims\"" : ""));
    }
    return;
  }
  for (const char* key : {"index", "index_options", "analyzer", "store", "norms", "term_vector",
                          "doc_values", "doc_values_skip_index", "bytes", "dims", "index_dims"}) {
    if (node.find(key) == nullptr) continue;
    throw InvalidArgument(fmt::format(
        "\"{}\" does not go with type knn_vector: a vector is no term, doc value or point, and not "
        "stored; declare another field for that",
        key));
  }
  if (node.find("dimension") == nullptr) {
    throw InvalidArgument("a knn_vector needs \"dimension\", the numbers of each vector");
  }
  type.vector_dimension = integer_at(node, "dimension", 0, 1, 1024);
  type.vector_encoding = choose<VectorEncoding>(
      "element_type", string_at(node, "element_type", "float32"),
      {{"float32", VectorEncoding::kFloat32}, {"byte", VectorEncoding::kByte}});
  type.vector_similarity =
      choose<VectorSimilarity>("similarity", string_at(node, "similarity", "l2"),
                               {{"l2", VectorSimilarity::kEuclidean},
                                {"cosine", VectorSimilarity::kCosine},
                                {"dot_product", VectorSimilarity::kDotProduct},
                                {"max_inner_product", VectorSimilarity::kMaxInnerProduct}});
}

}  // namespace

class SchemaParser {
 public:
  static std::unique_ptr<Schema> parse(std::string_view json, const std::string& name) {
    if (json.starts_with("\xEF\xBB\xBF")) json.remove_prefix(3);
    try {
      std::unique_ptr<Schema> schema(new Schema());
      SchemaParser(*schema).root(parse_json(json));
      return schema;
    } catch (const NotSupported& e) {
      throw NotSupported(name + ": " + e.what());
    } catch (const InvalidArgument& e) {
      throw InvalidArgument(name + ": " + e.what());
    } catch (const BadValue& e) {
      throw InvalidArgument(name + ": " + e.what());
    }
  }

 private:
  explicit SchemaParser(Schema& schema) : schema_(schema) {}

  void root(const JsonNode& root) {
    if (!root.is_object()) throw InvalidArgument("the schema must be a JSON object");
    only_keys(root, {"fields", "index_sort", "parent_field", "soft_deletes_field", "comment"},
              "the schema");
    const JsonNode* fields = root.find("fields");
    if (fields == nullptr || !fields->is_array()) {
      throw InvalidArgument("the schema needs \"fields\", an array");
    }
    for (const JsonNode& node : fields->items) add(node);
    std::stable_sort(schema_.patterns_.begin(), schema_.patterns_.end(),
                     [this](size_t a, size_t b) {
                       return utf16_length(schema_.declarations_[a].name) >
                              utf16_length(schema_.declarations_[b].name);
                     });
    if (const JsonNode* sort = root.find("index_sort"); sort != nullptr) {
      if (!sort->is_array()) throw InvalidArgument("\"index_sort\" must be an array of keys");
      for (const JsonNode& node : sort->items) schema_.index_sort_.push_back(sort_key(node));
    }
    schema_.parent_field_ = string_at(root, "parent_field", "");
    schema_.soft_deletes_field_ = string_at(root, "soft_deletes_field", "");
    if (!schema_.parent_field_.empty() && schema_.parent_field_ == schema_.soft_deletes_field_) {
      throw InvalidArgument("\"parent_field\" and \"soft_deletes_field\" cannot be the same field");
    }
  }

  SortKey sort_key(const JsonNode& node) const {
    if (!node.is_object()) throw InvalidArgument("each key of \"index_sort\" must be an object");
    only_keys(node, {"field", "order", "mode", "missing"}, "\"index_sort\"");
    SortKey key;
    key.field = string_at(node, "field", "");
    const Declaration* field = schema_.match(key.field);
    if (field == nullptr) {
      throw InvalidArgument(
          fmt::format("\"index_sort\": the schema has no field {}", quoted(key.field)));
    }
    key.doc_values = field->type.doc_values;
    if (key.doc_values == DocValuesType::kNone || key.doc_values == DocValuesType::kBinary) {
      throw InvalidArgument(fmt::format(
          "\"index_sort\": field {} needs \"doc_values\" to sort by: true, or any but binary",
          quoted(key.field)));
    }
    key.number = sort_number(field->kind);
    key.descending =
        choose<bool>("order", string_at(node, "order", "asc"), {{"asc", false}, {"desc", true}});
    key.mode = choose<SortMode>("mode", string_at(node, "mode", "min"),
                                {{"min", SortMode::kMin}, {"max", SortMode::kMax}});
    key.missing =
        choose<SortMissing>("missing", string_at(node, "missing", "_last"),
                            {{"_last", SortMissing::kLast}, {"_first", SortMissing::kFirst}});
    return key;
  }

  static SortNumber sort_number(FieldKind kind) {
    switch (kind) {
      case FieldKind::kInt:
        return SortNumber::kInt;
      case FieldKind::kFloat:
        return SortNumber::kFloat;
      case FieldKind::kDouble:
        return SortNumber::kDouble;
      default:  // of longs; not used for bytes
        return SortNumber::kLong;
    }
  }

  void add(const JsonNode& node) {
    if (!node.is_object()) throw InvalidArgument("each field must be an object");
    const std::string name = string_at(node, "name", "");
    if (node.find("name") == nullptr) throw InvalidArgument("a field has no \"name\"");
    try {
      Declaration declaration = declare(name, node);
      const size_t index = schema_.declarations_.size();
      const auto stars = std::count(name.begin(), name.end(), '*');
      if (stars > 1) throw InvalidArgument("a pattern has one \"*\" only");
      if (stars == 1) {
        schema_.patterns_.push_back(index);
      } else if (!schema_.exact_.emplace(name, index).second) {
        throw InvalidArgument("it is declared twice");
      }
      schema_.declarations_.push_back(std::move(declaration));
    } catch (const NotSupported& e) {
      throw NotSupported(fmt::format("field {}: {}", quoted(name), e.what()));
    } catch (const InvalidArgument& e) {
      throw InvalidArgument(fmt::format("field {}: {}", quoted(name), e.what()));
    }
  }

  static Declaration declare(const std::string& name, const JsonNode& node) {
    only_keys(node, {"name",        "type",       "analyzer",      "max_token_length",
                     "stopwords",   "index",      "index_options", "store",
                     "term_vector", "norms",      "doc_values",    "doc_values_skip_index",
                     "dims",        "index_dims", "bytes",         "position_increment_gap",
                     "offset_gap",  "dimension",  "element_type",  "similarity",
                     "source",      "comment"},
              "a field");
    Declaration d;
    d.name = name;
    d.source = string_at(node, "source", name);
    d.kind = kind_of(node);
    set_vector(d.type, node, d.kind);
    const bool index = boolean_at(node, "index", d.kind != FieldKind::kBinary);
    d.type.index_options = index_options_of(node, d.kind, index);
    d.type.tokenized = d.kind == FieldKind::kText;
    d.type.stored = boolean_at(node, "store", false);
    d.type.omit_norms = !boolean_at(node, "norms", d.kind == FieldKind::kText);
    d.type.term_vectors = term_vectors_of(node, d.type.index_options);
    d.type.doc_values = doc_values_of(node, d.kind);
    d.type.doc_values_skip_index = skip_index_of(node, d.type.doc_values);
    set_points(d.type, node, d.kind, index);
    d.position_increment_gap = integer_at(node, "position_increment_gap", 0, 0, 2147483647);
    d.offset_gap = integer_at(node, "offset_gap", 1, 0, 2147483647);
    if (d.kind == FieldKind::kText) d.analyzer = analyzer_of(node);
    return d;
  }

  static FieldKind kind_of(const JsonNode& node) {
    if (node.find("type") == nullptr) {
      throw InvalidArgument(
          "it has no \"type\"; known: text, keyword, binary, int, long, float, double, "
          "knn_vector");
    }
    const std::string type = string_at(node, "type", "");
    if (const std::string_view hint = type_hint(type); !hint.empty()) {
      throw InvalidArgument(fmt::format("unknown type {}{}", quoted(type), hint));
    }
    return choose<FieldKind>("type", type,
                             {{"text", FieldKind::kText},
                              {"keyword", FieldKind::kKeyword},
                              {"binary", FieldKind::kBinary},
                              {"int", FieldKind::kInt},
                              {"long", FieldKind::kLong},
                              {"float", FieldKind::kFloat},
                              {"double", FieldKind::kDouble},
                              {"knn_vector", FieldKind::kVector}});
  }

  Schema& schema_;
};

std::unique_ptr<Schema> Schema::parse(std::string_view json, const std::string& name) {
  return SchemaParser::parse(json, name);
}

std::unique_ptr<Schema> Schema::load(const std::string& path) {
  constexpr size_t kLargest = size_t{64} << 20;
  std::unique_ptr<ByteSource> file;
  try {
    file = open_byte_source(path);
  } catch (const IoError& e) {
    if (e.error_number() != ENOENT) throw;
    throw InvalidArgument(fmt::format("there is no schema {}", path));
  }
  return parse(read_all(*file, path, kLargest), path);
}

}  // namespace postern::input
