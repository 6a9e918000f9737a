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
      throw InvalidArgument(fmt::format("unknown key {} in {}", quoted(key), where));
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

void refuse_term_vectors(const JsonNode& node) {
  const std::string value = string_at(node, "term_vector", "no");
  const bool wanted = choose<bool>("term_vector", value,
                                   {{"no", false},
                                    {"yes", true},
                                    {"with_positions", true},
                                    {"with_offsets", true},
                                    {"with_positions_offsets", true},
                                    {"with_positions_payloads", true},
                                    {"with_positions_offsets_payloads", true}});
  if (!wanted) return;
  throw NotSupported(fmt::format(
      "\"term_vector\": \"{}\" is not supported yet; leave \"term_vector\" out (the field is still "
      "searchable)",
      value));
}

void refuse_doc_values(const JsonNode& node, FieldKind kind) {
  const JsonNode* found = node.find("doc_values");
  bool wanted = false;
  if (found != nullptr && found->type == JsonNode::Type::kBoolean) {
    wanted = found->text == "true";
  } else if (found != nullptr) {
    wanted = choose<bool>("doc_values", string_at(node, "doc_values", ""),
                          {{"none", false},
                           {"numeric", true},
                           {"binary", true},
                           {"sorted", true},
                           {"sorted_numeric", true},
                           {"sorted_set", true}});
  }
  const bool skip_index = boolean_at(node, "doc_values_skip_index", false);
  if (wanted) {
    throw NotSupported(fmt::format(
        "\"doc_values\": {} is not supported yet; leave \"doc_values\" out{}",
        found->is_string() ? "\"" + found->text + "\"" : found->text,
        kind == FieldKind::kText ? "" : " and write \"store\": true to keep the value"));
  }
  if (skip_index) throw InvalidArgument("\"doc_values_skip_index\" needs \"doc_values\"");
}

void refuse_points(const JsonNode& node, FieldKind kind, bool index) {
  const uint32_t dims = integer_at(node, "dims", 1, 1, 16);
  const uint32_t index_dims = integer_at(node, "index_dims", static_cast<int32_t>(dims), 1, 8);
  integer_at(node, "bytes", 1, 1, 16);
  if (index && is_numeric(kind)) {
    throw NotSupported(fmt::format(
        "an indexed {} (a point) is not supported yet; write \"index\": false, \"store\": true to "
        "keep the number, or \"type\": \"keyword\" to search it as it is spelled",
        kind_name(kind)));
  }
  if (index && kind == FieldKind::kBinary) {
    throw NotSupported(
        "an indexed binary (a point) is not supported yet; write \"index\": false, \"store\": true "
        "to keep the bytes, or \"type\": \"keyword\" to search them as one term");
  }
  if (dims > 1 || index_dims > 1) {
    throw InvalidArgument("\"dims\" above 1 needs an indexed number");
  }
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
    only_keys(root, {"fields", "index_sort", "comment"}, "the schema");
    const JsonNode* fields = root.find("fields");
    if (fields == nullptr || !fields->is_array()) {
      throw InvalidArgument("the schema needs \"fields\", an array");
    }
    for (const JsonNode& node : fields->items) add(node);
    std::stable_sort(
        schema_.patterns_.begin(), schema_.patterns_.end(), [this](size_t a, size_t b) {
          return schema_.declarations_[a].name.size() > schema_.declarations_[b].name.size();
        });
    if (root.find("index_sort") != nullptr) {
      throw NotSupported(
          "\"index_sort\" is not supported yet; leave it out, documents keep the order of the "
          "input");
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
    const bool index = boolean_at(node, "index", d.kind != FieldKind::kBinary);
    d.type.index_options = index_options_of(node, d.kind, index);
    d.type.tokenized = d.kind == FieldKind::kText;
    d.type.stored = boolean_at(node, "store", false);
    d.type.omit_norms = !boolean_at(node, "norms", d.kind == FieldKind::kText);
    refuse_term_vectors(node);
    refuse_doc_values(node, d.kind);
    refuse_points(node, d.kind, index);
    d.position_increment_gap = integer_at(node, "position_increment_gap", 0, 0, 2147483647);
    d.offset_gap = integer_at(node, "offset_gap", 1, 0, 2147483647);
    if (d.kind == FieldKind::kText) d.analyzer = analyzer_of(node);
    return d;
  }

  static FieldKind kind_of(const JsonNode& node) {
    if (node.find("type") == nullptr) {
      throw InvalidArgument(
          "it has no \"type\"; known: text, keyword, binary, int, long, float, double");
    }
    const std::string type = string_at(node, "type", "");
    if (type == "knn_vector") {
      throw NotSupported("\"type\": \"knn_vector\" is not supported yet; leave the field out");
    }
    return choose<FieldKind>("type", type,
                             {{"text", FieldKind::kText},
                              {"keyword", FieldKind::kKeyword},
                              {"binary", FieldKind::kBinary},
                              {"int", FieldKind::kInt},
                              {"long", FieldKind::kLong},
                              {"float", FieldKind::kFloat},
                              {"double", FieldKind::kDouble}});
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
