// The vectors of one field while its segment is in memory (docs/formats/40).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "memory/grow_array.h"
#include "postern/document.h"

namespace postern::invert {

namespace detail {
void check_vector_field(const FieldValue& value);
}

// Throws InvalidDocument unless the value of a vector field is a vector of the field's dimension
// and encoding without NaN and infinity, and that of any other field none.
inline void check_vector(const FieldValue& value) {
  const bool is_vector =
      value.kind == ValueKind::kFloatVector || value.kind == ValueKind::kByteVector;
  if (is_vector || value.field->type().vector_dimension != 0) detail::check_vector_field(value);
}

// One run of vectors in order of arrival, as the file will have them, charged to the counter along
// with what the graph over them will take: it is built when the segment is written, from the
// memory the budget then still holds.
class KnnBuffer {
 public:
  // `field` (its name, for messages) must outlive the buffer. `graph_bytes`: of the graph, for each
  // vector.
  KnnBuffer(memory::MemoryCounter& counter, std::string_view field, uint64_t graph_bytes);
  ~KnnBuffer() { release(); }
  KnnBuffer(const KnnBuffer&) = delete;
  KnnBuffer& operator=(const KnnBuffer&) = delete;

  // Documents are added in ascending order, one vector each; check_vector has seen the value.
  // Throws InvalidDocument, with nothing added, for a second vector of a document.
  void add(uint32_t doc, const FieldValue& value);

  uint32_t size() const { return static_cast<uint32_t>(docs_.size()); }
  // The documents that have a vector, ascending.
  std::span<const uint32_t> docs() const { return docs_.span(); }
  // The vectors one behind the other; floats are aligned.
  const uint8_t* vectors() const { return vectors_.data(); }
  // Gives the memory back, that of the graph too.
  void release();

 private:
  memory::MemoryCounter& counter_;
  std::string_view field_;
  uint64_t graph_bytes_;
  memory::GrowArray<uint32_t> docs_;
  memory::GrowArray<uint8_t> vectors_;
};

}  // namespace postern::invert
