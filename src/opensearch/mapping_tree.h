// What a mapping consists of: objects, and the fields in them. Readers take no lock: a field, once
// reachable, never changes or moves, and an object's table of children is replaced as a whole.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/json_tree.h"
#include "opensearch/date_format.h"
#include "opensearch/geo_point.h"
#include "opensearch/name_hash.h"
#include "opensearch/number_value.h"
#include "postern/field_type.h"

namespace postern::opensearch {

enum class FieldKind : uint8_t {
  kText,
  kKeyword,
  kNumber,
  kBoolean,
  kDate,
  kIp,
  kGeoPoint,
  kAlias  // a second name for searches; takes no values
};

enum class Dynamic : uint8_t { kTrue, kFalse, kStrict };

// A JSON value that is neither object nor array, as it is spelled: the text of a string (WTF-8,
// escapes resolved), a number's or boolean's spelling.
struct Scalar {
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString };
  Kind kind = Kind::kNull;
  std::string_view text;
};

// A field that takes values: of an object, or a multi-field of another field.
struct FieldMapper {
  std::string path;  // "author.name"; a multi-field's is "title.raw"
  std::string type;  // as mappings have it: "half_float"
  FieldKind kind = FieldKind::kText;
  NumberType number = NumberType::kLong;

  // What a value becomes. Aspects that one FieldValue can carry share a definition: `main` has what
  // is searched, and for texts, keywords, addresses, dates and most numbers everything. Null: the
  // field has no such aspect, or another definition has it.
  std::unique_ptr<FieldDefinition> main;
  std::unique_ptr<FieldDefinition> column;  // doc values
  std::unique_ptr<FieldDefinition> stored;
  bool in_field_names = false;  // its documents are found by a term of _field_names

  bool coerce = true;
  bool ignore_malformed = false;
  bool ignore_z_value = true;
  bool one_term = false;               // a value is one term: limited in length
  uint32_t ignore_above = UINT32_MAX;  // UTF-16 units
  std::optional<DateFormat> format;
  DateResolution resolution = DateResolution::kMilliseconds;

  Scalar null_value;  // kNull: none
  std::string null_text;
  std::optional<GeoPoint> null_point;

  std::vector<std::unique_ptr<FieldMapper>> fields;
  std::vector<std::string> copy_to;  // full paths

  input::JsonNode parameters;  // what stands in the mapping, multi-fields included

  std::string_view name() const;
};

struct ObjectMapper;

// One of the two.
struct Mapper {
  ObjectMapper* object = nullptr;
  FieldMapper* field = nullptr;

  explicit operator bool() const { return object != nullptr || field != nullptr; }
  std::string_view name() const;
};

// The children of an object by name. Immutable once published.
class Children {
 public:
  Children() = default;
  Children(const Children& base, const std::vector<Mapper>& more);

  // `hash` = hash_name(name).
  Mapper find(std::string_view name, uint64_t hash) const;
  const std::vector<Mapper>& all() const { return all_; }

 private:
  std::vector<Mapper> all_;
  std::vector<std::string_view> names_;  // of all_
  std::vector<uint32_t> slots_;          // index + 1, 0: free; a power of two, at most half full
};

struct ObjectMapper {
  std::string path;  // empty: the root
  bool enabled = true;
  bool nested = false;
  bool include_in_parent = false;
  bool include_in_root = false;
  Dynamic dynamic = Dynamic::kTrue;  // its own, or what it inherits
  bool strict_itself = false;        // its own is kStrict
  input::JsonNode parameters;        // without "properties"

  std::string_view name() const;
  Mapper child(std::string_view name, uint64_t hash) const {
    return children.load(std::memory_order_acquire)->find(name, hash);
  }

  std::atomic<const Children*> children;
  ObjectMapper();
};

// Settings of an index that bound its mapping (index.mapping.*.limit).
struct MappingLimits {
  uint64_t total_fields = 1000;
  uint64_t depth = 20;
  uint64_t nested_fields = 50;
  uint64_t nested_objects = 10000;
  uint64_t name_length = UINT64_MAX;  // characters of a name
};

// Fields of OpenSearch's own.
struct MetadataFields {
  FieldDefinition id, nested_id, routing, ignored, source, nested_path, version, sequence_number,
      primary_term, field_names;
  MetadataFields();
};

// Mappers that are not part of a mapping yet, and where they will be.
struct NewMappers {
  std::vector<std::unique_ptr<ObjectMapper>> objects;
  std::vector<std::unique_ptr<FieldMapper>> fields;
  std::vector<std::pair<ObjectMapper*, Mapper>> places;  // objects of the mapping or of `objects`

  void clear() {
    places.clear();
    fields.clear();
    objects.clear();
  }
  Mapper find(const ObjectMapper* parent, std::string_view name) const;
};

class MappingTree {
 public:
  ObjectMapper root;
  bool date_detection = true;
  bool numeric_detection = false;
  std::vector<DateFormat> date_formats;  // of dynamic fields
  bool coerce = true;                    // of fields that do not say
  bool ignore_malformed = false;
  bool routing_required = false;
  bool field_names = true;
  MappingLimits limits;
  MetadataFields metadata;
  std::vector<std::pair<std::string, std::string>> index_settings;
  std::vector<std::string> passed_over;

  // Makes the mappers part of the tree.
  void publish(NewMappers&& mappers);
  // Throws InvalidArgument if the tree would pass a limit with the new mappers.
  void check_limits(const NewMappers& mappers) const;

  // By full path; multi-fields are not found.
  Mapper find(std::string_view path);

  std::mutex& mutex() const { return mutex_; }

 private:
  mutable std::mutex mutex_;  // guards what follows, and every change of a children table
  uint64_t total_fields_ = 0;
  uint64_t nested_fields_ = 0;
  std::vector<std::unique_ptr<ObjectMapper>> objects_;
  std::vector<std::unique_ptr<FieldMapper>> fields_;
  std::vector<std::unique_ptr<const Children>> tables_;  // old ones too: readers may hold them
};

}  // namespace postern::opensearch
