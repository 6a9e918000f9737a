// The walk over one JSON document: which field takes which value, in which Lucene document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/json_cursor.h"
#include "opensearch/field_values.h"
#include "opensearch/geo_value.h"
#include "opensearch/key_guard.h"
#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

// "author.name": the full name of what is in an object.
std::string full_path(const ObjectMapper& object, std::string_view name);

// The values of the document itself or of one nested object.
struct BlockPart {
  std::vector<FieldValue> values;
  const ObjectMapper* nested = nullptr;  // null: the document itself
  size_t parent = 0;                     // index of the part it is in
};

class DocumentWalker {
 public:
  // A field is missing from the mapping that should be added.
  struct NeedsNewField {};

  DocumentWalker(MappingTree& tree, input::JsonCursor& cursor)
      : tree_(tree), cursor_(cursor), values_(tree, cursor.scratch()) {}

  // Reads the whole document. `may_add`: fields that the mapping lacks are made, and wait in
  // new_mappers(); else NeedsNewField is thrown for the first of them. Throws InvalidDocument,
  // BadValue and simdjson_error.
  void walk(input::ondemand::object& document, bool may_add);

  // The document itself, then nested objects in the order in which they begin.
  std::vector<BlockPart>& parts() { return parts_; }
  size_t part_count() const { return part_count_; }
  // Indexes of the parts in the order of Lucene: each behind those that are nested in it.
  const std::vector<size_t>& order() const { return order_; }
  NewMappers& new_mappers() { return added_; }
  const std::vector<const std::string*>& ignored() { return values_.ignored(); }

 private:
  // What stands for a key: a mapper, or, if there is none, what its object says of new fields.
  struct Place {
    Mapper mapper;
    ObjectMapper* object = nullptr;  // in which it is, or would be
    std::string_view name;           // the rest of the key below `object`
    Dynamic dynamic = Dynamic::kTrue;
    const ObjectMapper* holder = nullptr;  // in whose braces the key stands
  };
  struct ReadScalar {
    Scalar value;
    bool escaped = false;
  };

  void walk_object(input::ondemand::object& object, ObjectMapper& mapper, size_t part, int depth);
  Place find(ObjectMapper& object, std::string_view key, uint64_t hash);
  Place find_dotted(ObjectMapper& object, std::string_view key);
  Mapper child(ObjectMapper& object, std::string_view name, uint64_t hash);

  void take(const Place& place, input::ondemand::value& value, size_t part, int depth);
  void take_field(const FieldMapper& field, const Place& place, input::ondemand::value& value,
                  size_t part, int depth);
  void take_mapped_object(ObjectMapper& mapper, const Place& place, input::ondemand::value& value,
                          size_t part, int depth);
  void take_nested(ObjectMapper& mapper, input::ondemand::object& object, size_t parent, int depth);
  void include(const BlockPart& from, size_t to);
  void take_unmapped(const Place& place, input::ondemand::value& value, size_t part, int depth);
  void take_points(const FieldMapper& field, input::ondemand::value& value, size_t part, int depth);

  void add_value(const FieldMapper& field, const ReadScalar& scalar, size_t part);
  void copy(const FieldMapper& field, const ReadScalar& scalar, size_t part);
  Mapper make_field(const Place& place, const Scalar& value);
  ObjectMapper& make_object(const Place& place);
  ObjectMapper& make_parents(const Place& place, std::string_view& last);
  void require_same_type(const FieldMapper& field, const Scalar& value);
  bool is_new(const FieldMapper& field) const;

  ReadScalar read_scalar(input::ondemand::value& value, std::string_view token);
  void skip(input::ondemand::value& value, int depth);
  void skip_object(input::ondemand::object& object, int depth);
  void check_key(uint32_t object, std::string_view key, uint64_t hash);
  static void check_depth(int depth);
  [[noreturn]] static void refuse_strict(const ObjectMapper& object, std::string_view name);
  size_t add_part(const ObjectMapper* nested, size_t parent);

  MappingTree& tree_;
  input::JsonCursor& cursor_;
  FieldValues values_;
  KeyGuard guard_;
  std::vector<BlockPart> parts_;
  size_t part_count_ = 0;
  std::vector<size_t> order_;
  NewMappers added_;
  GeoReading reading_;
  bool may_add_ = false;
};

}  // namespace postern::opensearch
