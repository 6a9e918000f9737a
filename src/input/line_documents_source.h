// Line documents: a document per line, its columns separated by TAB; the last one takes the rest of
// the line. Without a header line the columns are title, date and body.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/column_mapper.h"
#include "input/line_reader.h"
#include "input/line_splitter.h"
#include "input/source.h"

namespace postern::input {

class LineDocumentsSource : public Source {
 public:
  LineDocumentsSource(std::string name, std::unique_ptr<ByteSource> bytes,
                      const SourceOptions& options);

  std::string infer_schema() override;
  void use_schema(Schema& schema) override;
  // For a LineSplitter of such an input, from its beginning.
  static std::function<LineRole(std::string_view)> line_role();
  // The columns, for the other parts of a shared input (SourceOptions::columns).
  const std::vector<std::string>& columns();
  Event next() override;
  uint64_t bytes_taken() const override { return lines_.bytes_taken(); }
  uint64_t text_bytes() const override { return lines_.text_bytes(); }

 private:
  static constexpr std::string_view kHeader = "FIELDS_HEADER_INDICATOR###";

  void find_columns();
  void read(std::string_view text);

  LineReader lines_;
  std::vector<std::string> columns_;
  std::optional<ColumnMapper> mapper_;
  std::vector<std::string_view> values_;
  Document document_;
  bool first_ = true;
  uint64_t first_document_;
  uint64_t number_;  // of the next line's document
};

}  // namespace postern::input
