#include "bench_fields.h"

#include <memory>

#include "postern/analyzer.h"

namespace postern::bench {
namespace {

FieldType text(bool stored) {
  FieldType type;
  type.index_options = IndexOptions::kPositions;
  type.stored = stored;
  return type;
}

FieldType term(bool stored) {
  FieldType type;
  type.index_options = IndexOptions::kDocs;
  type.tokenized = false;
  type.omit_norms = true;
  type.stored = stored;
  return type;
}

FieldType point(uint8_t bytes) {
  FieldType type;
  type.point_dimensions = 1;
  type.point_index_dimensions = 1;
  type.point_bytes = bytes;
  return type;
}

FieldType column(DocValuesType doc_values, bool skip_index = false) {
  FieldType type;
  type.doc_values = doc_values;
  type.doc_values_skip_index = skip_index;
  return type;
}

// What of a field with a term or point and doc values a choice keeps.
FieldType both(FieldChoice choice, FieldType type, DocValuesType doc_values) {
  if (choice == FieldChoice::kDocValues) return column(doc_values);
  if (choice == FieldChoice::kColumns) type.doc_values = doc_values;
  return type;
}

}  // namespace

std::optional<FieldChoice> field_choice(std::string_view name) {
  if (name == "base") return FieldChoice::kBase;
  if (name == "columns") return FieldChoice::kColumns;
  if (name == "points") return FieldChoice::kPoints;
  if (name == "doc_values") return FieldChoice::kDocValues;
  return std::nullopt;
}

BenchFields::BenchFields(FieldChoice choice)
    : choice_(choice),
      title_("title", both(choice, term(false), DocValuesType::kSortedSet)),
      title_bytes_("titleBDV", column(DocValuesType::kBinary)),
      last_mod_("lastMod", both(choice, point(8), DocValuesType::kSortedNumeric)),
      month_("month", both(choice, term(false), DocValuesType::kSortedSet)),
      day_of_year_("dayOfYear", both(choice, point(4), DocValuesType::kSortedNumeric)),
      id_number_("id", column(DocValuesType::kNumeric)),
      last_mod_skipper_("lastMod_skipper", column(DocValuesType::kNumeric, true)),
      day_of_year_skipper_("dayOfYear_skipper", column(DocValuesType::kNumeric, true)),
      month_skipper_("month_skipper", column(DocValuesType::kSorted, true)),
      title_skipper_("title_skipper", column(DocValuesType::kSorted, true)),
      title_tokenized_("titleTokenized", text(true), standard_analyzer()),
      body_("body", text(false), standard_analyzer()),
      id_("id", term(true)),
      id_point_("id", point(4)),
      date_("date", term(true)),
      second_("timesecnum", point(4)) {}

void BenchFields::add_columns(const Line& line, uint64_t number, Document& document) const {
  document.add_text(title_bytes_, line.title);
  document.add_long(last_mod_, line.milliseconds);
  document.add_text(month_, line.month);
  document.add_int(day_of_year_, line.day_of_year);
  document.add_long(id_number_, static_cast<int64_t>(number));
  document.add_long(last_mod_skipper_, line.milliseconds);
  document.add_long(day_of_year_skipper_, line.day_of_year);
  document.add_text(month_skipper_, line.month);
  document.add_text(title_skipper_, line.title);
}

void BenchFields::fill(const Line& line, uint64_t number, int bodies, IdText& id,
                       Document& document) const {
  document.clear();
  if (choice_ == FieldChoice::kPoints) {
    document.add_long(last_mod_, line.milliseconds);
    document.add_int(day_of_year_, line.day_of_year);
  } else {
    document.add_text(title_, line.title);
  }
  if (choice_ == FieldChoice::kColumns || choice_ == FieldChoice::kDocValues)
    add_columns(line, number, document);
  if (choice_ == FieldChoice::kDocValues) return;
  if (has_text()) {
    document.add_text(title_tokenized_, line.title);
    for (int i = 0; i < bodies; ++i) document.add_text(body_, line.body);
    uint64_t rest = number;
    for (size_t i = id.size(); i > 0; --i, rest /= 36)
      id[i - 1] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % 36];
    document.add_text(id_, {id.data(), id.size()});
  }
  document.add_int(id_point_, static_cast<int32_t>(number));
  if (has_text()) document.add_text(date_, line.date);
  document.add_int(second_, line.second_of_day);
}

}  // namespace postern::bench
