#include "input/json_values.h"

#include "base/utf8.h"
#include "input/errors.h"
#include "input/foreign_names.h"
#include "input/spelled_value.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

// A list that grew beyond this is not kept.
constexpr size_t kManyTokens = size_t{1} << 16;

}  // namespace

void JsonValues::add_value(Document& document, const SchemaField& field, ondemand::value& value,
                           bool in_array) {
  const std::string_view token = token_of(value);
  switch (token.empty() ? '\0' : token.front()) {
    case '"':
      check(value.get_raw_json_string().error());
      add_string(document, field, cursor_.body_of(token));
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

void JsonValues::add_array(Document& document, const SchemaField& field, ondemand::value& value) {
  if (field.definition.type().point_dimensions > 1) return add_points(document, field, value);
  if (field.kind == FieldKind::kVector) return add_vector(document, field, value);
  auto array = taken<ondemand::array>(value.get_array());
  for (auto&& result : array) {
    auto element = taken<ondemand::value>(std::move(result));
    add_value(document, field, element, true);
  }
}

void JsonValues::add_vector(Document& document, const SchemaField& field, ondemand::value& value) {
  auto array = taken<ondemand::array>(value.get_array());
  bool empty = true;
  PackedVector vector(field, cursor_.scratch());
  for (auto&& result : array) {
    auto element = taken<ondemand::value>(std::move(result));
    vector.add(spelled_number(element));
    empty = false;
  }
  if (!empty) vector.add_to(document);
}

// Points of several dimensions: one, [x, y], or several, [[x, y], [x, y]].
void JsonValues::add_points(Document& document, const SchemaField& field, ondemand::value& value) {
  auto array = taken<ondemand::array>(value.get_array());
  PackedPoint point(field, cursor_.scratch());
  size_t elements = 0;
  bool nested = false;
  for (auto&& result : array) {
    auto element = taken<ondemand::value>(std::move(result));
    const bool is_array = token_of(element).starts_with('[');
    if (elements++ == 0) nested = is_array;
    if (!nested) {
      point.add(spelled_number(element));
    } else if (is_array) {
      auto numbers = taken<ondemand::array>(element.get_array());
      for (auto&& number : numbers) {
        auto each = taken<ondemand::value>(std::move(number));
        point.add(spelled_number(each));
      }
      document.add_bytes(field.definition, point.take());
    } else if (token_of(element) != "null") {
      throw BadValue(fmt::format("not an array of {} numbers: {}",
                                 field.definition.type().point_dimensions, token_of(element)));
    }
  }
  if (elements != 0 && !nested) document.add_bytes(field.definition, point.take());
}

std::string_view JsonValues::spelled_number(ondemand::value& value) {
  const std::string_view token = token_of(value);
  if (token.starts_with('"')) {
    check(value.get_raw_json_string().error());
    return unescape(cursor_.body_of(token), cursor_.scratch());
  }
  if (!is_json_number(token)) {
    const std::string_view hint = special_number_hint(token);
    throw BadValue(
        fmt::format("not a number: {}{}{}", token, hint, hint.empty() ? "" : " in quotes"));
  }
  return token;
}

void JsonValues::add_string(Document& document, const SchemaField& field, std::string_view body) {
  const std::string_view text = unescape(body, cursor_.scratch());
  if (field.kind == FieldKind::kBinary) {
    document.add_bytes(field.definition, decode_base64(text, cursor_.scratch()));
  } else if (text.data() != body.data() && field.kind == FieldKind::kKeyword) {
    // Only escapes can bring surrogates; analyzers want to see them, terms and stored values
    // never hold them.
    document.add_text(field.definition, without_surrogates(text, cursor_.scratch()));
  } else {
    add_spelled_value(document, field, text);
  }
}

void JsonValues::add_scalar(Document& document, const SchemaField& field,
                            std::string_view token) const {
  if (token == "null") return;
  const bool boolean = token == "true" || token == "false";
  if (!boolean && !is_json_number(token)) {
    if (const std::string_view hint = special_number_hint(token); !hint.empty())
      throw BadValue(fmt::format("JSON has no number {}{} in quotes", token, hint));
    cursor_.malformed("not a value", token.data());
  }
  if (field.kind == FieldKind::kBinary) {
    throw BadValue(fmt::format("not a base64 string: {}", token));
  }
  if (boolean && (is_numeric(field.kind) || field.kind == FieldKind::kVector))
    throw BadValue(fmt::format("not a number: {}", token));
  add_spelled_value(document, field, token);
}

void JsonValues::add_object(Document& document, const SchemaField& field, ondemand::value& value) {
  if (field.kind == FieldKind::kText) {
    add_tokens(document, field, value);
  } else if (is_numeric(field.kind) || field.kind == FieldKind::kVector) {
    throw BadValue(fmt::format("not a {} but an object", kind_name(field.kind)));
  } else {
    document.add_bytes(field.definition, take_base64(value));
  }
}

std::string_view JsonValues::take_base64(ondemand::value& value) {
  auto object = taken<ondemand::object>(value.get_object());
  static constexpr std::string_view kKeys[] = {"base64"};
  SeenKeys seen(kKeys, "a bytes value");
  std::string_view bytes;
  for (auto&& result : object) {
    auto part = taken<ondemand::field>(std::move(result));
    const std::string_view key = cursor_.key(part);
    if (key == "tokens") throw BadValue("ready tokens need type text");
    seen.take(key);
    bytes = decode_base64(cursor_.take_string(part.value(), key), cursor_.scratch());
  }
  return bytes;
}

// {"str": …, "tokens": […], "end": …, "end_inc": …}
void JsonValues::add_tokens(Document& document, const SchemaField& field, ondemand::value& value) {
  auto object = taken<ondemand::object>(value.get_object());
  TokenList& list = next_token_list();
  static constexpr std::string_view kKeys[] = {"v", "str", "tokens", "end", "end_inc"};
  SeenKeys seen(kKeys, "a token value");
  std::string_view stored;
  int32_t last = 0;
  int32_t end = -1;
  int32_t end_increment = 0;
  for (auto&& result : object) {
    auto part = taken<ondemand::field>(std::move(result));
    switch (seen.take(cursor_.key(part))) {
      case 0:  // the version of the format in Solr
        cursor_.take_string(part.value(), "v");
        break;
      case 1:
        stored = cursor_.take_text(part.value(), "str");
        break;
      case 2:
        read_tokens(list, part.value(), last);
        break;
      case 3:
        end = cursor_.take_integer(part.value(), "end");
        break;
      default:
        end_increment = cursor_.take_integer(part.value(), "end_inc");
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

void JsonValues::read_tokens(TokenList& list, ondemand::value& value, int32_t& last) {
  auto array = cursor_.take_array(value, "\"tokens\"");
  for (auto&& result : array) {
    auto element = taken<ondemand::value>(std::move(result));
    ondemand::object object = cursor_.take_object(element, "a token");
    read_token(list, object, last);
  }
}

// Numbers out of range (offsets and frequencies below zero) are passed on: the writer refuses
// them with the document, as Lucene does.
void JsonValues::read_token(TokenList& list, ondemand::object& object, int32_t& last) {
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
    const std::string_view key = cursor_.key(part);
    switch (seen.take(key)) {
      case 0:
        text = cursor_.take_text(part.value(), key);
        break;
      case 1:
        bytes = decode_base64(cursor_.take_string(part.value(), key), cursor_.scratch());
        break;
      case 2:
        start = cursor_.take_integer(part.value(), key);
        break;
      case 3:
        end = cursor_.take_integer(part.value(), key);
        break;
      case 4:
        token.position_increment = cursor_.take_integer(part.value(), key);
        break;
      case 5:
        payload = decode_base64(cursor_.take_string(part.value(), key), cursor_.scratch());
        break;
      default:
        token.frequency = static_cast<uint32_t>(cursor_.take_integer(part.value(), key));
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

TokenList& JsonValues::next_token_list() {
  if (token_lists_used_ == token_lists_.size()) {
    token_lists_.push_back(std::make_unique<TokenList>());
  }
  TokenList& list = *token_lists_[token_lists_used_++];
  if (list.tokens.capacity() > kManyTokens) list.tokens = {};
  list.tokens.clear();
  return list;
}

}  // namespace postern::input
