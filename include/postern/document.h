// A document: values of fields, in the order in which they were added. Reused between documents
// with clear(), after which adding allocates nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "postern/analyzer.h"
#include "postern/field_type.h"

namespace postern {

enum class ValueKind : uint8_t {
  kText,
  kBytes,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kTokens,
  kFloatVector,
  kByteVector
};

// One value of one field. It carries every aspect its field's type asks for: inverted, stored, doc
// value, point. A vector is the only aspect of its field.
struct FieldValue {
  const FieldDefinition* field = nullptr;
  ValueKind kind = ValueKind::kText;
  std::string_view bytes{};           // kText (UTF-8), kBytes, kTokens (the stored text); the
                                      // components of kFloatVector and kByteVector
  int64_t integer = 0;                // kInt, kLong
  double number = 0;                  // kFloat (exactly representable as float), kDouble
  const TokenList* tokens = nullptr;  // kTokens
};

// Holds views: texts, bytes, vectors, token lists and field definitions must stay alive until the
// writer's add_document has returned.
class Document {
 public:
  void clear() { values_.clear(); }
  bool empty() const { return values_.empty(); }
  std::span<const FieldValue> values() const { return values_; }

  void add(const FieldValue& value) { values_.push_back(value); }
  void add_text(const FieldDefinition& field, std::string_view utf8) {
    values_.push_back({.field = &field, .kind = ValueKind::kText, .bytes = utf8});
  }
  void add_bytes(const FieldDefinition& field, std::string_view bytes) {
    values_.push_back({.field = &field, .kind = ValueKind::kBytes, .bytes = bytes});
  }
  void add_int(const FieldDefinition& field, int32_t value) {
    values_.push_back({.field = &field, .kind = ValueKind::kInt, .integer = value});
  }
  void add_long(const FieldDefinition& field, int64_t value) {
    values_.push_back({.field = &field, .kind = ValueKind::kLong, .integer = value});
  }
  void add_float(const FieldDefinition& field, float value) {
    values_.push_back({.field = &field, .kind = ValueKind::kFloat, .number = value});
  }
  void add_double(const FieldDefinition& field, double value) {
    values_.push_back({.field = &field, .kind = ValueKind::kDouble, .number = value});
  }
  // A vector has as many components as the field's type says, all of them finite; a document has at
  // most one of a field.
  void add_vector(const FieldDefinition& field, std::span<const float> components) {
    values_.push_back(
        {.field = &field,
         .kind = ValueKind::kFloatVector,
         .bytes = {reinterpret_cast<const char*>(components.data()), components.size_bytes()}});
  }
  void add_vector(const FieldDefinition& field, std::span<const int8_t> components) {
    values_.push_back(
        {.field = &field,
         .kind = ValueKind::kByteVector,
         .bytes = {reinterpret_cast<const char*>(components.data()), components.size()}});
  }
  // `stored` is the text to store, if the field is stored.
  void add_tokens(const FieldDefinition& field, const TokenList& tokens,
                  std::string_view stored = {}) {
    values_.push_back(
        {.field = &field, .kind = ValueKind::kTokens, .bytes = stored, .tokens = &tokens});
  }

 private:
  std::vector<FieldValue> values_;
};

}  // namespace postern
