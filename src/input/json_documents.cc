#include "input/json_documents.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <bit>
#include <cstring>
#include <optional>

#include "base/utf8.h"
#include "input/spelled_value.h"
#include "input/text_values.h"

namespace postern::input {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr size_t kUsualLine = size_t{1} << 20;
constexpr size_t kGiantLine = size_t{32} << 20;
constexpr size_t kManyTokens = size_t{1} << 16;

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

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The keys of one object among those it may hold; each at most once.
class SeenKeys {
 public:
  SeenKeys(std::span<const std::string_view> keys, std::string_view where)
      : keys_(keys), where_(where) {}

  // Its index among the keys.
  size_t take(std::string_view key) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] != key) continue;
      if (has(i)) throw BadValue(fmt::format("repeated key {} in {}", quoted(key), where_));
      seen_ |= 1u << i;
      return i;
    }
    throw BadValue(fmt::format("unknown key {} in {}", quoted(key), where_));
  }
  bool has(size_t index) const { return (seen_ >> index & 1u) != 0; }

 private:
  std::span<const std::string_view> keys_;
  std::string_view where_;
  uint32_t seen_ = 0;
};

// An operation line: what its first key names, and which further keys it takes.
class Operation {
 public:
  Operation() = default;  // none: the line is a document
  explicit Operation(std::string_view name) : name_(name) {
    if (name == "add" || name == "flush" || name == "commit") return;
    for (const std::string_view later :
         {"update", "delete", "update_doc_values", "delete_all", "force_merge"}) {
      if (name == later) {
        throw BadValue(fmt::format(
            "\"op\": \"{}\" is not supported yet; known operations: add, flush, commit", name));
      }
    }
    throw BadValue(fmt::format("unknown \"op\" {}; known: add, flush, commit", quoted(name)));
  }

  bool known() const { return !name_.empty(); }

  void take_key(std::string_view key) {
    const bool fits =
        name_ == "add" ? key == "doc" || key == "docs" : name_ == "commit" && key == "user_data";
    if (!fits) throw BadValue(fmt::format("unknown key {} in \"op\": \"{}\"", quoted(key), name_));
    if (complete_) {
      throw BadValue(
          fmt::format("\"op\": \"{}\" takes one operand, {} is another", name_, quoted(key)));
    }
    complete_ = true;
  }

  void check_complete() const {
    if (name_ == "add" && !complete_) throw BadValue("\"op\": \"add\" needs \"doc\" or \"docs\"");
  }

  Event event() const {
    if (name_ == "flush") return Event::kFlush;
    return name_ == "commit" ? Event::kCommit : Event::kDocuments;
  }

 private:
  std::string name_;
  bool complete_ = false;
};

void check(simdjson::error_code error) {
  if (error) throw simdjson::simdjson_error(error);
}

template <class T, class Result>
T taken(Result&& result) {
  T value;
  check(std::forward<Result>(result).get(value));
  return value;
}

std::string_view trim_end(std::string_view token) {
  while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
  return token;
}

}  // namespace

// Walks one line; all of JSON that simdjson's on-demand reader leaves unchecked is checked here.
class JsonDocuments::Parser {
 public:
  explicit Parser(JsonDocuments& owner) : owner_(owner) {}

  Event parse(std::string_view line) {
    line_ = line;
    prepare(line.size());
    ondemand::document document;
    if (const auto error =
            parser_->iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING)
                .get(document)) {
      fail(error);
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
      malformed("text behind the object", nullptr);
    }
    return event;
  }

 private:
  void prepare(size_t length) {
    if (!parser_ || (capacity_ > kGiantLine && length <= kUsualLine)) {
      parser_.emplace();
      capacity_ = 0;
    }
    if (length <= capacity_) return;
    capacity_ = std::max(kUsualLine, std::bit_ceil(length));
    if (parser_->allocate(capacity_) != simdjson::SUCCESS) {
      capacity_ = 0;
      parser_.reset();
      throw BadValue(fmt::format("not enough memory to read a line of {} bytes", length));
    }
  }

  [[noreturn]] void malformed(std::string_view reason, const char* where) const {
    const bool known = where >= line_.data() && where <= line_.data() + line_.size();
    if (!known) throw BadValue(fmt::format("malformed JSON: {}", reason));
    throw BadValue(fmt::format("malformed JSON at byte {}: {}", where - line_.data() + 1, reason));
  }

  [[noreturn]] void fail(simdjson::error_code error, ondemand::document* document = nullptr) const {
    if (error == simdjson::UTF8_ERROR) {
      throw BadValue(fmt::format("not valid UTF-8 at byte {}", find_invalid_utf8(line_) + 1));
    }
    const char* where = nullptr;
    if (document != nullptr)
      where = document->current_location().error() == simdjson::SUCCESS
                  ? document->current_location().value_unsafe()
                  : nullptr;
    malformed(reason_of(error), where);
  }

  // The text between the quotes of a token.
  std::string_view body_of(std::string_view token) const {
    if (token.size() < 2 || token.back() != '"') malformed("a string without end", token.data());
    return token.substr(1, token.size() - 2);
  }

  // A key as it is spelled, in the line.
  std::string_view key_of(ondemand::field& field) const {
    const char* begin = field.key().raw();
    const char* const line_end = line_.data() + line_.size();
    const char* end = begin;
    while (true) {
      end = static_cast<const char*>(std::memchr(end, '"', static_cast<size_t>(line_end - end)));
      if (end == nullptr) malformed("a key without end", begin);
      size_t backslashes = 0;
      while (end - backslashes > begin && end[-1 - static_cast<ptrdiff_t>(backslashes)] == '\\') {
        ++backslashes;
      }
      if (backslashes % 2 == 0) return {begin, static_cast<size_t>(end - begin)};
      ++end;
    }
  }

  Event read_line(ondemand::object& root) {
    Operation operation;
    Document* document = nullptr;
    size_t ordinal = 0;
    for (auto&& result : root) {
      auto field = taken<ondemand::field>(std::move(result));
      const std::string_view key = key_of(field);
      if (ordinal == 0 && unescape(key, owner_.scratch_) == "op") {
        operation = Operation(take_string(field.value(), "op"));
      } else if (operation.known()) {
        read_operand(operation, unescape(key, owner_.scratch_), field.value());
      } else {
        if (ordinal == 0) document = &owner_.next_document();
        add_key(*document, key, ordinal, field.value());
      }
      ++ordinal;
    }
    if (ordinal == 0) owner_.next_document();
    operation.check_complete();
    return operation.event();
  }

  void read_operand(Operation& operation, std::string_view key, ondemand::value& value) {
    operation.take_key(key);
    if (key == "user_data") {
      read_user_data(value);
    } else if (key == "doc") {
      read_document(value, "\"doc\"");
    } else {
      read_block(value);
    }
  }

  void read_document(ondemand::value& value, std::string_view what) {
    ondemand::object object = take_object(value, what);
    Document& document = owner_.next_document();
    size_t ordinal = 0;
    for (auto&& result : object) {
      auto field = taken<ondemand::field>(std::move(result));
      add_key(document, key_of(field), ordinal++, field.value());
    }
  }

  void read_block(ondemand::value& value) {
    owner_.is_block_ = true;
    if (trim_end(value.raw_json_token()) != "[") throw BadValue("\"docs\" must be an array");
    ondemand::array array;
    check(value.get_array().get(array));
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      read_document(element, "a document");
    }
  }

  void read_user_data(ondemand::value& value) {
    ondemand::object object = take_object(value, "\"user_data\"");
    for (auto&& result : object) {
      auto field = taken<ondemand::field>(std::move(result));
      std::string key(
          without_surrogates(unescape(key_of(field), owner_.scratch_), owner_.scratch_));
      const std::string_view token = trim_end(field.value().raw_json_token());
      if (token.starts_with('"')) {
        owner_.user_data_[std::move(key)] = take_text(field.value(), "user_data");
      } else if (is_json_number(token) || token == "true" || token == "false" || token == "null") {
        owner_.user_data_[std::move(key)] = token;
      } else {
        throw BadValue("\"user_data\" takes strings, numbers and booleans", std::move(key));
      }
    }
  }

  ondemand::object take_object(ondemand::value& value, std::string_view what) const {
    if (!value.raw_json_token().starts_with('{')) {
      throw BadValue(fmt::format("{} must be an object", what));
    }
    ondemand::object object;
    check(value.get_object().get(object));
    return object;
  }

  void add_key(Document& document, std::string_view key, size_t ordinal, ondemand::value& value) {
    const SchemaField& field = owner_.field_of(key, ordinal);
    try {
      add_value(document, field, value, false);
    } catch (const BadValue& e) {
      if (!e.field().empty()) throw;
      throw BadValue(e.what(), field.definition.name());
    }
  }

  void add_value(Document& document, const SchemaField& field, ondemand::value& value,
                 bool in_array) {
    const std::string_view token = trim_end(value.raw_json_token());
    switch (token.empty() ? '\0' : token.front()) {
      case '"':
        check(value.get_raw_json_string().error());
        add_string(document, field, body_of(token));
        break;
      case '[':
        if (in_array) throw BadValue("an array inside an array");
        add_array(document, field, value);
        break;
      case '{':
        add_object(document, field, value);
        break;
      default:
        add_scalar(document, field, token);
    }
  }

  void add_array(Document& document, const SchemaField& field, ondemand::value& value) {
    ondemand::array array;
    check(value.get_array().get(array));
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      add_value(document, field, element, true);
    }
  }

  void add_string(Document& document, const SchemaField& field, std::string_view body) {
    const std::string_view text = unescape(body, owner_.scratch_);
    if (field.kind == FieldKind::kBinary) {
      document.add_bytes(field.definition, decode_base64(text, owner_.scratch_));
    } else if (text.data() != body.data() && !field.definition.type().tokenized) {
      // Only escapes can bring surrogates; analyzers want to see them, terms and stored values
      // never hold them.
      document.add_text(field.definition, without_surrogates(text, owner_.scratch_));
    } else {
      add_spelled_value(document, field, text);
    }
  }

  void add_scalar(Document& document, const SchemaField& field, std::string_view token) const {
    if (token == "null") return;
    const bool boolean = token == "true" || token == "false";
    if (!boolean && !is_json_number(token)) malformed("not a value", token.data());
    if (field.kind == FieldKind::kBinary) {
      throw BadValue(fmt::format("not a base64 string: {}", token));
    }
    if (boolean && is_numeric(field.kind)) throw BadValue(fmt::format("not a number: {}", token));
    add_spelled_value(document, field, token);
  }

  void add_object(Document& document, const SchemaField& field, ondemand::value& value) {
    if (field.kind == FieldKind::kText) {
      add_tokens(document, field, value);
    } else if (is_numeric(field.kind)) {
      throw BadValue(fmt::format("not a {} but an object", kind_name(field.kind)));
    } else {
      add_base64(document, field, value);
    }
  }

  void add_base64(Document& document, const SchemaField& field, ondemand::value& value) {
    ondemand::object object;
    check(value.get_object().get(object));
    static constexpr std::string_view kKeys[] = {"base64"};
    SeenKeys seen(kKeys, "a bytes value");
    std::string_view bytes;
    for (auto&& result : object) {
      auto part = taken<ondemand::field>(std::move(result));
      const std::string_view key = unescape(key_of(part), owner_.scratch_);
      if (key == "tokens") throw BadValue("ready tokens need type text");
      seen.take(key);
      bytes = decode_base64(take_string(part.value(), key), owner_.scratch_);
    }
    document.add_bytes(field.definition, bytes);
  }

  // {"str": …, "tokens": […], "end": …, "end_inc": …}
  void add_tokens(Document& document, const SchemaField& field, ondemand::value& value) {
    ondemand::object object;
    check(value.get_object().get(object));
    TokenList& list = owner_.next_token_list();
    static constexpr std::string_view kKeys[] = {"v", "str", "tokens", "end", "end_inc"};
    SeenKeys seen(kKeys, "a token value");
    std::string_view stored;
    int32_t last = 0;
    int32_t end = -1;
    int32_t end_increment = 0;
    for (auto&& result : object) {
      auto part = taken<ondemand::field>(std::move(result));
      switch (seen.take(unescape(key_of(part), owner_.scratch_))) {
        case 0:  // the version of the format in Solr
          take_string(part.value(), "v");
          break;
        case 1:
          stored = take_text(part.value(), "str");
          break;
        case 2:
          read_tokens(list, part.value(), last);
          break;
        case 3:
          end = take_integer(part.value(), "end");
          break;
        default:
          end_increment = take_integer(part.value(), "end_inc");
      }
    }
    if (!seen.has(2)) throw BadValue("an object without \"tokens\"");
    if (!seen.has(1) && field.definition.type().stored) {
      throw BadValue("a stored token value needs \"str\"");
    }
    if (!seen.has(3) && seen.has(1)) end = static_cast<int32_t>(utf16_length(stored));
    list.final_offset = static_cast<uint32_t>(end >= 0 ? end : last);
    list.final_position_increment = end_increment;
    document.add_tokens(field.definition, list, stored);
  }

  void read_tokens(TokenList& list, ondemand::value& value, int32_t& last) {
    if (trim_end(value.raw_json_token()) != "[") throw BadValue("\"tokens\" must be an array");
    ondemand::array array;
    check(value.get_array().get(array));
    for (auto&& result : array) {
      auto element = taken<ondemand::value>(std::move(result));
      ondemand::object object = take_object(element, "a token");
      read_token(list, object, last);
    }
  }

  // Numbers out of range (offsets and frequencies below zero) are passed on: the writer refuses
  // them with the document, as Lucene does.
  void read_token(TokenList& list, ondemand::object& object, int32_t& last) {
    static constexpr std::string_view kKeys[] = {"t", "b", "s", "e", "i", "p", "f"};
    SeenKeys seen(kKeys, "a token");
    std::string_view text;
    std::string_view bytes;
    std::string_view payload;
    int32_t start = last;
    int32_t end = 0;
    Token token;
    for (auto&& result : object) {
      auto part = taken<ondemand::field>(std::move(result));
      const std::string_view key = unescape(key_of(part), owner_.scratch_);
      switch (seen.take(key)) {
        case 0:
          text = take_text(part.value(), key);
          break;
        case 1:
          bytes = decode_base64(take_string(part.value(), key), owner_.scratch_);
          break;
        case 2:
          start = take_integer(part.value(), key);
          break;
        case 3:
          end = take_integer(part.value(), key);
          break;
        case 4:
          token.position_increment = take_integer(part.value(), key);
          break;
        case 5:
          payload = decode_base64(take_string(part.value(), key), owner_.scratch_);
          break;
        default:
          token.frequency = static_cast<uint32_t>(take_integer(part.value(), key));
      }
    }
    last = seen.has(3) ? end : start;
    const std::string_view term = seen.has(1) ? bytes : text;
    token.term = reinterpret_cast<const uint8_t*>(term.data());
    token.term_length = static_cast<uint32_t>(term.size());
    token.start_offset = static_cast<uint32_t>(start);
    token.end_offset = static_cast<uint32_t>(last);
    token.payload = reinterpret_cast<const uint8_t*>(payload.data());
    token.payload_length = static_cast<uint32_t>(payload.size());
    list.tokens.push_back(token);
  }

  // Scalars of objects with fixed keys.
  std::string_view take_string(ondemand::value& value, std::string_view key) const {
    const std::string_view token = trim_end(value.raw_json_token());
    if (token.empty() || token.front() != '"') {
      throw BadValue(fmt::format("\"{}\" must be a string", key));
    }
    check(value.get_raw_json_string().error());
    return unescape(body_of(token), owner_.scratch_);
  }
  std::string_view take_text(ondemand::value& value, std::string_view key) const {
    return without_surrogates(take_string(value, key), owner_.scratch_);
  }
  int32_t take_integer(ondemand::value& value, std::string_view key) const {
    const std::string_view token = trim_end(value.raw_json_token());
    const auto number = is_json_number(token) ? parse_int(token) : std::nullopt;
    if (!number) throw BadValue(fmt::format("\"{}\" must be an integer", key));
    return *number;
  }

  JsonDocuments& owner_;
  std::optional<ondemand::parser> parser_;
  size_t capacity_ = 0;
  std::string_view line_;
};

JsonDocuments::JsonDocuments(Schema& schema)
    : schema_(schema), parser_(std::make_unique<Parser>(*this)) {}

JsonDocuments::~JsonDocuments() = default;

Event JsonDocuments::parse(std::string_view line) {
  scratch_.clear();
  count_ = 0;
  is_block_ = false;
  token_lists_used_ = 0;
  user_data_.clear();
  return parser_->parse(line);
}

Document& JsonDocuments::next_document() {
  if (count_ == documents_.size()) documents_.emplace_back();
  Document& document = documents_[count_++];
  document.clear();
  return document;
}

TokenList& JsonDocuments::next_token_list() {
  if (token_lists_used_ == token_lists_.size()) {
    token_lists_.push_back(std::make_unique<TokenList>());
  }
  TokenList& list = *token_lists_[token_lists_used_++];
  if (list.tokens.capacity() > kManyTokens) list.tokens = {};
  list.tokens.clear();
  return list;
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
