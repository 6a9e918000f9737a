// Reads the norms of one segment (docs/formats/21).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

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
  // Calls visitor for every document with a norm of the field, ascending; checks that they are as
  // many as recorded.
  void for_each(uint32_t field_number,
                const std::function<void(uint32_t doc, int64_t norm)>& visitor) const;
  // Throws CorruptIndex unless what readers jump by agrees with the documents of the field.
  void check_jumps(uint32_t field_number) const;

 private:
  struct Field {
    DocsWithFieldMeta docs;
    uint32_t count = 0;
    uint8_t width = 0;
    int64_t offset = 0;  // of the values in .nvd; with width 0 the value itself
  };
  const Field* find(uint32_t field_number) const;
  void read_meta(std::span<const uint8_t> file, const store::ObjectId& id);
  bool is_consistent(const Field& field) const;
  IndexedDisi documents(const Field& field) const;
  int64_t value(const Field& field, uint64_t place) const;

  std::string meta_name_;
  std::string data_name_;
  uint32_t max_doc_;
  std::unique_ptr<InputFile> data_file_;
  std::unordered_map<uint32_t, Field> fields_;  // by number
};

}  // namespace postern::codec
