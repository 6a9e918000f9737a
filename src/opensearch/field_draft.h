// The work behind build_field: one field of a mapping while its parameters are read. The kinds of
// fields are in text_fields.cc and value_fields.cc.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "opensearch/field_builder.h"
#include "opensearch/parameters.h"
#include "postern/analyzer.h"

namespace postern::opensearch {

// What most types may have beside their own parameters.
struct Aspects {
  bool index = true;
  bool doc_values = true;
  bool store = false;
  bool skip_list = false;
};

class FieldBuilder {
 public:
  FieldBuilder(const std::string& path, const input::JsonNode& node, const FieldContext& context,
               bool is_multi_field);

  std::unique_ptr<FieldMapper> build();

 private:
  static std::string type_of(const std::string& path, const input::JsonNode& node);
  Aspects take_aspects();
  // Documents are found by the field's own norms or doc values, else by their names.
  void note_existence(const Aspects& aspects);
  void build_alias();
  void take_null_value();
  void take_common();
  void take_copy_to(const input::JsonNode& node);
  void take_fields(const input::JsonNode& node);

  void build_text();
  uint32_t take_gap();
  std::shared_ptr<const Analyzer> analyzer_of(const std::string& name);
  void take_term_vectors(FieldType& type, bool index);
  void take_similarity();
  void build_keyword();

  void build_number(NumberType number);
  void define_number(const Aspects& aspects);
  void build_boolean();
  void build_date();
  void build_ip();
  void define_if_any(const Aspects& aspects, const FieldType& type);
  void build_geo_point();
  // A null_value: a string, or an object with both coordinates.
  static std::optional<GeoPoint> point_of(const input::JsonNode& node);

  // Of the field, with nothing but a type.
  std::unique_ptr<FieldDefinition> define(const FieldType& type) const {
    return std::make_unique<FieldDefinition>(field_->path, type);
  }
  static void set_point(FieldType& type, uint8_t bytes, uint8_t dimensions = 1) {
    type.point_dimensions = type.point_index_dimensions = dimensions;
    type.point_bytes = bytes;
  }

  const FieldContext& context_;
  bool is_multi_field_;
  bool gap_given_ = false;
  std::unique_ptr<FieldMapper> field_;
  std::string type_;
  Parameters parameters_;
};

}  // namespace postern::opensearch
