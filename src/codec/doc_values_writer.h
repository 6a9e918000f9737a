// Writes the doc values of one segment (docs/formats/22): `.dvd` columns, `.dvm` metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/doc_values_columns.h"
#include "codec/doc_values_format.h"
#include "codec/segment_context.h"
#include "codec/terms_dict_writer.h"
#include "store/index_output.h"

namespace postern::codec {

// Every field with doc values must be added exactly once, in any order, by the function of its
// type. In all of them `docs` are the documents with a value, in whose order the values stand, and
// `counts` tells how many each of them has (at least one), or is empty when all have one. A field's
// skip index is written if its info asks for it. Errors: IoError.
class DocValuesWriter {
 public:
  // Creates both files; context.max_doc must be known. `suffix` as in their names: of later
  // generations it begins with the generation.
  explicit DocValuesWriter(const SegmentContext& context,
                           const std::string& suffix = kDocValuesSuffix);

  void add_numeric(const FieldInfo& field, const ColumnDocs& docs, std::span<const int64_t> values);
  // Values of a document ascending, duplicates kept.
  void add_sorted_numeric(const FieldInfo& field, const ColumnDocs& docs,
                          std::span<const uint32_t> counts, std::span<const int64_t> values);
  // `bytes`: the values end to end; `lengths`: one per document.
  void add_binary(const FieldInfo& field, const ColumnDocs& docs, std::span<const uint32_t> lengths,
                  std::span<const uint8_t> bytes);

  // Ordinals of terms, every one of which is used. The terms follow: add_term for each, in unsigned
  // byte order, then finish_terms.
  void add_sorted(const FieldInfo& field, const ColumnDocs& docs, std::span<const uint32_t> ords);
  // Ordinals of a document ascending, no duplicates.
  void add_sorted_set(const FieldInfo& field, const ColumnDocs& docs,
                      std::span<const uint32_t> counts, std::span<const uint32_t> ords);
  void add_term(std::span<const uint8_t> term) { terms_->add(term); }
  void finish_terms();

  // Completes both files.
  void close();

  std::vector<std::string> files() const { return {data_.name(), meta_.name()}; }

 private:
  uint32_t doc_count(const ColumnDocs& docs) const {
    return docs.all ? max_doc_ : static_cast<uint32_t>(docs.listed.size());
  }
  template <class Value>
  void start_field(const FieldInfo& field, DocValuesKind kind, const ColumnDocs& docs,
                   std::span<const uint32_t> counts, std::span<const Value> values);
  template <class Value>
  void add_numbers(const ColumnDocs& docs, std::span<const Value> values);
  template <class Value>
  void add_sorted_numbers(const ColumnDocs& docs, std::span<const uint32_t> counts,
                          std::span<const Value> values);

  uint32_t max_doc_;
  store::IndexOutput data_;
  store::IndexOutput meta_;
  std::optional<TermsDictWriter> terms_;  // between add_sorted... and finish_terms
};

}  // namespace postern::codec
