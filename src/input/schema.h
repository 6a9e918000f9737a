// Which field each key or column becomes. The format is described in docs/schema.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "postern/document.h"
#include "postern/field_type.h"
#include "postern/index_sort.h"

namespace postern::input {

enum class FieldKind : uint8_t { kText, kKeyword, kBinary, kInt, kLong, kFloat, kDouble, kVector };

inline bool is_numeric(FieldKind kind) {
  return kind >= FieldKind::kInt && kind <= FieldKind::kDouble;
}
const char* kind_name(FieldKind kind);

// One concrete field. Its address is stable for the life of the schema.
struct SchemaField {
  SchemaField(std::string name, FieldKind field_kind, const FieldType& type,
              std::shared_ptr<const Analyzer> analyzer, uint32_t position_gap, uint32_t offset_gap)
      : definition(std::move(name), type, std::move(analyzer), position_gap, offset_gap),
        kind(field_kind) {}

  FieldDefinition definition;
  FieldKind kind;
};

// One entry of the schema: a field, or with one '*' in its name a pattern for many.
struct Declaration {
  std::string name;
  std::string source;  // column of line documents; the name unless told otherwise
  FieldKind kind = FieldKind::kText;
  FieldType type;
  std::shared_ptr<const Analyzer> analyzer;
  uint32_t position_increment_gap = 0;
  uint32_t offset_gap = 1;
};

// Declarations are fixed; fields of patterns come into being when first asked for. Thread-safe.
// Documents refer to its fields, so it must outlive every writer that has seen them.
class Schema {
 public:
  // Throws InvalidArgument for what is no schema, NotSupported for kinds of fields this version
  // cannot write; both name the field, the key and the value. `name` begins the messages.
  static std::unique_ptr<Schema> parse(std::string_view json, const std::string& name);
  // The same from a file; throws IoError also.
  static std::unique_ptr<Schema> load(const std::string& path);

  // The field of this name: an exact declaration, else the longest matching pattern; null if
  // nothing matches. Unpaired surrogates in a name become U+FFFD.
  const SchemaField* find(std::string_view name);

  const std::vector<Declaration>& declarations() const { return declarations_; }
  // What of the schema is the writer's: the members of the same names of WriterConfig.
  const IndexSort& index_sort() const { return index_sort_; }
  const std::string& parent_field() const { return parent_field_; }
  const std::string& soft_deletes_field() const { return soft_deletes_field_; }

 private:
  friend class SchemaParser;
  Schema() = default;
  const Declaration* match(std::string_view name) const;

  std::vector<Declaration> declarations_;
  IndexSort index_sort_;
  std::string parent_field_;
  std::string soft_deletes_field_;
  std::map<std::string, size_t, std::less<>> exact_;  // name -> index in declarations_
  std::vector<size_t> patterns_;                      // indexes, longest name first
  std::mutex mutex_;                                  // guards fields_
  std::map<std::string, SchemaField, std::less<>> fields_;
};

}  // namespace postern::input
