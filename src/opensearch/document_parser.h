// One JSON source -> the Lucene documents OpenSearch makes of it: the mapping's fields, its own
// metadata fields, nested objects as documents of their own.
//
//   metadata field     where                    as
//   _id                all                      term of the id's bytes (document_id.h); stored in
//   the
//                                               parent only
//   _routing           parent, if given         term, stored
//   _ignored           where a value was ignored  term, the field's path
//   _source            parent                   stored: the JSON, byte for byte
//   _nested_path       nested                   term, the object's path
//   _version           all                      numeric doc values, 1
//   _seq_no            all                      point, numeric doc values
//   _primary_term      parent                   numeric doc values, 1
//   _field_names       where needed             term: fields that have neither norms nor doc values
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "opensearch/mapping.h"
#include "postern/document.h"

namespace postern::opensearch {

// One for each thread. Keeps its memory: warm documents allocate nothing.
class DocumentParser {
 public:
  // Bytes that must be readable behind a source (simdjson reads that far).
  static constexpr size_t kPadding = 64;

  struct Header {
    std::string_view id;  // not empty; checked by check_id
    std::string_view routing;
    bool has_routing = false;
  };

  // `before_new_field` is called, with no locks held, once before a document adds fields to the
  // mapping: it waits there until everything earlier in the input is in (parsed and accepted or
  // refused), so that the mapping does not depend on threads. A refused document adds none. May be
  // empty. An exception it throws ends the parse.
  DocumentParser(Mapping& mapping, std::function<void()> before_new_field);
  ~DocumentParser();
  DocumentParser(const DocumentParser&) = delete;
  DocumentParser& operator=(const DocumentParser&) = delete;

  // Throws InvalidDocument naming the field's full path, its type and the value; the object stays
  // usable. `header` and `source` must live until the documents are not used any more.
  void parse(const Header& header, std::string_view source);

  // Of the last parse: nested documents first, each before the object it is in; the document itself
  // last. Views until the next call of either function.
  std::span<const Document> documents(int64_t sequence_number);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace postern::opensearch
