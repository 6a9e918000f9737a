#include "input/json_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "input/text_values.h"

namespace postern::input {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  JsonNode parse() {
    if (const size_t bad = find_invalid_utf8(text_); bad != kNoError) {
      at_ = bad;
      fail("not valid UTF-8");
    }
    JsonNode node = value(0);
    skip_space();
    if (at_ < text_.size()) fail("text behind the value");
    return node;
  }

 private:
  static constexpr int kDeepest = 64;

  [[noreturn]] void fail(const std::string& why) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw BadValue(
        fmt::format("malformed JSON at line {}, column {}: {}", line, at_ - start + 1, why));
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  char peek() {
    skip_space();
    if (at_ >= text_.size()) fail("it ends too early");
    return text_[at_];
  }

  // Takes a comma and returns true, or the closing character and returns false.
  bool more(char close) {
    const char c = peek();
    if (c != ',' && c != close) fail(fmt::format("expected ',' or '{}'", close));
    ++at_;
    return c == ',';
  }

  JsonNode value(int depth) {
    if (depth > kDeepest) fail("nested too deep");
    JsonNode node;
    switch (peek()) {
      case '{':
        object(node, depth);
        break;
      case '[':
        array(node, depth);
        break;
      case '"':
        node.type = JsonNode::Type::kString;
        node.text = string();
        break;
      default:
        scalar(node);
    }
    return node;
  }

  void object(JsonNode& node, int depth) {
    node.type = JsonNode::Type::kObject;
    ++at_;
    if (peek() == '}') {
      ++at_;
      return;
    }
    do {
      if (peek() != '"') fail("expected a key");
      node.keys.push_back(string());
      if (peek() != ':') fail("expected ':'");
      ++at_;
      node.items.push_back(value(depth + 1));
    } while (more('}'));
  }

  void array(JsonNode& node, int depth) {
    node.type = JsonNode::Type::kArray;
    ++at_;
    if (peek() == ']') {
      ++at_;
      return;
    }
    do {
      node.items.push_back(value(depth + 1));
    } while (more(']'));
  }

  std::string string() {
    const size_t from = ++at_;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("control character in a string");
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ >= text_.size()) fail("a string without end");
    scratch_.clear();
    try {
      std::string result(unescape(text_.substr(from, at_ - from), scratch_));
      ++at_;
      return result;
    } catch (const BadValue& e) {
      fail(e.what());
    }
  }

  void scalar(JsonNode& node) {
    size_t end = at_;
    while (end < text_.size() && std::string_view(" \t\r\n,]}:").find(text_[end]) == text_.npos)
      ++end;
    const std::string_view token = text_.substr(at_, end - at_);
    if (token == "true" || token == "false") {
      node.type = JsonNode::Type::kBoolean;
    } else if (is_json_number(token)) {
      node.type = JsonNode::Type::kNumber;
    } else if (token != "null") {
      fail("not a value: " + quoted(token));
    }
    if (token != "null") node.text = token;
    at_ = end;
  }

  std::string_view text_;
  size_t at_ = 0;
  Scratch scratch_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<size_t>(found - keys.begin())];
}

JsonNode parse_json(std::string_view text) { return Parser(text).parse(); }

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[i];
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04x}", byte);
    } else if (byte == 0xED && i + 2 < text.size() &&
               static_cast<unsigned char>(text[i + 1]) >= 0xA0) {
      const uint32_t unit = 0xD000u | ((static_cast<unsigned char>(text[i + 1]) & 0x3Fu) << 6) |
                            (static_cast<unsigned char>(text[i + 2]) & 0x3Fu);
      out += fmt::format("\\u{:04x}", unit);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out + '"';
}

}  // namespace postern::input
