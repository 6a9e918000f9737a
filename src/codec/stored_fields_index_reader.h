// Finds the chunks of stored fields or term vectors (docs/formats/12 §5, 13 §4): the part of their
// readers that is the same, beside what stored_fields_index.h writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/byte_reader.h"
#include "codec/direct_monotonic.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// Extension, codec name and version of one of the three files.
struct ChunkFileFormat {
  const char* extension;
  const char* codec;
  uint32_t version;
};
struct ChunkFilesFormat {
  ChunkFileFormat data;
  ChunkFileFormat index;
  ChunkFileFormat meta;
};

// Throws CorruptIndex, IoError, NotSupported; any bytes are safe, and memory does not depend on
// them.
class StoredFieldsIndexReader {
 public:
  // Opens the three files and checks headers and footers, but not the checksum of the data. The
  // metadata in front of the index are next to be read from meta(), then read_index.
  StoredFieldsIndexReader(const Directory& directory, const std::string& segment,
                          const store::ObjectId& id, const ChunkFilesFormat& format,
                          uint32_t max_doc);
  StoredFieldsIndexReader(const StoredFieldsIndexReader&) = delete;
  StoredFieldsIndexReader& operator=(const StoredFieldsIndexReader&) = delete;

  ByteReader& meta() { return meta_; }
  // Reads the rest of the metadata.
  void read_index();

  const std::string& data_name() const { return data_name_; }
  uint32_t max_doc() const { return max_doc_; }
  // Totals from the metadata.
  uint64_t chunk_count() const { return chunk_count_; }
  uint64_t dirty_chunk_count() const { return dirty_chunks_; }
  uint64_t dirty_document_count() const { return dirty_documents_; }

  // The last chunk that starts at or before `doc`. Throws InvalidArgument unless doc < max_doc.
  uint64_t find(uint32_t doc) const;
  // Stands at the start of the chunk and ends with it.
  ByteReader open_chunk(uint64_t chunk) const;
  // Throws CorruptIndex unless the index says that chunk `chunk`, which `in` has been reading,
  // holds `documents` > 0 documents from `first` on, `doc` among them.
  void check_chunk(const ByteReader& in, uint64_t chunk, uint32_t first, uint32_t documents,
                   uint32_t doc) const;

 private:
  std::unique_ptr<InputFile> open(const Directory& directory, const std::string& name,
                                  const store::ObjectId& id, const ChunkFileFormat& format,
                                  bool whole) const;

  uint32_t max_doc_;
  std::string data_name_;
  std::string index_name_;
  std::string meta_name_;
  std::unique_ptr<InputFile> data_file_;
  std::unique_ptr<InputFile> index_file_;
  std::unique_ptr<InputFile> meta_file_;  // its index blocks are read in place
  ByteReader meta_;
  uint64_t chunk_count_ = 0;
  uint64_t dirty_chunks_ = 0;
  uint64_t dirty_documents_ = 0;
  DirectMonotonicReader first_documents_;  // of each chunk, then max_doc
  DirectMonotonicReader pointers_;         // to each chunk, then the end of the last
};

}  // namespace postern::codec
