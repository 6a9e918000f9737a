#include "codec/doc_values_entries.h"

#include <array>
#include <string>

namespace postern::codec {
namespace {

// What DirectMonotonic allows.
constexpr uint32_t kMinMonotonicShift = 2;
constexpr uint32_t kMaxMonotonicShift = 22;
constexpr uint32_t kMaxShift = 30;

class EntryReader {
 public:
  EntryReader(ByteReader& meta, std::span<const uint8_t> data) : meta_(meta), data_(data) {}

  DataRange range() {
    const uint64_t offset = meta_.read_le64();
    return range_at(offset, meta_.read_le64());
  }

  DocsWithFieldMeta docs() {
    const DocsWithFieldMeta docs = read_docs_with_field(meta_);
    if (docs.offset >= 0) range_at(static_cast<uint64_t>(docs.offset), docs.length);
    return docs;
  }

  NumbersEntry numbers() {
    NumbersEntry n;
    n.docs = docs();
    n.count = meta_.read_le64();
    const auto table = static_cast<int32_t>(meta_.read_le32());
    if (table > static_cast<int32_t>(kMaxTable) || table < -2 - static_cast<int32_t>(kMaxShift))
      meta_.fail("a table of " + std::to_string(table) + " numbers");
    n.has_table = table >= 0;
    for (int32_t i = 0; i < table; ++i) n.table.push_back(static_cast<int64_t>(meta_.read_le64()));
    if (table < kNoTable) n.block_shift = static_cast<uint32_t>(-2 - table);
    n.width = meta_.read_byte();
    n.min = static_cast<int64_t>(meta_.read_le64());
    n.gcd = meta_.read_le64();
    n.values = range();
    n.block_table = meta_.read_le64();
    if (table < kNoTable) {
      // Longer blocks would let a few bytes stand for any number of values.
      if (n.block_shift == 0 || n.block_shift > kNumberBlockShift)
        meta_.fail("blocks of 2^" + std::to_string(n.block_shift) + " numbers");
      return n;
    }
    if (n.width != 0 && !is_direct_width(n.width))
      meta_.fail("numbers of " + std::to_string(n.width) + " bits");
    if (n.width != 0 && (n.count > n.values.length * 8 / n.width ||
                         direct_size(n.count, n.width) > n.values.length))
      meta_.fail(std::to_string(n.count) + " numbers of " + std::to_string(n.width) + " bits in " +
                 std::to_string(n.values.length) + " bytes");
    return n;
  }

  AddressesEntry addresses(uint64_t doc_count) {
    const uint64_t offset = meta_.read_le64();
    const uint32_t shift = monotonic_shift(meta_.read_vint());
    AddressesEntry a;
    a.ends = DirectMonotonicReader::read_meta(meta_, doc_count + 1, shift);
    a.range = range_at(offset, meta_.read_le64());
    a.ends.bind(a.range.of(data_), meta_.name());
    return a;
  }

  BinaryEntry binary() {
    BinaryEntry b;
    b.bytes = range();
    b.docs = docs();
    b.doc_count = meta_.read_le32();
    b.min_length = meta_.read_le32();
    b.max_length = meta_.read_le32();
    if (b.min_length < b.max_length) {
      b.addresses = addresses(b.doc_count);
    } else if (uint64_t{b.doc_count} * b.max_length != b.bytes.length) {
      meta_.fail(std::to_string(b.doc_count) + " values of " + std::to_string(b.max_length) +
                 " bytes in " + std::to_string(b.bytes.length) + " bytes");
    }
    return b;
  }

  TermsDictEntry terms() {
    TermsDictEntry t;
    t.count = meta_.read_vlong();
    const uint32_t shift = monotonic_shift(meta_.read_le32());
    t.block_starts = DirectMonotonicReader::read_meta(meta_, divided_up(t.count, 6), shift);
    t.max_term_length = meta_.read_le32();
    t.max_block_length = meta_.read_le32();
    t.terms = range();
    t.block_starts.bind(range().of(data_), meta_.name());
    t.index_shift = meta_.read_le32();
    if (t.index_shift > kMaxShift)
      meta_.fail("an index of every 2^" + std::to_string(t.index_shift) + "th term");
    t.key_ends =
        DirectMonotonicReader::read_meta(meta_, divided_up(t.count, t.index_shift) + 1, shift);
    t.keys = range();
    t.key_ends.bind(range().of(data_), meta_.name());
    return t;
  }

  SkipIndexEntry skip_index() {
    SkipIndexEntry s;
    s.range = range();
    s.max_value = static_cast<int64_t>(meta_.read_le64());
    s.min_value = static_cast<int64_t>(meta_.read_le64());
    s.doc_count = meta_.read_le32();
    s.max_doc = static_cast<int32_t>(meta_.read_le32());
    return s;
  }

 private:
  static uint64_t divided_up(uint64_t count, uint32_t shift) {
    return (count >> shift) + ((count & ((uint64_t{1} << shift) - 1)) != 0);
  }
  uint32_t monotonic_shift(uint32_t shift) {
    if (shift < kMinMonotonicShift || shift > kMaxMonotonicShift)
      meta_.fail("monotonic blocks of 2^" + std::to_string(shift) + " values");
    return shift;
  }
  DataRange range_at(uint64_t offset, uint64_t length) {
    if (offset > data_.size() || length > data_.size() - offset)
      meta_.fail(std::to_string(length) + " bytes at " + std::to_string(offset) +
                 " of a data file of " + std::to_string(data_.size()));
    return {offset, length};
  }

  ByteReader& meta_;
  std::span<const uint8_t> data_;
};

constexpr std::array<DocValuesType, 5> kTypeOfKind = {
    DocValuesType::kNumeric, DocValuesType::kBinary, DocValuesType::kSorted,
    DocValuesType::kSortedSet, DocValuesType::kSortedNumeric};

}  // namespace

DocValuesEntry read_doc_values_entry(ByteReader& meta, const FieldInfo& field,
                                     std::span<const uint8_t> data) {
  DocValuesEntry entry;
  const uint8_t kind = meta.read_byte();
  if (kind >= kTypeOfKind.size() || kTypeOfKind[kind] != field.doc_values)
    meta.fail("doc values of kind " + std::to_string(kind) + " of field '" + field.name +
              "', whose type is " + std::to_string(static_cast<int>(field.doc_values)));
  entry.kind = static_cast<DocValuesKind>(kind);
  EntryReader reader(meta, data);
  if (field.doc_values_skip_index) entry.skip_index = reader.skip_index();
  if (entry.kind == DocValuesKind::kBinary) {
    entry.binary = reader.binary();
    return entry;
  }
  bool multi_valued = entry.kind == DocValuesKind::kSortedNumeric;
  if (entry.kind == DocValuesKind::kSortedSet) {
    const uint8_t flag = meta.read_byte();
    if (flag > 1) meta.fail("a multi-valued flag of " + std::to_string(flag));
    multi_valued = flag == 1;
  }
  entry.numbers = reader.numbers();
  if (multi_valued) {
    entry.doc_count = meta.read_le32();
    if (entry.numbers.count < *entry.doc_count)
      meta.fail(std::to_string(entry.numbers.count) + " values in " +
                std::to_string(*entry.doc_count) + " documents");
    if (entry.numbers.count != *entry.doc_count)
      entry.addresses = reader.addresses(*entry.doc_count);
  }
  if (entry.kind == DocValuesKind::kSorted || entry.kind == DocValuesKind::kSortedSet)
    entry.terms = reader.terms();
  return entry;
}

}  // namespace postern::codec
