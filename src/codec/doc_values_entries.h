// The entries of a doc values metadata file as they are read (docs/formats/22). Every region that
// an entry names has been checked to lie in the data file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "codec/direct_monotonic.h"
#include "codec/doc_values_format.h"
#include "codec/field_infos.h"
#include "codec/indexed_disi.h"

namespace postern::codec {

// A region of the data file.
struct DataRange {
  uint64_t offset = 0;
  uint64_t length = 0;

  std::span<const uint8_t> of(std::span<const uint8_t> data) const {
    return data.subspan(static_cast<size_t>(offset), static_cast<size_t>(length));
  }
};

struct NumbersEntry {
  DocsWithFieldMeta docs;
  uint64_t count = 0;
  bool has_table = false;
  std::vector<int64_t> table;
  uint32_t block_shift = 0;  // 0: no blocks
  uint32_t width = 0;        // 0: all are `min`; with blocks each has its own
  int64_t min = 0;
  uint64_t gcd = 0;
  DataRange values;
  uint64_t block_table = 0;  // with blocks: where the offsets of all of them begin
};

// Runs of values or bytes, one per document.
struct AddressesEntry {
  DataRange range;
  DirectMonotonicReader ends;  // 0 and the end of every run
};

struct BinaryEntry {
  DataRange bytes;
  DocsWithFieldMeta docs;
  uint32_t doc_count = 0;
  uint32_t min_length = 0;
  uint32_t max_length = 0;
  std::optional<AddressesEntry> addresses;  // none: all have max_length
};

struct TermsDictEntry {
  uint64_t count = 0;
  uint32_t max_term_length = 0;
  uint32_t max_block_length = 0;
  uint32_t index_shift = 0;
  DataRange terms, keys;
  DirectMonotonicReader block_starts, key_ends;
};

struct SkipIndexEntry {
  DataRange range;
  int64_t max_value = 0;
  int64_t min_value = 0;
  uint32_t doc_count = 0;
  int32_t max_doc = 0;  // -1: no documents
};

struct DocValuesEntry {
  DocValuesKind kind = DocValuesKind::kNumeric;
  std::optional<SkipIndexEntry> skip_index;
  NumbersEntry numbers;                     // numbers or ordinals; not of binary
  std::optional<uint32_t> doc_count;        // of multi-valued kinds, as recorded
  std::optional<AddressesEntry> addresses;  // none: one value per document
  std::optional<TermsDictEntry> terms;      // of sorted kinds
  std::optional<BinaryEntry> binary;
};

// Reads an entry of `field`, whose number has been read. `data`: the data file without its footer;
// it and the bytes of `meta` must outlive the entry. Throws CorruptIndex.
DocValuesEntry read_doc_values_entry(ByteReader& meta, const FieldInfo& field,
                                     std::span<const uint8_t> data);

}  // namespace postern::codec
