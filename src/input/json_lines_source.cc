#include "input/json_lines_source.h"

#include <fmt/format.h>

#include "input/schema_inference.h"

namespace postern::input {

JsonLinesSource::JsonLinesSource(std::string name, std::unique_ptr<ByteSource> bytes,
                                 const SourceOptions& options)
    : lines_(std::move(bytes), options.longest_line, options.block) {
  next_document_ = options.first_document;
  place_.file = std::move(name);
}

std::string JsonLinesSource::infer_schema() { return infer_json_schema(lines_.peek()); }

Event JsonLinesSource::next() {
  documents_ = {};
  is_block_ = false;
  terms_ = {};
  doc_values_ = {};
  while (const std::optional<Line> line = lines_.next()) {
    place_.line = line->number;
    place_.document = next_document_;
    if (line->too_long) {
      ++next_document_;
      throw RefusedInput(place_, std::nullopt,
                         fmt::format("the line is longer than {} bytes", lines_.longest()));
    }
    if (line->text.find_first_not_of(" \t\r") == line->text.npos) continue;
    try {
      const Event event = reader_->parse(line->text);
      documents_ = reader_->documents();
      is_block_ = reader_->is_block();
      terms_ = reader_->terms();
      doc_values_ = reader_->doc_values();
      next_document_ += documents_.size();
      if (event == Event::kCommit) user_data_ = reader_->take_user_data();
      return event;
    } catch (const BadValue& e) {
      ++next_document_;
      throw RefusedInput(place_, e.field(), e.what());
    }
  }
  return Event::kEnd;
}

}  // namespace postern::input
