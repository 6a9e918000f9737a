// The set of documents that have a value (docs/formats/20 §3): blocks of 65,536 documents, each a
// list, a bit set or everything, then a sentinel and a jump table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/byte_reader.h"
#include "store/index_output.h"

namespace postern::codec {

inline constexpr int8_t kDenseRankPower = 9;

// Writes the set at the end of `out` and returns the number of jump entries behind it. `docs`
// ascend.
uint16_t write_indexed_disi(std::span<const uint32_t> docs, store::IndexOutput& out);

// Writes the 19-byte header of a column to `meta`, and the set to `data` unless none or all of
// max_doc documents are in it. `all`: every document, whatever `docs` is.
void write_docs_with_field(std::span<const uint32_t> docs, bool all, uint32_t max_doc,
                           store::IndexOutput& data, store::IndexOutput& meta);

// What the header says.
struct DocsWithFieldMeta {
  static constexpr int64_t kNone = -2;
  static constexpr int64_t kAll = -1;

  int64_t offset = kNone;
  uint64_t length = 0;
  int16_t jump_entries = -1;
  int8_t rank_power = -1;
};
// Throws CorruptIndex.
DocsWithFieldMeta read_docs_with_field(ByteReader& meta);

// A set in a mapped file, which must outlive it.
class IndexedDisi {
 public:
  // `bytes`: blocks, sentinel and jump table. `file` is for messages and must outlive the object.
  IndexedDisi(std::span<const uint8_t> bytes, int16_t jump_entries, int8_t rank_power,
              std::string_view file);

  // The place of `doc` in the set; nullopt when it is not in it. Throws CorruptIndex.
  std::optional<uint32_t> index_of(uint32_t doc) const;
  // Calls visitor for every document of the set, ascending. Throws CorruptIndex.
  void for_each(const std::function<void(uint32_t doc)>& visitor) const;
  // Throws CorruptIndex unless the jump table and the ranks say what the blocks say.
  void check_jumps() const;

 private:
  struct Block;
  Block read_block(ByteReader& in) const;

  std::span<const uint8_t> blocks_;
  std::span<const uint8_t> jumps_;  // 8 bytes per entry
  int8_t rank_power_;
  std::string_view file_;
};

}  // namespace postern::codec
