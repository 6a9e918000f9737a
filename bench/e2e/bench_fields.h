// The fields of Lucene's own benchmark (docs/formats/04 §2.2), in four choices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "line_documents.h"
#include "postern/document.h"

namespace postern::bench {

// | choice | fields |
// |---|---|
// | base | what the benchmark indexes by default: text, terms, two points |
// | columns | base, with all doc values, skip indexes and points that it can switch on |
// | points | the four points of columns alone |
// | doc_values | the columns of columns alone |
enum class FieldChoice { kBase, kColumns, kPoints, kDocValues };

// By the names in the table.
std::optional<FieldChoice> field_choice(std::string_view name);

// Fills documents with the fields of a choice. Lives as long as the writer that gets them; shared
// by its threads.
class BenchFields {
 public:
  explicit BenchFields(FieldChoice choice);

  // The number in base 36.
  using IdText = std::array<char, 6>;

  // `document` refers to `line`, `id` and members until it is cleared. The body is added `bodies`
  // times.
  void fill(const Line& line, uint64_t number, int bodies, IdText& id, Document& document) const;

 private:
  bool has_text() const {
    return choice_ == FieldChoice::kBase || choice_ == FieldChoice::kColumns;
  }
  void add_columns(const Line& line, uint64_t number, Document& document) const;

  FieldChoice choice_;
  FieldDefinition title_, title_bytes_, last_mod_, month_, day_of_year_, id_number_;
  FieldDefinition last_mod_skipper_, day_of_year_skipper_, month_skipper_, title_skipper_;
  FieldDefinition title_tokenized_, body_, id_, id_point_, date_, second_;
};

}  // namespace postern::bench
