#include "input/json_changes.h"

#include <fmt/format.h>

#include <string>

#include "base/sortable_bits.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

std::variant<int64_t, std::string_view> doc_value_of(const FieldValue& value, DocValuesType type) {
  if (type == DocValuesType::kBinary) {
    if (value.kind == ValueKind::kTokens) throw BadValue("ready tokens are no doc value");
    return value.bytes;
  }
  if (value.kind == ValueKind::kFloat) return float_bits(static_cast<float>(value.number));
  return value.kind == ValueKind::kDouble ? double_bits(value.number) : value.integer;
}

}  // namespace

const SchemaField& JsonChanges::field_of(std::string_view name) {
  const SchemaField* const field = schema_.find(name);
  if (field == nullptr) throw BadValue("not in the schema", std::string(name));
  return *field;
}

void JsonChanges::read_term(ondemand::value& value) {
  const SchemaField* field = nullptr;
  size_t elements = 0;
  for (auto&& result : cursor_.take_array(value, "a term")) {
    auto element = taken<ondemand::value>(std::move(result));
    if (elements == 0) {
      if (!token_of(element).starts_with('"')) {
        throw BadValue("the field of a term must be a string");
      }
      field = &field_of(cursor_.take_text(element, "term"));
    } else if (elements == 1) {
      terms_.push_back({field->definition.name(), term_bytes(*field, element)});
    }
    ++elements;
  }
  if (elements != 2) throw BadValue("a term must be an array of a field and a value");
}

std::string_view JsonChanges::term_bytes(const SchemaField& field, ondemand::value& value) try {
  if (!field.definition.type().indexed()) {
    throw BadValue("the field has no terms, so no document could be found by one");
  }
  const std::string_view token = token_of(value);
  if (token.starts_with('"')) return cursor_.take_text(value, "term");
  if (token.starts_with('{')) return values_.take_base64(value);
  if (is_json_number(token) || token == "true" || token == "false") return token;
  throw BadValue(fmt::format("not the value of a term: {}", token));
} catch (const BadValue& e) {
  throw BadValue(e.what(), field.definition.name());
}

void JsonChanges::read_terms(ondemand::value& value) {
  for (auto&& result : cursor_.take_array(value, "\"terms\"")) {
    auto element = taken<ondemand::value>(std::move(result));
    read_term(element);
  }
}

void JsonChanges::read_query(ondemand::value& value) {
  const std::string_view query = cursor_.take_text(value, "query");
  if (query != "*:*") {
    throw BadValue(fmt::format("\"query\": {} is not known, only \"*:*\" is", quoted(query)));
  }
  everything_ = true;
}

void JsonChanges::read_update(std::string_view name, ondemand::value& value) {
  const SchemaField& field = field_of(name);
  const DocValuesType type = field.definition.type().doc_values;
  try {
    if (type != DocValuesType::kNumeric && type != DocValuesType::kBinary) {
      throw BadValue("only \"doc_values\": \"numeric\" and \"binary\" can be updated");
    }
    document_.clear();
    values_.add(document_, field, value);
    if (document_.values().size() != 1) {
      throw BadValue(fmt::format("an update takes one value, not {}", document_.values().size()));
    }
    updates_.push_back({field.definition.name(), doc_value_of(document_.values().front(), type)});
  } catch (const BadValue& e) {
    throw BadValue(e.what(), field.definition.name());
  }
}

void JsonChanges::read_updates(ondemand::value& value) {
  for (auto&& result : cursor_.take_object(value, "\"fields\"")) {
    auto field = taken<ondemand::field>(std::move(result));
    const std::string_view name = cursor_.key(field);
    read_update(name, field.value());
  }
}

}  // namespace postern::input
