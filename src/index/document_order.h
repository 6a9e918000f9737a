// The order of the documents of a sorted segment, found from their doc values (docs/formats/02 §9).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/segment_info.h"
#include "invert/doc_values_buffer.h"
#include "memory/grow_array.h"
#include "postern/index_sort.h"

namespace postern::index {

// Working memory of a sorted flush: both directions of the order, and the largest of what its steps
// need (sorting documents by a key; reordering a column or the longest postings list). The values
// of a column come on top.
uint64_t sort_working_bytes(uint32_t documents);

// Both directions of a permutation; empty if documents keep their numbers.
class DocumentOrder {
 public:
  explicit DocumentOrder(memory::MemoryCounter& counter)
      : counter_(counter), new_docs_(counter), old_docs_(counter) {}

  // A field of the sort and its values, finished; null if no document has it.
  struct Key {
    const SortKey& key;
    const invert::DocValuesBuffer* values;
  };
  // `parents`: values of the parent field if blocks stay together, else null. A block ends with a
  // document that has one, is placed by that document's keys, and keeps its inner order. Documents
  // behind the last parent, of a block in which one failed, count as a block by themselves.
  void sort(std::span<const Key> keys, const invert::DocValuesBuffer* parents, uint32_t documents);

  bool moves_documents() const { return !new_docs_.empty(); }
  // The number in the segment of each document as it came.
  std::span<const uint32_t> new_docs() const { return new_docs_.span(); }
  // The other way round.
  std::span<const uint32_t> old_docs() const { return old_docs_.span(); }

 private:
  memory::MemoryCounter& counter_;
  memory::GrowArray<uint32_t> new_docs_;
  memory::GrowArray<uint32_t> old_docs_;
};

// Throws InvalidArgument for a key that names no field or no sortable doc values.
void check_sort(const IndexSort& sort);
// Throws InvalidArgument if a writer with this sort cannot add to an index with this segment.
// Without a sort it can; with one, the segment's must begin with it.
void require_same_sort(const IndexSort& sort, const codec::SegmentInfo& segment);

}  // namespace postern::index
