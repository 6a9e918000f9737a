// Documents for OpenSearch as they come: `_bulk` NDJSON (an action on one line, its document on the
// next) or JSON Lines (a document on each line). One reader's part of an input that several share
// (input/line_splitter).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "input/errors.h"
#include "input/line_reader.h"
#include "input/line_splitter.h"

namespace postern::opensearch {

enum class InputFormat : uint8_t { kUnknown, kBulk, kJsonLines };

// Of an input's first line that is not blank: kBulk if it is a `_bulk` action and nothing else
// could be meant: an object with one key, which is an action's name, and whose value is an object
// with no keys but an action's parameters. kUnknown if the line is blank.
InputFormat format_of(std::string_view line);

// How lines belong together.
input::LineRole bulk_line_role(std::string_view line);
input::LineRole document_line_role(std::string_view line);

struct BulkOptions {
  InputFormat format = InputFormat::kBulk;
  // The format was found out, not told: a line of JSON Lines that looks like an action is refused.
  bool guessed = false;
  std::string index{};     // the only one that actions may name ...
  bool any_index = false;  // ... unless they may name any
  std::string id_field{};  // of JSON Lines: path of the id, by dots; empty: documents have none
  std::string routing_field{};  // the same for the routing
};

// One document. Views are valid until the next call of BulkSource::next.
struct BulkDocument {
  std::string_view id;  // empty: none was given
  std::string_view routing;
  bool has_routing = false;
  bool create = false;      // the id must not be there yet
  std::string_view source;  // the line as it is; 64 readable bytes behind it
};

class BulkSource {
 public:
  // `name` is the input's, for places; `part` is all of it or one reader's part.
  BulkSource(std::string name, std::unique_ptr<input::ByteSource> part, BulkOptions options,
             size_t longest_line = input::LineReader::kLongestLine);
  ~BulkSource();
  BulkSource(const BulkSource&) = delete;
  BulkSource& operator=(const BulkSource&) = delete;

  // nullopt at the end. Throws input::RefusedInput for a document that is not taken, after which
  // the source goes on with the next one; InvalidArgument, for good, when what should be an action
  // is none, as nobody can tell then which lines belong together; IoError.
  std::optional<BulkDocument> next();

  // Of the document, or refusal, that came last: its line, or that of its action.
  const input::Place& place() const { return place_; }
  // Bytes of the lines so far, decompressed.
  uint64_t text_bytes() const { return lines_.text_bytes(); }

 private:
  class Reader;  // of JSON

  BulkDocument take_pair(std::string_view action);
  BulkDocument take_line(std::string_view line);
  [[noreturn]] void refuse(const std::string& reason,
                           std::optional<std::string> field = std::nullopt) const;
  [[noreturn]] void give_up(const std::string& reason) const;

  const BulkOptions options_;
  input::LineReader lines_;
  input::Place place_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace postern::opensearch
