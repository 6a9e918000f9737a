// What the deletes and updates of a JSON line name: terms, and new doc values (docs/schema.md,
// "JSON Lines").
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "input/json_cursor.h"
#include "input/json_values.h"
#include "input/schema.h"
#include "postern/document.h"
#include "postern/writer.h"

namespace postern::input {

// What it collects lives as long as the cursor's line and scratch. All reading throws BadValue.
class JsonChanges {
 public:
  JsonChanges(Schema& schema, JsonCursor& cursor, JsonValues& values)
      : schema_(schema), cursor_(cursor), values_(values) {}

  void clear() {
    terms_.clear();
    updates_.clear();
    everything_ = false;
  }
  std::span<const Term> terms() const { return terms_; }
  std::span<const DocValuesUpdate> updates() const { return updates_; }

  // The query was one for all documents.
  bool everything() const { return everything_; }

  // ["id", "17"]: the value is a string, a number or boolean as it is spelled, or bytes in base64.
  void read_term(ondemand::value& value);
  void read_terms(ondemand::value& value);
  // Only "*:*" is known.
  void read_query(ondemand::value& value);
  void read_update(std::string_view field, ondemand::value& value);
  // {"n": 5, "blob": "AA=="}
  void read_updates(ondemand::value& value);

 private:
  const SchemaField& field_of(std::string_view name);
  std::string_view term_bytes(const SchemaField& field, ondemand::value& value);

  Schema& schema_;
  JsonCursor& cursor_;
  JsonValues& values_;
  std::vector<Term> terms_;
  std::vector<DocValuesUpdate> updates_;
  bool everything_ = false;
  Document document_;  // of one value
};

}  // namespace postern::input
