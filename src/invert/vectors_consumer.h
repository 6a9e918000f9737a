// The term vectors of one document buffer: a second terms hash chained behind those of the fields
// (docs/formats/01 §4.2). It shares the fields' terms by their ids and has a pool and tables of its
// own, which are emptied after each document.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_buffer.h"
#include "base/utf8.h"
#include "invert/buffer_memory.h"
#include "invert/vectors_field.h"
#include "memory/grow_array.h"

namespace postern::invert {

class FieldInverter;

// Order of calls: chain for each field whose field info has term vectors, before its first
// document; for each document start_document, the FieldInverters' own calls, finish_document (also
// after errors that refuse only the document). Takes no memory before the first chain.
class VectorsConsumer {
 public:
  // `memory` must outlive it, and be reset only after it is gone.
  VectorsConsumer(BufferMemory& memory, const Limits& limits);
  ~VectorsConsumer();
  VectorsConsumer(const VectorsConsumer&) = delete;
  VectorsConsumer& operator=(const VectorsConsumer&) = delete;

  // From now on the inverter's documents get vectors, as the types of their values ask. Destroy the
  // inverter first, or call it no more.
  void chain(FieldInverter& inverter, uint32_t field_number);

  // Whether any field of the segment has vectors: then the segment has their files.
  bool active() const { return !fields_.empty(); }

  void start_document(uint32_t doc);
  // Called by FieldInverter: the field has a vector in this document.
  void enqueue(FieldVectors& field) { queued_.push_back(&field); }

  // If active, hands the document to a codec::TermVectorsWriter: also a document without vectors,
  // so that the files exist.
  template <class Writer>
  void finish_document(Writer& writer) {
    if (!active()) return;
    writer.start_document(doc_);
    sort_fields();
    for (FieldVectors* field : queued_) write_field(*field, writer);
    writer.finish_document();
    reset();
  }

 private:
  // By the first eight bytes of the term, as a big-endian number.
  struct Key {
    uint64_t prefix;
    uint32_t term;
    uint32_t length;
  };
  // What only a buffer with vectors needs.
  struct Space {
    Space(memory::MemoryCounter& counter, uint64_t limit)
        : pool(counter, limit, "term vectors"), keys(counter) {}
    memory::BytePool pool;
    memory::GrowArray<Key> keys;
    ByteBuffer scratch;
  };

  void sort_fields();
  void sort_terms(const FieldVectors& field);
  void reset();

  template <class Writer>
  void write_field(FieldVectors& field, Writer& writer) {
    sort_terms(field);
    writer.start_field(field.number(), field.kept_flags());
    for (const Key& key : space_->keys.span()) field.write_term(key.term, space_->scratch, writer);
    field.clear();
  }

  BufferMemory& memory_;
  uint64_t max_pool_bytes_;
  std::unique_ptr<Space> space_;
  std::deque<FieldVectors> fields_;  // addresses stay
  std::vector<FieldVectors*> queued_;
  VectorTotals totals_;  // of the document
  uint32_t doc_ = 0;
};

}  // namespace postern::invert
