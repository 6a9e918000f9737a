// For tests: a mapping and one document after the other, and what came of it as text.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "opensearch/document_parser.h"
#include "opensearch/mapping.h"
#include "postern/error.h"

namespace postern::opensearch {

// "name=value" of each value that is not OpenSearch's own, in order; documents of a block are
// separated by " | ". Bytes that are no text are hexadecimal.
inline std::string shown(std::span<const Document> documents, bool with_own = false) {
  std::string out;
  for (const Document& document : documents) {
    if (&document != documents.data()) out += " | ";
    std::string line;
    for (const FieldValue& value : document.values()) {
      const std::string& name = value.field->name();
      if (!with_own && name.starts_with('_') && name != "_ignored" && name != "_field_names" &&
          name != "_nested_path") {
        continue;
      }
      if (!line.empty()) line += ' ';
      line += name + "=";
      switch (value.kind) {
        case ValueKind::kText:
        case ValueKind::kBytes: {
          bool text = true;
          for (const char c : value.bytes) text = text && static_cast<unsigned char>(c) >= 0x20;
          if (text && value.field->type().point_dimensions == 0) {
            line += value.bytes;
          } else {
            for (const char c : value.bytes) {
              line += fmt::format("{:02x}", static_cast<unsigned char>(c));
            }
          }
          break;
        }
        case ValueKind::kInt:
        case ValueKind::kLong:
          line += std::to_string(value.integer);
          break;
        default:
          line += fmt::format("{}", value.number);
      }
    }
    out += line;
  }
  return out;
}

class Parsing {
 public:
  explicit Parsing(std::string_view mapping) : mapping_(Mapping::parse(mapping, "m.json")) {}

  // The values, or what is wrong.
  std::string parse(std::string_view source, std::string_view routing = {}) {
    source_ = std::string(source) + std::string(DocumentParser::kPadding, ' ');
    try {
      parser_.parse({.id = "1", .routing = routing, .has_routing = !routing.empty()},
                    std::string_view(source_).substr(0, source.size()));
      return shown(parser_.documents(0));
    } catch (const InvalidDocument& e) {
      return e.what();
    }
  }

  std::span<const Document> documents(int64_t number) { return parser_.documents(number); }
  std::string mapping() const { return mapping_->to_json(); }
  Mapping& object() { return *mapping_; }
  int waits() const { return waits_; }

 private:
  std::unique_ptr<Mapping> mapping_;
  int waits_ = 0;
  DocumentParser parser_{*mapping_, [this] { ++waits_; }};
  std::string source_;
};

}  // namespace postern::opensearch
