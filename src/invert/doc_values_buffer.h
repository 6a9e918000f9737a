// The doc values of one field while its segment is in memory (docs/formats/01 §5, 22).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invert/buffer_memory.h"
#include "memory/grow_array.h"
#include "memory/term_table.h"
#include "postern/document.h"
#include "postern/field_type.h"
#include "postern/limits.h"

namespace postern::invert {

// Documents are added ascending. What a type keeps:
//
// | type | values | counts |
// |---|---|---|
// | numeric | numbers(), one a document | - |
// | sorted_numeric | numbers(), ascending within a document, duplicates kept | of values |
// | binary | bytes(), end to end | lengths of the values |
// | sorted | ords(), one a document | - |
// | sorted_set | ords(), ascending within a document, no duplicates | of values |
//
// While every document has one value, no counts are kept; while documents are 0, 1, 2, ..., no
// document numbers.
//
// Values of sorted types wait until they make a group, because looking them up one by one hides no
// memory latency: their bytes stand in bytes_, their lengths in the last waiting_ elements of ids_.
class DocValuesBuffer {
 public:
  // `memory` must outlive the buffer. The type is not kNone.
  DocValuesBuffer(BufferMemory& memory, const Limits& limits, std::string field,
                  DocValuesType type);

  // Takes one value; `doc` never decreases. Numbers become the integer, or for float and double
  // their IEEE bits (numeric) or the bits that keep their order (sorted_numeric); text and bytes
  // become bytes, text with U+FFFD for unpaired surrogates. Throws InvalidDocument, with nothing
  // changed, for a second value of a single-valued type, a value that is neither number nor bytes
  // as the type needs, or bytes above the limit of a sorted type; LimitExceeded if the pool is
  // full.
  void add(uint32_t doc, const FieldValue& value);
  // Ends the last document, and for sorted types sorts the terms and turns their ids into ordinals.
  // Nothing may be added afterwards. Must have been called before anything below; calling it again
  // does nothing.
  void finish();

  // At any time: bytes of the values, for whoever will have to reorder them.
  uint64_t column_bytes() const {
    return numbers_.size() * sizeof(int64_t) + ids_.size() * sizeof(uint32_t) + bytes_.size();
  }

  DocValuesType type() const { return type_; }
  // Documents with a value; they are 0 .. doc_count() - 1 if dense(), else docs().
  uint32_t doc_count() const { return doc_count_; }
  bool dense() const { return dense_; }
  std::span<const uint32_t> docs() const { return docs_.span(); }

  std::span<const int64_t> numbers() const { return numbers_.span(); }
  std::span<const uint32_t> ords() const { return ids_.span(); }
  std::span<const uint8_t> bytes() const { return bytes_.span(); }
  // Per document with a value; empty if all have one value (for binary never empty).
  std::span<const uint32_t> counts() const { return counts_.span(); }

  // The distinct values of a sorted type, by ordinal, in order of their bytes.
  uint32_t term_count() const { return static_cast<uint32_t>(ids_by_ord_.size()); }
  std::span<const uint8_t> term(uint32_t ord) const { return terms_->text(ids_by_ord_[ord]); }
  // Call before term(ord) when going through all of them in order.
  void prefetch(uint32_t ord) const;

 private:
  [[noreturn]] void fail(uint32_t doc, const std::string& what) const;
  void add_bytes(uint32_t doc, std::span<const uint8_t> value);
  void add_term(uint32_t doc, std::span<const uint8_t> value);
  void look_up_waiting();
  int64_t number_of(uint32_t doc, const FieldValue& value) const;
  // Enters the document, if it is not there yet.
  void start_value(uint32_t doc) {
    if (doc_count_ != 0 && last_doc_ == doc) [[unlikely]] {
      if (!multi_valued_type_) fail_second(doc);
      return;
    }
    if (in_document_) finish_document();
    if (!dense_ || doc != doc_count_) add_sparse(doc);
    ++doc_count_;
    last_doc_ = doc;
    in_document_ = multi_valued_type_;
  }
  [[noreturn]] void fail_second(uint32_t doc) const;
  void add_sparse(uint32_t doc);
  void finish_document();
  template <class T>
  void sort_document(memory::GrowArray<T>& values, bool unique);

  BufferMemory& memory_;
  std::string field_;
  DocValuesType type_;
  bool multi_valued_type_;
  uint32_t max_term_bytes_;
  bool dense_ = true;
  bool finished_ = false;
  bool multi_valued_ = false;  // counts_ is kept
  bool in_document_ = false;   // of a multi-valued type, not yet finished
  uint32_t doc_count_ = 0;
  uint32_t last_doc_ = 0;
  uint32_t waiting_ = 0;       // values that wait
  uint64_t promised_ = 0;      // pool bytes for them
  size_t document_start_ = 0;  // its first value
  memory::GrowArray<uint32_t> docs_;
  memory::GrowArray<uint32_t> counts_;
  memory::GrowArray<int64_t> numbers_;
  memory::GrowArray<uint32_t> ids_;  // of terms, or lengths; ordinals after finish
  memory::GrowArray<uint8_t> bytes_;
  std::unique_ptr<memory::TermTable> terms_;
  std::vector<uint32_t> ids_by_ord_;
};

}  // namespace postern::invert
