#include "input/line_documents_source.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <utility>

#include "input/schema_inference.h"
#include "input/text_values.h"

namespace postern::input {

LineDocumentsSource::LineDocumentsSource(std::string name, std::unique_ptr<ByteSource> bytes,
                                         const SourceOptions& options)
    : lines_(std::move(bytes), options.longest_line, options.block),
      columns_(options.columns),
      first_(columns_.empty()),
      first_document_(options.first_document),
      number_(options.first_document) {
  next_document_ = options.first_document;
  place_.file = std::move(name);
}

void LineDocumentsSource::find_columns() {
  if (!columns_.empty()) return;
  columns_ = {"title", "date", "body"};
  std::string_view head = lines_.peek();
  while (head.starts_with('\n')) head.remove_prefix(1);
  head = head.substr(0, head.find('\n'));
  if (!head.starts_with(kHeader)) return;
  columns_.clear();
  for (size_t tab = head.find('\t'); tab != head.npos;) {
    const size_t next = head.find('\t', tab + 1);
    columns_.emplace_back(head.substr(tab + 1, next == head.npos ? next : next - tab - 1));
    tab = next;
  }
  // As Java splits: nothing follows a trailing separator.
  while (!columns_.empty() && columns_.back().empty()) columns_.pop_back();
  if (columns_.empty()) {
    throw InvalidArgument(fmt::format("{}: its header line names no columns", place_.file));
  }
}

std::function<LineRole(std::string_view)> LineDocumentsSource::line_role() {
  return [first = true](std::string_view line) mutable {
    if (line.empty()) return LineRole::kBlank;
    return std::exchange(first, false) && line.starts_with(kHeader) ? LineRole::kBlank
                                                                    : LineRole::kDocument;
  };
}

const std::vector<std::string>& LineDocumentsSource::columns() {
  find_columns();
  return columns_;
}

std::string LineDocumentsSource::infer_schema() {
  find_columns();
  return line_documents_schema(columns_);
}

void LineDocumentsSource::use_schema(Schema& schema) {
  find_columns();
  mapper_.emplace(schema, columns_, place_.file);
}

void LineDocumentsSource::read(std::string_view text) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    throw BadValue(fmt::format("not valid UTF-8 at byte {}", find_invalid_utf8(text) + 1));
  }
  values_.clear();
  while (values_.size() + 1 < columns_.size()) {
    const size_t tab = text.find('\t');
    if (tab == text.npos) break;
    values_.push_back(text.substr(0, tab));
    text.remove_prefix(tab + 1);
  }
  values_.push_back(text);
  document_.clear();
  mapper_->fill(document_, values_, place_.document);
}

Event LineDocumentsSource::next() {
  documents_ = {};
  while (const std::optional<Line> line = lines_.next()) {
    if (lines_.piece_documents()) number_ = first_document_ + *lines_.piece_documents();
    if (line->text.empty() && !line->too_long) continue;
    const bool header = first_ && line->text.starts_with(kHeader);
    first_ = false;
    if (header) continue;
    place_.line = line->number;
    place_.document = number_++;
    ++next_document_;
    if (line->too_long) {
      throw RefusedInput(place_, std::nullopt,
                         fmt::format("the line is longer than {} bytes", lines_.longest()));
    }
    try {
      read(line->text);
    } catch (const BadValue& e) {
      throw RefusedInput(place_, e.field(), e.what());
    }
    documents_ = {&document_, 1};
    return Event::kDocuments;
  }
  return Event::kEnd;
}

}  // namespace postern::input
