#include "input/json_documents.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "input/json_changes.h"
#include "input/json_cursor.h"
#include "input/json_operation.h"
#include "input/json_values.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

constexpr size_t kUsualLine = size_t{64} << 10;
constexpr size_t kGiantLine = size_t{32} << 20;

const char* reason_of(simdjson::error_code error) {
  switch (error) {
    case simdjson::UNESCAPED_CHARS:
      return "control character in a string";
    case simdjson::UNCLOSED_STRING:
      return "a string without end";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "it ends too early";
    case simdjson::MEMALLOC:
      return "not enough memory";
    default:
      return "a comma, colon, bracket, key or value is not where it should be";
  }
}

}  // namespace

class JsonDocuments::Parser {
 public:
  explicit Parser(JsonDocuments& owner)
      : owner_(owner),
        cursor_(owner.scratch_),
        values_(cursor_),
        changes_(owner.schema_, cursor_, values_) {}

  const JsonChanges& changes() const { return changes_; }

  Event parse(std::string_view line) {
    cursor_.start(line);
    values_.clear();
    changes_.clear();
    prepare(line.size());
    ondemand::document document;
    if (const auto error =
            parser_->iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING)
                .get(document)) {
      fail(error, nullptr);
    }
    ondemand::object root;
    if (const auto error = document.get_object().get(root)) {
      if (error == simdjson::INCORRECT_TYPE) throw BadValue("a line must be a JSON object");
      fail(error, &document);
    }
    Event event = Event::kDocuments;
    try {
      event = read_line(root);
    } catch (const simdjson::simdjson_error& e) {
      fail(e.error(), &document);
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      cursor_.malformed("text behind the object", nullptr);
    }
    return event;
  }

 private:
  // simdjson's indexes take 4 bytes per byte of the longest line; what a giant line needed is
  // freed with the next usual one.
  void prepare(size_t length) {
    if (!parser_ || (capacity_ > kGiantLine && length <= kUsualLine)) {
      parser_.emplace();
      capacity_ = 0;
    }
    if (length <= capacity_) return;
    capacity_ = std::max(kUsualLine, std::bit_ceil(length));
    if (parser_->allocate(capacity_) != simdjson::SUCCESS) {
      parser_.reset();
      throw BadValue(fmt::format("not enough memory to read a line of {} bytes", length));
    }
  }

  [[noreturn]] void fail(simdjson::error_code error, ondemand::document* document) const {
    if (error == simdjson::UTF8_ERROR) {
      throw BadValue(
          fmt::format("not valid UTF-8 at byte {}", find_invalid_utf8(cursor_.line()) + 1));
    }
    const char* where = nullptr;
    // A line that ends too early has no place worth naming.
    if (document != nullptr && error != simdjson::INCOMPLETE_ARRAY_OR_OBJECT) {
      auto location = document->current_location();
      if (location.error() == simdjson::SUCCESS) where = location.value_unsafe();
    }
    cursor_.malformed(reason_of(error), where);
  }

  Event read_line(ondemand::object& root) {
    JsonOperation operation;
    Document* document = nullptr;
    size_t ordinal = 0;
    for (auto&& result : root) {
      auto field = taken<ondemand::field>(std::move(result));
      const std::string_view key = cursor_.spelled_key(field);
      if (ordinal == 0 && unescape(key, cursor_.scratch()) == "op") {
        operation = JsonOperation(cursor_.take_string(field.value(), "op"));
        target_.reset();
      } else if (operation.known()) {
        read_operand(operation.take_key(unescape(key, cursor_.scratch())), field.value());
      } else {
        if (ordinal == 0) document = &owner_.next_document();
        add_key(*document, key, ordinal, field.value());
      }
      ++ordinal;
    }
    if (ordinal == 0) owner_.next_document();
    operation.check_complete();
    if (operation.event() == Event::kUpdateDocValues && changes_.updates().empty() && target_) {
      read_value_before_field(root);
    }
    return operation.event() == Event::kDelete && changes_.everything() ? Event::kDeleteAll
                                                                        : operation.event();
  }

  void read_operand(JsonOperation::Operand operand, ondemand::value& value) {
    switch (operand) {
      case JsonOperation::kDoc:
        return read_document(value, "\"doc\"");
      case JsonOperation::kDocs:
        return read_block(value);
      case JsonOperation::kTerm:
        return changes_.read_term(value);
      case JsonOperation::kTerms:
        return changes_.read_terms(value);
      case JsonOperation::kQuery:
        return changes_.read_query(value);
      case JsonOperation::kField:
        target_ = cursor_.take_string(value, "field");
        return;
      case JsonOperation::kFields:
        return changes_.read_updates(value);
      case JsonOperation::kValue:
        if (target_) changes_.read_update(*target_, value);
        return;
      default:
        read_user_data(value);
    }
  }

  // A value is read as its field asks.
  void read_value_before_field(ondemand::object& root) {
    check(root.reset().error());
    for (auto&& result : root) {
      auto field = taken<ondemand::field>(std::move(result));
      if (cursor_.key(field) == "value") changes_.read_update(*target_, field.value());
    }
  }

  void read_document(ondemand::value& value, std::string_view what) {
    ondemand::object object = cursor_.take_object(value, what);
    Document& document = owner_.next_document();
    size_t ordinal = 0;
    for (auto&& result : object) {
      auto field = taken<ondemand::field>(std::move(result));
      add_key(document, cursor_.spelled_key(field), ordinal++, field.value());
    }
  }

  void read_block(ondemand::value& value) {
    owner_.is_block_ = true;
    ondemand::array array = cursor_.take_array(value, "\"docs\"");
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      read_document(element, "a document");
    }
  }

  void read_user_data(ondemand::value& value) {
    ondemand::object object = cursor_.take_object(value, "\"user_data\"");
    for (auto&& result : object) {
      auto field = taken<ondemand::field>(std::move(result));
      std::string key(without_surrogates(cursor_.key(field), cursor_.scratch()));
      const std::string_view token = token_of(field.value());
      if (token.starts_with('"')) {
        owner_.user_data_[std::move(key)] = cursor_.take_text(field.value(), "user_data");
      } else if (is_json_number(token) || token == "true" || token == "false" || token == "null") {
        owner_.user_data_[std::move(key)] = token;
      } else {
        throw BadValue("\"user_data\" takes strings, numbers and booleans", std::move(key));
      }
    }
  }

  void add_key(Document& document, std::string_view key, size_t ordinal, ondemand::value& value) {
    const SchemaField& field = owner_.field_of(key, ordinal);
    try {
      values_.add(document, field, value);
    } catch (const BadValue& e) {
      throw BadValue(e.what(), field.definition.name());
    }
  }

  JsonDocuments& owner_;
  JsonCursor cursor_;
  JsonValues values_;
  JsonChanges changes_;
  std::optional<std::string_view> target_;  // "field"
  std::optional<ondemand::parser> parser_;
  size_t capacity_ = 0;  // of parser_, bytes of a line
};

JsonDocuments::JsonDocuments(Schema& schema)
    : schema_(schema), parser_(std::make_unique<Parser>(*this)) {}

JsonDocuments::~JsonDocuments() = default;

std::span<const Term> JsonDocuments::terms() const { return parser_->changes().terms(); }

std::span<const DocValuesUpdate> JsonDocuments::doc_values() const {
  return parser_->changes().updates();
}

Event JsonDocuments::parse(std::string_view line) {
  scratch_.clear();
  count_ = 0;
  is_block_ = false;
  user_data_.clear();
  return parser_->parse(line);
}

Document& JsonDocuments::next_document() {
  if (count_ == documents_.size()) documents_.emplace_back();
  Document& document = documents_[count_++];
  document.clear();
  return document;
}

const SchemaField& JsonDocuments::field_of(std::string_view key, size_t ordinal) {
  if (ordinal < expected_.size() && expected_[ordinal]->key == key) {
    return *expected_[ordinal]->field;
  }
  auto found = known_.find(key);
  if (found == known_.end()) {
    const std::string_view name = unescape(key, scratch_);
    const SchemaField* field = schema_.find(name);
    if (field == nullptr) throw BadValue("not in the schema", std::string(name));
    // Not remembered: one name has endless spellings with escapes.
    if (name.data() != key.data()) return *field;
    auto known = std::make_unique<Known>(Known{std::string(key), field});
    const std::string_view stable = known->key;
    found = known_.emplace(stable, std::move(known)).first;
  }
  constexpr size_t kMostExpected = 1024;
  if (ordinal < expected_.size()) {
    expected_[ordinal] = found->second.get();
  } else if (ordinal == expected_.size() && ordinal < kMostExpected) {
    expected_.push_back(found->second.get());
  }
  return *found->second->field;
}

}  // namespace postern::input
