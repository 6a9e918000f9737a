// Reads the norms of one segment (docs/formats/21).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/indexed_disi.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// Throws CorruptIndex, IoError, NotSupported; any bytes are safe. Safe to share between threads.
class NormsReader {
 public:
  NormsReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
              uint32_t max_doc);

  bool has_field(uint32_t field_number) const { return find(field_number) != nullptr; }
  // Documents with a norm of the field; 0 for a field without an entry.
  uint32_t document_count(uint32_t field_number) const;
  // The norm (a norm byte, sign-extended); nullopt if the document or the field has none.
  std::optional<int64_t> norm(uint32_t field_number, uint32_t doc) const;

 private:
  struct Field {
    uint32_t number = 0;
    DocsWithFieldMeta docs;
    uint32_t count = 0;
    uint8_t width = 0;
    int64_t offset = 0;  // of the values in .nvd; with width 0 the value itself
  };
  const Field* find(uint32_t field_number) const;
  void read_meta(std::span<const uint8_t> file, const store::ObjectId& id);
  bool is_consistent(const Field& field) const;

  std::string meta_name_;
  std::string data_name_;
  uint32_t max_doc_;
  std::unique_ptr<InputFile> data_file_;
  std::vector<Field> fields_;
};

}  // namespace postern::codec
