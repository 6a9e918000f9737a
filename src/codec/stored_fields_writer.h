// Writes the stored values of one segment (docs/formats/12): `.fdt` values, `.fdx` index, `.fdm`
// metadata, with the bytes Lucene 10.4 would write.
//
// Documents are serialised one after another into a chunk in memory; a full chunk is compressed and
// appended to `.fdt` at once, so memory stays near two chunks however large the segment is (a
// single larger document excepted).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_buffer.h"
#include "codec/segment_context.h"
#include "codec/stored_fields_compressor.h"
#include "codec/stored_fields_format.h"
#include "codec/stored_fields_index.h"
#include "store/index_output.h"

namespace postern::codec {

// Documents come in ascending order without gaps, each between start_document and finish_document.
// Values keep the order in which they are added; a field may have several. Strings are not checked
// to be UTF-8. Errors: IoError; InvalidDocument when a document's bytes pass 2 GiB - 1 (the
// document keeps the values it had and must still be finished).
class StoredFieldsWriter {
 public:
  // Creates the three files. `context.max_doc` is not used.
  StoredFieldsWriter(const SegmentContext& context, StoredFieldsMode mode);

  void start_document();
  void add_string(uint32_t field_number, std::string_view utf8) {
    add_sized(field_number, StoredType::kString, utf8);
  }
  void add_bytes(uint32_t field_number, std::string_view bytes) {
    add_sized(field_number, StoredType::kBytes, bytes);
  }
  void add_int(uint32_t field_number, int32_t value);
  void add_long(uint32_t field_number, int64_t value);
  void add_float(uint32_t field_number, float value);
  void add_double(uint32_t field_number, double value);
  void finish_document();

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
  void begin_value(uint32_t field_number, StoredType type, uint64_t most_bytes);
  void add_sized(uint32_t field_number, StoredType type, std::string_view value);
  void write_chunk(bool dirty);

  const StoredFieldsFormat& format_;
  store::ObjectId id_;
  store::IndexOutput data_;
  store::IndexOutput index_;
  store::IndexOutput meta_;
  StoredFieldsIndexWriter chunks_;
  StoredFieldsCompressor compressor_;
  ByteBuffer chunk_;                    // the chunk's documents, serialised
  std::vector<uint32_t> value_counts_;  // per finished document of the chunk
  std::vector<uint32_t> lengths_;       // in bytes, likewise
  uint32_t chunk_base_ = 0;             // number of the chunk's first document
  uint32_t document_values_ = 0;        // of the document being added
  size_t document_start_ = 0;           // in chunk_
};

}  // namespace postern::codec
