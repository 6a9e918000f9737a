// Reads the stored values of one segment (docs/formats/12).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/byte_buffer.h"
#include "codec/stored_fields_compressor.h"
#include "codec/stored_fields_format.h"
#include "codec/stored_fields_index_reader.h"
#include "codec/stored_fields_ints.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

struct StoredValue {
  uint32_t field_number = 0;
  StoredType type = StoredType::kString;
  std::string_view bytes;  // string, bytes; valid during the call
  int64_t integer = 0;     // int, long
  double number = 0;       // double; a float, widened
};

// One thread at a time: the last chunk stays decoded, so reading in ascending order decodes each
// chunk once. Throws CorruptIndex, IoError, NotSupported; any bytes are safe, and memory stays in
// proportion to the files.
class StoredFieldsReader {
 public:
  // `max_doc`: documents of the segment. Checks headers and footers' structure, not the checksum of
  // `.fdt`.
  StoredFieldsReader(const Directory& directory, const std::string& segment,
                     const store::ObjectId& id, StoredFieldsMode mode, uint32_t max_doc);

  // Calls `visitor` for each value of document `doc` < max_doc, in the order they were added.
  void visit(uint32_t doc, const std::function<void(const StoredValue&)>& visitor);

  // Totals from the metadata.
  uint64_t chunk_count() const { return index_.chunk_count(); }
  uint64_t dirty_chunk_count() const { return index_.dirty_chunk_count(); }
  uint64_t dirty_document_count() const { return index_.dirty_document_count(); }

 private:
  void load_chunk(uint32_t doc);

  const StoredFieldsFormat& format_;
  StoredFieldsIndexReader index_;
  uint32_t chunk_size_ = 0;

  // The decoded chunk.
  uint32_t chunk_base_ = 0;
  uint32_t chunk_documents_ = 0;  // 0: none
  StoredFieldsInts value_counts_;
  StoredFieldsInts lengths_;
  PieceDecompressor decompressor_;
  ByteBuffer content_;
  // Where the last document read ends, for reading on in order.
  uint32_t next_in_chunk_ = 0;
  uint64_t next_offset_ = 0;
};

}  // namespace postern::codec
