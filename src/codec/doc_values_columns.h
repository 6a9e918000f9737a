// The parts of which doc values columns are made (docs/formats/22 §2, 5, 7). They write to the data
// and the metadata file at the same time.
#pragma once

#include <cstdint>
#include <span>

#include "store/index_output.h"

namespace postern::codec {

// The documents of a column: all of the segment, or those listed, ascending.
struct ColumnDocs {
  std::span<const uint32_t> listed;
  bool all = false;

  uint32_t operator[](size_t i) const { return all ? static_cast<uint32_t>(i) : listed[i]; }
};

// Numbers without the set of documents, in the encoding that Lucene would choose. Value: int64_t,
// or uint32_t for ordinals, which never get a table.
template <class Value>
void write_numbers(std::span<const Value> values, store::IndexOutput& data,
                   store::IndexOutput& meta);

// The ends of runs of these lengths.
void write_addresses(std::span<const uint32_t> lengths, store::IndexOutput& data,
                     store::IndexOutput& meta);

// `counts`: values of each document, or empty when all have one; `doc_count` documents.
template <class Value>
void write_skip_index(const ColumnDocs& docs, uint32_t doc_count, std::span<const uint32_t> counts,
                      std::span<const Value> values, store::IndexOutput& data,
                      store::IndexOutput& meta);

}  // namespace postern::codec
