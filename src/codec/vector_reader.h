// Reads the vectors of one segment (docs/formats/40 §2).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/direct_monotonic.h"
#include "codec/field_infos.h"
#include "codec/indexed_disi.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// What both metadata files begin a field's entry with.
struct VectorField {
  uint32_t number = 0;
  VectorEncoding encoding = VectorEncoding::kFloat32;
  VectorSimilarity similarity = VectorSimilarity::kEuclidean;
  uint64_t offset = 0;  // of its part of the data file
  uint64_t length = 0;
  uint32_t dimension = 0;
  uint32_t count = 0;  // of vectors
};

// Reads entries up to the end mark; `rest` reads what follows the common part. Throws CorruptIndex
// if an entry has no field in `infos`, contradicts it, is the second of its field or points beyond
// `data_size`, and if a field with a vector dimension has none.
void read_vector_fields(ByteReader& meta, const FieldInfos& infos, uint32_t max_doc,
                        uint64_t data_size,
                        const std::function<void(const VectorField& field)>& rest);

struct VectorEntry : VectorField {
  DocsWithFieldMeta docs;
  uint64_t addresses_offset = 0;
  uint64_t addresses_length = 0;
  DirectMonotonicReader addresses;  // ordinal to document, when the documents are a set
};

// Throws CorruptIndex, IoError, NotSupported; any bytes are safe. Safe to share between threads.
class VectorReader {
 public:
  VectorReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
               const FieldInfos& infos, uint32_t max_doc);

  // Null for a field without vectors.
  const VectorEntry* find(uint32_t field_number) const;
  // The components of all vectors by ordinal, in the mapped file.
  std::span<const uint8_t> vectors(const VectorEntry& entry) const;
  // Calls visitor with the document of each ordinal, which ascend. Both ways the file has of
  // telling them are read, and must agree.
  void visit_docs(const VectorEntry& entry, const std::function<void(uint32_t doc)>& visitor) const;
  // Throws CorruptIndex unless what readers jump by in a set of documents is right.
  void check_jumps(const VectorEntry& entry) const;
  // Bytes that the data file has for all fields together, its header included.
  uint64_t data_size() const;

 private:
  IndexedDisi document_set(const VectorEntry& entry) const;

  std::string meta_name_;
  std::string data_name_;
  uint32_t max_doc_;
  std::unique_ptr<InputFile> data_file_;
  std::unique_ptr<InputFile> meta_file_;
  std::vector<VectorEntry> entries_;
};

}  // namespace postern::codec
