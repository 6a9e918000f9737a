// One line of JSON Lines -> documents or an operation. Values go straight from the line into the
// document: text without escapes stays where it is, and warm lines allocate nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "input/errors.h"
#include "input/schema.h"
#include "input/scratch.h"
#include "input/source.h"
#include "postern/document.h"

namespace postern::input {

class JsonDocuments {
 public:
  explicit JsonDocuments(Schema& schema);
  ~JsonDocuments();
  JsonDocuments(const JsonDocuments&) = delete;
  JsonDocuments& operator=(const JsonDocuments&) = delete;

  // Reads a line with LineReader::kPadding readable bytes behind it. Views in the results live as
  // long as the line, until the next call. Throws BadValue; the object stays usable.
  Event parse(std::string_view line);

  // After kDocuments and kUpdate.
  std::span<const Document> documents() const { return {documents_.data(), count_}; }
  bool is_block() const { return is_block_; }
  // After kUpdate, kDelete and kUpdateDocValues.
  std::span<const Term> terms() const;
  // After kUpdateDocValues.
  std::span<const DocValuesUpdate> doc_values() const;
  // After kCommit.
  std::map<std::string, std::string> take_user_data() { return std::move(user_data_); }

 private:
  class Parser;  // keeps simdjson out of this header

  // What is known of a key as it is spelled in the input (no escapes).
  struct Known {
    std::string key;
    const SchemaField* field;
  };

  const SchemaField& field_of(std::string_view key, size_t ordinal);
  Document& next_document();

  Schema& schema_;
  std::unique_ptr<Parser> parser_;
  Scratch scratch_;
  std::vector<Document> documents_;
  size_t count_ = 0;
  bool is_block_ = false;
  std::map<std::string, std::string> user_data_;

  std::unordered_map<std::string_view, std::unique_ptr<Known>> known_;  // keys view Known::key
  // By place in the document: the key that stood there last. Documents are alike, so most keys
  // are found without hashing.
  std::vector<const Known*> expected_;
};

}  // namespace postern::input
