// Writes the stored values of one segment (docs/formats/12): `.fdt` values, `.fdx` index, `.fdm`
// metadata, with the bytes Lucene 10.4 would write.
//
// Documents are serialised one after another into a chunk in memory; a full chunk is compressed and
// appended to `.fdt` at once, so memory stays near two chunks however large the segment is (a
// single larger document excepted).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/segment_context.h"
#include "codec/stored_fields_compressor.h"
#include "codec/stored_fields_format.h"
#include "codec/stored_fields_index.h"
#include "codec/stored_values.h"
#include "store/index_output.h"

namespace postern::codec {

// Documents come in ascending order without gaps, each between start_document and finish_document.
// Errors: IoError; those of StoredValues (the document must still be finished).
class StoredFieldsWriter : public StoredValues {
 public:
  // Creates the three files. `context.max_doc` is not used.
  StoredFieldsWriter(const SegmentContext& context, StoredFieldsMode mode);

  void start_document() { start_values(documents()); }
  // Then the values.
  void finish_document();
  // A whole document of `values` values, as StoredValues serialised it elsewhere, of less than
  // 2 GiB.
  void add_document(uint32_t values, std::span<const uint8_t> bytes);

  // Adds empty documents up to `max_doc`, writes the index and the metadata and closes the files.
  // `max_doc` must not be less than documents().
  void finish(uint32_t max_doc);

  // Finished documents.
  uint32_t documents() const { return chunk_base_ + chunk_documents(); }
  // Bytes of memory held by the buffers, output buffers included.
  uint64_t ram_bytes() const;
  std::vector<std::string> files() const { return {data_.name(), index_.name(), meta_.name()}; }

 private:
  uint32_t chunk_documents() const { return static_cast<uint32_t>(value_counts_.size()); }
  void write_full_chunk();
  void write_chunk(bool dirty);

  const StoredFieldsFormat& format_;
  store::ObjectId id_;
  store::IndexOutput data_;
  store::IndexOutput index_;
  store::IndexOutput meta_;
  StoredFieldsIndexWriter chunks_;
  StoredFieldsCompressor compressor_;
  // The chunk's documents are those in values_.
  std::vector<uint32_t> value_counts_;  // per finished document of the chunk
  std::vector<uint32_t> lengths_;       // in bytes, likewise
  uint32_t chunk_base_ = 0;             // number of the chunk's first document
};

}  // namespace postern::codec
