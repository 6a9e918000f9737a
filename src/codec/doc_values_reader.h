// Reads the doc values of one segment (docs/formats/22), column by column.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/doc_values_entries.h"
#include "codec/field_infos.h"
#include "codec/terms_dict_reader.h"
#include "postern/directory.h"
#include "store/codec_header.h"

namespace postern::codec {

// One interval of a skip index. A record's intervals come from the highest level down to 0.
struct SkipInterval {
  uint32_t level = 0;
  uint32_t max_doc = 0;
  uint32_t min_doc = 0;
  int64_t max_value = 0;
  int64_t min_value = 0;
  uint32_t doc_count = 0;
  bool operator==(const SkipInterval&) const = default;
};

// Visitors may throw to stop. All functions throw CorruptIndex; any bytes are safe, though a
// damaged file may claim more values of one document than anybody wants to see. Nothing is visited
// for a field without an entry. Safe to share between threads.
class DocValuesReader {
 public:
  // `infos` must outlive the reader. `suffix` as in the file's name.
  DocValuesReader(const Directory& directory, const std::string& segment, const store::ObjectId& id,
                  const FieldInfos& infos, uint32_t max_doc,
                  const std::string& suffix = kDocValuesSuffix);

  const DocValuesEntry* find(uint32_t field_number) const;
  // Bytes of the data file before its footer.
  uint64_t data_size() const { return data().size(); }

  // Numbers of numeric fields, ordinals of sorted ones: documents ascending, and the values of each
  // as they are stored.
  void visit_numbers(uint32_t field_number,
                     const std::function<void(uint32_t doc, int64_t value)>& visitor) const;
  // Only how many values each document has, not counted out: not of binary fields.
  void visit_counts(uint32_t field_number,
                    const std::function<void(uint32_t doc, uint64_t count)>& visitor) const;
  // Of binary fields.
  void visit_bytes(
      uint32_t field_number,
      const std::function<void(uint32_t doc, std::span<const uint8_t> value)>& visitor) const;
  // The distinct values of sorted fields, and their index keys.
  void visit_terms(uint32_t field_number, const TermVisitor& visitor) const;
  void visit_term_index(uint32_t field_number, const TermVisitor& visitor) const;
  void visit_skip_index(uint32_t field_number,
                        const std::function<void(const SkipInterval&)>& visitor) const;
  // Throws CorruptIndex unless what readers jump by agrees with the documents and numbers of the
  // field.
  void check_jumps(uint32_t field_number) const;

 private:
  std::span<const uint8_t> data() const;
  void check_number_blocks(const NumbersEntry& numbers) const;
  void visit_docs(const DocsWithFieldMeta& docs,
                  const std::function<void(uint32_t doc)>& visitor) const;

  std::string meta_name_;
  std::string data_name_;
  uint32_t max_doc_;
  std::unique_ptr<InputFile> data_file_;
  std::unique_ptr<InputFile> meta_file_;
  std::unordered_map<uint32_t, DocValuesEntry> entries_;  // by field number
};

}  // namespace postern::codec
