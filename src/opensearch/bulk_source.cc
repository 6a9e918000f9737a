#include "opensearch/bulk_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "input/json_tree.h"
#include "opensearch/bulk_json.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

using input::LineRole;

constexpr std::string_view kSpace = " \t\r";

// A document is kept byte for byte; only the end of its line is not part of it.
std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view line) {
  const size_t from = line.find_first_not_of(kSpace);
  if (from == line.npos) return {};
  return line.substr(from, line.find_last_not_of(kSpace) - from + 1);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_action(const input::JsonNode& node) {
  if (!node.is_object() || node.keys.size() != 1 || !node.items.front().is_object() ||
      !is_one_of(node.keys.front(), {"index", "create", "update", "delete"})) {
    return false;
  }
  const std::vector<std::string>& keys = node.items.front().keys;
  return std::all_of(keys.begin(), keys.end(), [](const std::string& key) {
    return is_one_of(
        key, {"_index", "_id", "_type", "routing", "_routing", "version", "version_type",
              "if_seq_no", "if_primary_term", "pipeline", "require_alias", "retry_on_conflict",
              "op_type", "parent", "_source", "dynamic_templates"});
  });
}

// Whether the first key of an object may be that of an action; most documents are told by it.
bool may_be_action(std::string_view line) {
  std::string_view rest = trimmed(line);
  if (!rest.starts_with('{')) return false;
  rest = trimmed(rest.substr(1));
  if (!rest.starts_with('"')) return false;
  const std::string_view key = rest.substr(1, rest.find('"', 1) - 1);
  return is_one_of(key, {"index", "create", "update", "delete"}) || key.find('\\') != key.npos;
}

bool looks_like_action(std::string_view line) {
  if (!may_be_action(line)) return false;
  try {
    return is_action(input::parse_json(line));
  } catch (const input::BadValue&) {
    return false;
  }
}

}  // namespace

InputFormat format_of(std::string_view line) {
  if (trimmed(line).empty()) return InputFormat::kUnknown;
  return looks_like_action(line) ? InputFormat::kBulk : InputFormat::kJsonLines;
}

// Only a delete stands alone. The same bytes decide in the splitter and in the reader, and no more
// than the first of them are looked at.
LineRole bulk_line_role(std::string_view line) {
  std::string_view rest = line;
  const auto skip_space = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  };
  skip_space();
  if (rest.empty()) return LineRole::kBlank;
  if (!rest.starts_with('{')) return LineRole::kWithNext;
  rest.remove_prefix(1);
  skip_space();
  return rest.starts_with("\"delete\"") ? LineRole::kDocument : LineRole::kWithNext;
}

LineRole document_line_role(std::string_view line) {
  return line.find_first_not_of(kSpace) == line.npos ? LineRole::kBlank : LineRole::kDocument;
}

class BulkSource::Reader {
 public:
  BulkJson json;
  std::string id;
  std::string routing;
};

BulkSource::BulkSource(std::string name, std::unique_ptr<input::ByteSource> part,
                       BulkOptions options, size_t longest_line)
    : options_(std::move(options)),
      lines_(std::move(part), longest_line),
      reader_(std::make_unique<Reader>()) {
  place_.file = std::move(name);
}

BulkSource::~BulkSource() = default;

void BulkSource::refuse(const std::string& reason, std::optional<std::string> field) const {
  throw input::RefusedInput(place_, std::move(field), reason);
}

void BulkSource::give_up(const std::string& reason) const {
  throw InvalidArgument(fmt::format("{}: {}", input::describe(place_), reason));
}

std::optional<BulkDocument> BulkSource::next() {
  while (const std::optional<input::Line> line = lines_.next()) {
    place_.line = line->number;
    const bool bulk = options_.format == InputFormat::kBulk;
    if (line->too_long && !bulk) {
      refuse(fmt::format("the line is longer than {} bytes", lines_.longest()));
    }
    if (line->too_long) {
      give_up(fmt::format("the action is longer than {} bytes", lines_.longest()));
    }
    if (trimmed(line->text).empty()) continue;
    return bulk ? take_pair(line->text) : take_line(line->text);
  }
  return std::nullopt;
}

BulkDocument BulkSource::take_pair(std::string_view action_text) {
  const bool alone = bulk_line_role(action_text) != LineRole::kWithNext;
  const ActionLine* action = nullptr;
  try {
    action = &reader_->json.read_action(action_text);
  } catch (const input::BadValue& e) {
    give_up(fmt::format("not a _bulk action: {}", e.what()));
  }
  if (alone) refuse(action->refused);
  // The action's texts are copies: the line goes away with the next one.
  const std::optional<input::Line> line = lines_.next();
  if (!line) refuse("the action's document is missing");
  if (!action->refused.empty()) refuse(action->refused);
  if (action->has_index && !options_.any_index && action->index != options_.index) {
    refuse(fmt::format("the action is for the index {}, not {}", input::quoted(action->index),
                       input::quoted(options_.index)));
  }
  if (action->has_id && action->id.empty()) refuse("the id is empty");
  if (line->too_long) {
    refuse(fmt::format("the document is longer than {} bytes", lines_.longest()));
  }
  return {.id = action->id,
          .routing = action->routing,
          .has_routing = action->has_routing,
          .create = action->action == BulkAction::kCreate,
          .source = without_line_end(line->text)};
}

BulkDocument BulkSource::take_line(std::string_view text) {
  if (options_.guessed && looks_like_action(text)) {
    refuse("this looks like a _bulk action among documents; --input-format says what the input is");
  }
  BulkDocument document;
  document.source = without_line_end(text);
  const auto find = [&](const std::string& path, std::string& found) {
    try {
      return !path.empty() && reader_->json.find(text, path, found);
    } catch (const input::BadValue& e) {
      refuse(e.what());
    }
  };
  if (find(options_.id_field, reader_->id)) {
    document.id = reader_->id;
    if (document.id.empty()) refuse("the id is empty", options_.id_field);
  } else if (!options_.id_field.empty()) {
    refuse("the document has no id", options_.id_field);
  }
  if (find(options_.routing_field, reader_->routing)) {
    document.routing = reader_->routing;
    document.has_routing = !document.routing.empty();
  }
  return document;
}

}  // namespace postern::opensearch
