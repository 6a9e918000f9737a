#include "input/schema_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "input/json_tree.h"

namespace postern::input {

namespace {

constexpr size_t kDocuments = 1000;
constexpr size_t kFields = 1000;
constexpr size_t kLongestId = 256;  // bytes

bool is_id_name(std::string_view name) {
  if (name == "id" || name == "ID" || name == "Id" || name == "uuid" || name == "key") return true;
  for (const std::string_view end : {"_id", "-id", ".id", "Id", "_key", "_uuid"}) {
    if (name.size() > end.size() && name.ends_with(end)) return true;
  }
  return false;
}

// What was seen of one key.
struct Seen {
  bool text = false;     // strings that look like text
  bool words = false;    // short strings without white space
  bool scalars = false;  // numbers and booleans
  bool tokens = false;   // ready tokens
  bool bytes = false;    // {"base64": …}
};

std::string field_line(std::string_view name, std::string_view type, bool stored) {
  return fmt::format("{{\"name\": {}, \"type\": \"{}\"{}}}", json_quote(name), type,
                     stored ? ", \"store\": true" : "");
}

std::string schema_text(const std::vector<std::string>& fields) {
  return fmt::format("{{\"fields\": [\n  {}\n]}}\n", fmt::join(fields, ",\n  "));
}

class Sample {
 public:
  void add_line(std::string_view line) {
    JsonNode node;
    try {
      node = parse_json(line);
    } catch (const BadValue&) {
      return;
    }
    if (!node.is_object()) return;
    if (node.keys.empty() || node.keys.front() != "op") {
      add_document(node);
      return;
    }
    if (const JsonNode* document = node.find("doc")) add_document(*document);
    if (const JsonNode* block = node.find("docs")) {
      for (const JsonNode& document : block->items) add_document(document);
    }
  }

  bool is_full() const { return documents_ >= kDocuments; }

  std::string schema() const {
    std::vector<std::string> fields;
    for (const auto& [name, seen] : fields_)
      fields.push_back(field_line(name, type_of(name, seen), true));
    fields.push_back(field_line("*", "text", true));
    return schema_text(fields);
  }

 private:
  static const char* type_of(const std::string& name, const Seen& seen) {
    if (seen.tokens || seen.text) return "text";
    if (seen.bytes) return "keyword";
    if (seen.words) return is_id_name(name) ? "keyword" : "text";
    return seen.scalars ? "keyword" : "text";
  }

  void add_document(const JsonNode& document) {
    if (!document.is_object()) return;
    ++documents_;
    for (size_t i = 0; i < document.keys.size(); ++i) {
      const std::string& name = document.keys[i];
      // A name with a '*' would be a pattern; the last pattern takes it.
      if (name.find('*') != name.npos) continue;
      auto found = places_.find(name);
      if (found == places_.end()) {
        if (fields_.size() == kFields) continue;
        found = places_.emplace(name, fields_.size()).first;
        fields_.emplace_back(name, Seen());
      }
      look_at(fields_[found->second].second, document.items[i]);
    }
  }

  static void look_at(Seen& seen, const JsonNode& value) {
    switch (value.type) {
      case JsonNode::Type::kNull:
        break;
      case JsonNode::Type::kBoolean:
      case JsonNode::Type::kNumber:
        seen.scalars = true;
        break;
      case JsonNode::Type::kString: {
        const bool word = !value.text.empty() && value.text.size() <= kLongestId &&
                          value.text.find_first_of(" \t\r\n") == value.text.npos;
        (word ? seen.words : seen.text) = true;
        break;
      }
      case JsonNode::Type::kArray:
        for (const JsonNode& element : value.items) look_at(seen, element);
        break;
      case JsonNode::Type::kObject:
        if (value.find("tokens") != nullptr) seen.tokens = true;
        if (value.find("base64") != nullptr) seen.bytes = true;
    }
  }

  std::vector<std::pair<std::string, Seen>> fields_;  // in order of first appearance
  std::map<std::string, size_t> places_;
  size_t documents_ = 0;
};

}  // namespace

std::string infer_json_schema(std::string_view lines) {
  Sample sample;
  while (!lines.empty() && !sample.is_full()) {
    const size_t end = lines.find('\n');
    sample.add_line(lines.substr(0, end));
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
  }
  return sample.schema();
}

std::string line_documents_schema(std::span<const std::string> columns) {
  std::vector<std::string> fields;
  for (const std::string& column : columns) {
    // A second column of a name is never looked at, and a '*' would make a pattern of it.
    if (column.find('*') != column.npos) continue;
    const std::string line =
        field_line(column, column == "date" || is_id_name(column) ? "keyword" : "text", true);
    if (std::find(fields.begin(), fields.end(), line) == fields.end()) fields.push_back(line);
  }
  return schema_text(fields);
}

std::string folder_schema() {
  return schema_text({
      field_line("path", "keyword", true),
      field_line("title", "text", true),
      field_line("body", "text", false),
      R"({"name": "modified", "type": "long", "index": false, "store": true})",
      R"({"name": "size", "type": "long", "index": false, "store": true})",
  });
}

}  // namespace postern::input
