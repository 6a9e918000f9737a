#include "opensearch/field_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "input/errors.h"
#include "opensearch/ip_address.h"
#include "opensearch/known_types.h"
#include "opensearch/parameters.h"
#include "postern/analyzer.h"
#include "postern/error.h"

namespace postern::opensearch {

using input::JsonNode;

namespace {

// What a type may have beside its own parameters.
struct Aspects {
  bool index = true;
  bool doc_values = true;
  bool store = false;
  bool skip_list = false;
};

std::unique_ptr<FieldDefinition> define(const FieldMapper& field, const FieldType& type) {
  return std::make_unique<FieldDefinition>(field.path, type);
}

void set_point(FieldType& type, uint8_t bytes, uint8_t dimensions = 1) {
  type.point_dimensions = type.point_index_dimensions = dimensions;
  type.point_bytes = bytes;
}

class FieldBuilder {
 public:
  FieldBuilder(const std::string& path, const JsonNode& node, const FieldContext& context,
               bool is_multi_field)
      : context_(context),
        is_multi_field_(is_multi_field),
        field_(std::make_unique<FieldMapper>()),
        type_(type_of(path, node)),
        parameters_(node, describe_field(path, type_)) {
    field_->path = path;
    field_->type = type_;
    field_->parameters = node;
  }

  std::unique_ptr<FieldMapper> build() {
    parameters_.take("type");
    if (type_ == "alias") {
      build_alias();
    } else if (type_ == "text") {
      build_text();
    } else if (type_ == "keyword") {
      build_keyword();
    } else if (type_ == "boolean") {
      build_boolean();
    } else if (type_ == "date" || type_ == "date_nanos") {
      build_date();
    } else if (type_ == "ip") {
      build_ip();
    } else if (type_ == "geo_point") {
      build_geo_point();
    } else if (const auto number = number_type(type_)) {
      build_number(*number);
    } else {
      refuse_type(field_->path, type_);
    }
    take_common();
    parameters_.finish();
    return std::move(field_);
  }

 private:
  static std::string type_of(const std::string& path, const JsonNode& node) {
    const JsonNode* type = node.find("type");
    if (type == nullptr) {
      throw InvalidArgument(fmt::format("field [{}]: no \"type\"", path));
    }
    if (!type->is_string()) {
      throw InvalidArgument(
          fmt::format("field [{}]: \"type\" must be a string, got {}", path, shown(*type)));
    }
    return type->text;
  }

  Aspects take_aspects() {
    Aspects aspects;
    aspects.index = parameters_.boolean("index", true);
    aspects.doc_values = parameters_.boolean("doc_values", true);
    aspects.store = parameters_.boolean("store", false);
    return aspects;
  }

  // Documents are found by the field's own norms or doc values, else by their names.
  void note_existence(const Aspects& aspects) {
    field_->in_field_names = !aspects.doc_values && (aspects.index || aspects.store);
  }

  void build_alias() {
    field_->kind = FieldKind::kAlias;
    const auto target = parameters_.string("path");
    if (!target) parameters_.fail("path", "an alias needs it");
    if (is_multi_field_) parameters_.fail("type", "an alias cannot be a multi-field");
  }

  void build_text() {
    field_->kind = FieldKind::kText;
    FieldType type;
    const bool index = parameters_.boolean("index", true);
    type.stored = parameters_.boolean("store", false);
    type.omit_norms = !parameters_.boolean("norms", true);
    const std::string options =
        parameters_.one_of("index_options", "positions", {"docs", "freqs", "positions", "offsets"});
    const std::string analyzer_name = parameters_.string("analyzer").value_or("default");
    const std::shared_ptr<const Analyzer> analyzer = analyzer_of(analyzer_name);
    for (const char* other : {"search_analyzer", "search_quote_analyzer"}) {
      if (const auto name = parameters_.string(other)) analyzer_of(*name);
    }
    const uint32_t gap = take_gap();
    if (index) {
      type.index_options = options == "docs"      ? IndexOptions::kDocs
                           : options == "freqs"   ? IndexOptions::kFreqs
                           : options == "offsets" ? IndexOptions::kOffsets
                                                  : IndexOptions::kPositions;
    }
    if (gap_given_ && index && !type.has_positions()) {
      parameters_.fail("position_increment_gap", "it needs index_options with positions");
    }
    take_term_vectors(type, index);
    parameters_.refuse({{"index_prefixes", "it makes a second field of prefixes"},
                        {"index_phrases", "it makes a second field of two-word terms"}});
    parameters_.keep({"fielddata", "fielddata_frequency_filter", "eager_global_ordinals", "boost",
                      "doc_values"});
    take_similarity();
    field_->in_field_names = (index || type.stored) && type.omit_norms;
    field_->one_term = index && analyzer_name == "keyword";
    if (index || type.stored) {
      field_->main =
          std::make_unique<FieldDefinition>(field_->path, type, index ? analyzer : nullptr, gap, 1);
    }
  }

  uint32_t take_gap() {
    constexpr uint32_t kUsual = 100;
    const JsonNode* gap = parameters_.take("position_increment_gap");
    if (gap == nullptr || gap->text == "-1") return kUsual;
    gap_given_ = true;
    return parameters_.integer("position_increment_gap", kUsual);
  }

  std::shared_ptr<const Analyzer> analyzer_of(const std::string& name) {
    if (context_.check_analyzer) context_.check_analyzer(parameters_.what(), name);
    if (name == "default" || name == "standard") return standard_analyzer();
    if (name == "simple") return simple_analyzer();
    if (name == "whitespace") return whitespace_analyzer();
    if (name == "keyword") return keyword_analyzer();
    if (name == "stop") return stop_analyzer(english_stop_words());
    if (name == "english") return english_analyzer();
    parameters_.not_supported(
        "analyzer", fmt::format("there is no analyzer {}; known: standard, simple, whitespace, "
                                "keyword, stop, english",
                                input::quoted(name)));
  }

  void take_term_vectors(FieldType& type, bool index) {
    const std::string value =
        parameters_.one_of("term_vector", "no",
                           {"no", "yes", "with_positions", "with_offsets", "with_positions_offsets",
                            "with_positions_payloads", "with_positions_offsets_payloads"});
    if (value == "no") return;
    if (!index) parameters_.fail("term_vector", "it needs a field with \"index\": true");
    type.term_vectors.enabled = true;
    type.term_vectors.positions = value.find("positions") != value.npos;
    type.term_vectors.offsets = value.find("offsets") != value.npos;
    type.term_vectors.payloads = value.find("payloads") != value.npos;
  }

  void take_similarity() {
    const auto name = parameters_.string("similarity");
    if (name && *name != "BM25" && *name != "boolean") {
      parameters_.not_supported("similarity", "only BM25 and boolean are known here");
    }
  }

  void build_keyword() {
    field_->kind = FieldKind::kKeyword;
    const Aspects aspects = take_aspects();
    field_->one_term = aspects.index || aspects.doc_values;
    FieldType type;
    type.tokenized = false;
    type.stored = aspects.store;
    type.omit_norms = !parameters_.boolean("norms", false);
    const std::string options = parameters_.one_of("index_options", "docs", {"docs", "freqs"});
    if (aspects.index) {
      type.index_options = options == "docs" ? IndexOptions::kDocs : IndexOptions::kFreqs;
    }
    if (aspects.doc_values) type.doc_values = DocValuesType::kSortedSet;
    const JsonNode* above = parameters_.take("ignore_above");
    if (above != nullptr && above->text.starts_with('-')) {
      parameters_.fail("ignore_above", fmt::format("must not be negative, got {}", above->text));
    }
    field_->ignore_above = parameters_.integer("ignore_above", INT32_MAX);
    if (const JsonNode* normalizer = parameters_.take("normalizer");
        normalizer != nullptr && normalizer->type != JsonNode::Type::kNull) {
      parameters_.not_supported("normalizer", "values are indexed as they are");
    }
    take_similarity();
    parameters_.keep(
        {"eager_global_ordinals", "split_queries_on_whitespace", "boost", "use_similarity"});
    take_null_value();
    note_existence(
        {aspects.index && type.omit_norms, aspects.doc_values, aspects.store && type.omit_norms});
    if (aspects.index || aspects.store || aspects.doc_values) field_->main = define(*field_, type);
  }

  void build_number(NumberType number) {
    field_->kind = FieldKind::kNumber;
    field_->number = number;
    Aspects aspects = take_aspects();
    aspects.skip_list = parameters_.boolean("skip_list", false);
    field_->coerce = parameters_.boolean("coerce", context_.coerce);
    field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
    parameters_.keep({"boost"});
    take_null_value();
    if (!field_->null_value.text.empty() &&
        !parse_number(number, field_->null_value.text,
                      field_->null_value.kind == Scalar::Kind::kString ? JsonScalar::kString
                                                                       : JsonScalar::kNumber,
                      false)
             .ok()) {
      // As OpenSearch does with strings; a number's own spelling must fit as it is.
      if (field_->null_value.kind != Scalar::Kind::kString ||
          !parse_number(number, field_->null_value.text, JsonScalar::kString, true).ok()) {
        parameters_.fail("null_value", fmt::format("{} is not a {}",
                                                   input::quoted(field_->null_value.text), type_));
      }
    }
    note_existence(aspects);
    define_number(aspects);
  }

  void define_number(const Aspects& aspects) {
    FieldType column;
    if (aspects.doc_values) {
      column.doc_values = DocValuesType::kSortedNumeric;
      column.doc_values_skip_index = aspects.skip_list;
    }
    FieldType type;
    const auto bytes = static_cast<uint8_t>(point_bytes(field_->number));
    if (aspects.index) set_point(type, bytes);
    FieldType stored;
    stored.stored = true;
    // What is stored of the other types is not the number of their doc value.
    const bool one_value = bytes == 4 || bytes == 8;
    const bool same_stored = one_value && field_->number < NumberType::kUnsignedLong;
    if (one_value) {
      type.doc_values = column.doc_values;
      type.doc_values_skip_index = column.doc_values_skip_index;
      type.stored = aspects.store && same_stored;
    } else if (aspects.doc_values) {
      field_->column = define(*field_, column);
    }
    if (aspects.index || type.doc_values != DocValuesType::kNone || type.stored) {
      field_->main = define(*field_, type);
    }
    if (aspects.store && !same_stored) field_->stored = define(*field_, stored);
  }

  void build_boolean() {
    field_->kind = FieldKind::kBoolean;
    const Aspects aspects = take_aspects();
    field_->ignore_malformed = context_.ignore_malformed;
    parameters_.keep({"boost"});
    take_null_value();
    if (const std::string& text = field_->null_text;
        field_->null_value.kind != Scalar::Kind::kNull && text != "true" && text != "false") {
      parameters_.fail("null_value",
                       fmt::format("{} is neither true nor false", input::quoted(text)));
    }
    if (aspects.index || aspects.store) {
      FieldType type;
      type.tokenized = false;
      type.omit_norms = true;
      type.stored = aspects.store;
      if (aspects.index) type.index_options = IndexOptions::kDocs;
      field_->main = define(*field_, type);
    }
    if (aspects.doc_values) {
      FieldType column;
      column.doc_values = DocValuesType::kSortedNumeric;
      field_->column = define(*field_, column);
    }
    note_existence(aspects);
  }

  void build_date() {
    field_->kind = FieldKind::kDate;
    field_->resolution =
        type_ == "date" ? DateResolution::kMilliseconds : DateResolution::kNanoseconds;
    Aspects aspects = take_aspects();
    // The field of this name has one whatever the mapping says.
    aspects.skip_list = parameters_.boolean("skip_list", false) || field_->path == "@timestamp";
    if (const auto locale = parameters_.string("locale");
        locale && !locale->empty() && *locale != "en" && *locale != "ROOT") {
      parameters_.not_supported("locale", "names of months and days are not read");
    }
    try {
      field_->format = DateFormat::compile(
          parameters_.string("format").value_or(std::string(DateFormat::kDefault)));
    } catch (const NotSupported& e) {
      parameters_.not_supported("format", e.what());
    } catch (const InvalidArgument& e) {
      parameters_.fail("format", e.what());
    }
    field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
    parameters_.keep({"boost", "print_format"});
    take_null_value();
    if (field_->null_value.kind != Scalar::Kind::kNull &&
        !field_->format->parse(field_->null_text, field_->resolution)) {
      parameters_.fail("null_value", fmt::format("{} does not match the format",
                                                 input::quoted(field_->null_text)));
    }
    note_existence(aspects);
    FieldType type;
    if (aspects.index) set_point(type, 8);
    if (aspects.doc_values) {
      type.doc_values = DocValuesType::kSortedNumeric;
      type.doc_values_skip_index = aspects.skip_list;
    }
    type.stored = aspects.store;
    define_if_any(aspects, type);
  }

  void build_ip() {
    field_->kind = FieldKind::kIp;
    const Aspects aspects = take_aspects();
    field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
    parameters_.keep({"boost", "similarity"});
    take_null_value();
    if (field_->null_value.kind != Scalar::Kind::kNull && !parse_ip(field_->null_text)) {
      parameters_.fail("null_value",
                       fmt::format("{} is not an address", input::quoted(field_->null_text)));
    }
    note_existence(aspects);
    FieldType type;
    if (aspects.index) set_point(type, 16);
    if (aspects.doc_values) type.doc_values = DocValuesType::kSortedSet;
    type.stored = aspects.store;
    define_if_any(aspects, type);
  }

  void define_if_any(const Aspects& aspects, const FieldType& type) {
    if (aspects.index || aspects.doc_values || aspects.store) field_->main = define(*field_, type);
  }

  void build_geo_point() {
    field_->kind = FieldKind::kGeoPoint;
    const Aspects aspects{.doc_values = parameters_.boolean("doc_values", true),
                          .store = parameters_.boolean("store", false)};
    parameters_.keep({"index"});
    field_->ignore_malformed = parameters_.boolean("ignore_malformed", context_.ignore_malformed);
    field_->ignore_z_value = parameters_.boolean("ignore_z_value", true);
    if (const JsonNode* value = parameters_.take("null_value");
        value != nullptr && value->type != JsonNode::Type::kNull) {
      field_->null_point = point_of(*value);
      if (!field_->null_point || !is_valid(*field_->null_point)) {
        parameters_.fail("null_value", fmt::format("{} is not a point", shown(*value)));
      }
    }
    // A point whatever "index" says, as OpenSearch has it.
    FieldType point;
    set_point(point, 4, 2);
    field_->main = define(*field_, point);
    field_->in_field_names = !aspects.doc_values;
    if (aspects.doc_values) {
      FieldType column;
      column.doc_values = DocValuesType::kSortedNumeric;
      field_->column = define(*field_, column);
    }
    if (aspects.store) {
      FieldType stored;
      stored.stored = true;
      field_->stored = define(*field_, stored);
    }
  }

  // A null_value: a string, or an object with both coordinates.
  static std::optional<GeoPoint> point_of(const JsonNode& node) {
    if (node.is_string()) return parse_geo_point(node.text);
    const JsonNode* lat = node.find("lat");
    const JsonNode* lon = node.find("lon");
    if (lat == nullptr || lon == nullptr || node.keys.size() != 2) return std::nullopt;
    const auto y = parse_coordinate(lat->text);
    const auto x = parse_coordinate(lon->text);
    if (!y || !x) return std::nullopt;
    return GeoPoint{*y, *x};
  }

  void take_null_value() {
    const JsonNode* value = parameters_.take("null_value");
    if (value == nullptr || value->type == JsonNode::Type::kNull) return;
    if (value->is_array() || value->is_object()) {
      parameters_.fail("null_value", fmt::format("must be one value, got {}", shown(*value)));
    }
    field_->null_text = value->text;
    field_->null_value.text = field_->null_text;
    field_->null_value.kind = value->is_string()                       ? Scalar::Kind::kString
                              : value->type == JsonNode::Type::kNumber ? Scalar::Kind::kNumber
                                                                       : Scalar::Kind::kBoolean;
  }

  void take_common() {
    if (const JsonNode* meta = parameters_.take("meta"); meta != nullptr && !meta->is_object()) {
      parameters_.fail("meta", "must be an object");
    }
    const JsonNode* copy_to = parameters_.take("copy_to");
    if (copy_to != nullptr && is_multi_field_) {
      parameters_.fail("copy_to", "it may not be used to copy from a multi-field");
    }
    if (copy_to != nullptr) take_copy_to(*copy_to);
    const JsonNode* fields = parameters_.take("fields");
    if (fields != nullptr) take_fields(*fields);
  }

  void take_copy_to(const JsonNode& node) {
    auto add = [&](const JsonNode& target) {
      if (!target.is_string() || target.text.empty()) {
        parameters_.fail("copy_to", "must be the full name of a field, or an array of names");
      }
      field_->copy_to.push_back(target.text);
    };
    if (!node.is_array()) return add(node);
    for (const JsonNode& target : node.items) add(target);
  }

  void take_fields(const JsonNode& node) {
    if (node.is_array() && node.items.empty()) return;
    if (!node.is_object()) parameters_.fail("fields", "must be an object");
    if (field_->kind == FieldKind::kGeoPoint && !node.keys.empty()) {
      parameters_.not_supported("fields", "a geo_point has no multi-fields here");
    }
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& name = node.keys[i];
      const std::string path = field_->path + "." + name;
      if (name.empty() || name.find('.') != name.npos) {
        throw InvalidArgument(
            fmt::format("field [{}]: the name of a multi-field must not be "
                        "empty or have dots",
                        path));
      }
      if (!node.items[i].is_object()) {
        throw InvalidArgument(fmt::format("field [{}]: must be an object", path));
      }
      for (size_t k = 0; k < i; ++k) {
        if (node.keys[k] == name)
          throw InvalidArgument(fmt::format("field [{}] is there twice", path));
      }
      auto field = FieldBuilder(path, node.items[i], context_, true).build();
      if (field->kind == FieldKind::kGeoPoint) {
        throw NotSupported(describe_field(path, field->type) + ": as a multi-field");
      }
      field_->fields.push_back(std::move(field));
    }
  }

  const FieldContext& context_;
  bool is_multi_field_;
  bool gap_given_ = false;
  std::unique_ptr<FieldMapper> field_;
  std::string type_;
  Parameters parameters_;
};

}  // namespace

std::string describe_field(std::string_view path, std::string_view type) {
  return fmt::format("field [{}] of type [{}]", path, type);
}

std::unique_ptr<FieldMapper> build_field(const std::string& path, const JsonNode& node,
                                         const FieldContext& context) {
  return FieldBuilder(path, node, context, false).build();
}

}  // namespace postern::opensearch
