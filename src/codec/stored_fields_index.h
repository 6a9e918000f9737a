// The index from documents to chunks (docs/formats/12 §5): its data in `.fdx`, its description in
// the middle of `.fdm`. Term vectors use the same one under other names.
#pragma once

#include <cstdint>
#include <vector>

#include "store/index_output.h"

namespace postern::codec {

inline constexpr uint32_t kChunkIndexBlockShift = 10;

// Keeps 12 bytes per chunk in memory until the segment ends.
class StoredFieldsIndexWriter {
 public:
  // A chunk of `documents` documents that starts at `pointer` in the data file. Dirty: cut off by
  // the end of the segment.
  void add_chunk(uint32_t first_document, uint64_t pointer, uint32_t documents, bool dirty);

  // `max_pointer`: end of the last chunk in the data file. `index` stands behind its header; both
  // files still need their footers.
  void write(uint32_t max_doc, uint64_t max_pointer, store::IndexOutput& index,
             store::IndexOutput& meta) const;

  uint64_t ram_bytes() const;

 private:
  std::vector<uint32_t> first_documents_;
  std::vector<uint64_t> pointers_;
  uint64_t dirty_chunks_ = 0;
  uint64_t dirty_documents_ = 0;
};

}  // namespace postern::codec
