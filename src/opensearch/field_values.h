// A value of a field -> values of a Lucene document (docs/opensearch_mappings.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/scratch.h"
#include "opensearch/geo_point.h"
#include "opensearch/mapping_tree.h"
#include "postern/document.h"

namespace postern::opensearch {

class FieldValues {
 public:
  // What is not in the source as it is lives in `scratch`.
  FieldValues(MappingTree& tree, input::Scratch& scratch) : tree_(tree), scratch_(scratch) {}

  // Forgets which fields were ignored.
  void start() { ignored_.clear(); }

  // The value and what its multi-fields make of it. `escaped`: the text had escapes, so it may hold
  // unpaired surrogates. Throws InvalidDocument.
  void add(const FieldMapper& field, const Scalar& value, bool escaped,
           std::vector<FieldValue>& out);
  // Of a geo_point that is written as an object or array.
  void add_point(const FieldMapper& field, GeoPoint point, std::vector<FieldValue>& out);
  // A value that is no point at all: ignored if the field wants that, else throws.
  void refuse_point(const FieldMapper& field, std::string_view shown, std::string_view why);
  // Only that the document has the field, for fields whose presence _field_names tells.
  void add_name(const FieldMapper& field, std::vector<FieldValue>& out);
  // An object where a value should be.
  void refuse_object(const FieldMapper& field);

  // The fields a value of which was ignored, in the order of a Java HashSet, which is that of their
  // stored values. Valid until start().
  const std::vector<const std::string*>& ignored();

 private:
  void add_text(const FieldMapper& field, std::string_view text, std::vector<FieldValue>& out);
  void add_keyword(const FieldMapper& field, std::string_view text, bool escaped,
                   std::vector<FieldValue>& out);
  void add_number(const FieldMapper& field, const Scalar& value, std::vector<FieldValue>& out);
  void add_parsed(const FieldMapper& field, const NumberValue& value, std::vector<FieldValue>& out);
  void add_boolean(const FieldMapper& field, const Scalar& value, std::vector<FieldValue>& out);
  void add_date(const FieldMapper& field, std::string_view text, std::vector<FieldValue>& out);
  void add_ip(const FieldMapper& field, std::string_view text, std::vector<FieldValue>& out);
  void add_named(const FieldMapper& field, FieldValue value, std::vector<FieldValue>& out);
  void ignore(const FieldMapper& field);
  void malformed(const FieldMapper& field, std::string_view text, std::string_view why);
  std::string_view keep(const void* bytes, size_t size);
  std::string_view keep(std::string_view text) { return keep(text.data(), text.size()); }

  MappingTree& tree_;
  input::Scratch& scratch_;
  std::vector<const std::string*> ignored_;
};

}  // namespace postern::opensearch
