// What the tests of this room share: documents as text, one source from a string.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "input/source.h"

namespace postern::input {

inline std::string render_bytes(std::string_view bytes) {
  std::string out;
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte >= 0x20 && byte < 0x7F ? std::string(1, c) : fmt::format("<{:02X}>", byte);
  }
  return out;
}

inline std::string render(const TokenList& list) {
  std::string out;
  for (const Token& t : list.tokens) {
    out += fmt::format("({} {}-{} i{} f{} p{})",
                       render_bytes({reinterpret_cast<const char*>(t.term), t.term_length}),
                       t.start_offset, t.end_offset, t.position_increment, t.frequency,
                       render_bytes({reinterpret_cast<const char*>(t.payload), t.payload_length}));
  }
  return out + fmt::format("end {} {}", list.final_offset, list.final_position_increment);
}

// "name=value" of every value, separated by blanks; non-ASCII bytes as <XX>.
inline std::string render(const Document& document) {
  std::string out;
  for (const FieldValue& v : document.values()) {
    if (!out.empty()) out += ' ';
    out += render_bytes(v.field->name());
    switch (v.kind) {
      case ValueKind::kText:
        out += fmt::format("={}", render_bytes(v.bytes));
        break;
      case ValueKind::kBytes:
        out += fmt::format("=bytes:{}", render_bytes(v.bytes));
        break;
      case ValueKind::kInt:
        out += fmt::format("=int:{}", v.integer);
        break;
      case ValueKind::kLong:
        out += fmt::format("=long:{}", v.integer);
        break;
      case ValueKind::kFloat:
        out += fmt::format("=float:{}", v.number);
        break;
      case ValueKind::kDouble:
        out += fmt::format("=double:{}", v.number);
        break;
      case ValueKind::kTokens:
        out += fmt::format("={}|{}", render_bytes(v.bytes), render(*v.tokens));
        break;
      case ValueKind::kFloatVector:
        for (size_t at = 0; at < v.bytes.size(); at += sizeof(float))
          out += fmt::format("{}{}", at == 0 ? "=floats:" : ",", load_le<float>(&v.bytes[at]));
        break;
      case ValueKind::kByteVector:
        for (size_t at = 0; at < v.bytes.size(); ++at)
          out += fmt::format("{}{}", at == 0 ? "=bytes:" : ",", static_cast<int8_t>(v.bytes[at]));
    }
  }
  return out;
}

// "(id:17)" for each term, "{n: 5}" or "{b: bytes AA}" for each new value.
inline std::string render(std::span<const Term> terms, std::span<const DocValuesUpdate> updates) {
  std::string out;
  for (const Term& term : terms)
    out += fmt::format("({}:{})", render_bytes(term.field), render_bytes(term.bytes));
  for (const DocValuesUpdate& update : updates) {
    out += fmt::format("{{{}: ", render_bytes(update.field));
    if (const int64_t* number = std::get_if<int64_t>(&update.value)) {
      out += fmt::format("{}}}", *number);
    } else {
      out += fmt::format("bytes {}}}", render_bytes(std::get<std::string_view>(update.value)));
    }
  }
  return out;
}

// All that a source yields, a line of text per step: documents as render() writes them (those of a
// block in brackets), "flush", "commit k=v …", "delete (id:1)" …, "refused MESSAGE".
inline std::vector<std::string> drain(Source& source) {
  std::vector<std::string> steps;
  while (true) {
    try {
      const Event event = source.next();
      if (event == Event::kEnd) return steps;
      std::string step;
      if (event == Event::kFlush) step = "flush";
      if (event == Event::kDeleteAll) step = "delete_all";
      if (event == Event::kUpdate) step = "update ";
      if (event == Event::kDelete) step = "delete ";
      if (event == Event::kUpdateDocValues) step = "update_doc_values ";
      step += render(source.terms(), source.doc_values());
      if (event == Event::kCommit) {
        step = "commit";
        for (const auto& [key, value] : source.user_data())
          step += fmt::format(" {}={}", key, value);
      }
      for (const Document& document : source.documents()) {
        step += fmt::format(fmt::runtime(source.is_block() ? "[{}]" : "{}"), render(document));
      }
      steps.push_back(step);
    } catch (const RefusedInput& e) {
      steps.push_back(fmt::format("refused {}", e.what()));
    }
  }
}

inline std::vector<std::string> read_text(InputKind kind, Schema& schema, std::string_view text,
                                          const SourceOptions& options = {},
                                          size_t piece = static_cast<size_t>(-1)) {
  auto source =
      open_source(InputInfo{.path = "in", .kind = kind}, memory_byte_source(text, piece), options);
  source->use_schema(schema);
  return drain(*source);
}

using Steps = std::vector<std::string>;

}  // namespace postern::input
