#include "codec/doc_values_reader.h"

#include <algorithm>
#include <utility>

#include "base/byte_reader.h"
#include "codec/segment_context.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

// The values of a column, one after another.
class NumberCursor {
 public:
  NumberCursor(const NumbersEntry& entry, std::span<const uint8_t> data, std::string_view file)
      : entry_(entry), in_(entry.values.of(data), file) {
    if (entry.block_shift == 0) {
      width_ = entry.width;
      min_ = entry.min;
      packed_ = entry.values.of(data).data();
      block_left_ = entry.count;
    }
  }

  uint64_t position() const { return position_; }

  int64_t next() {
    if (position_ == entry_.count) in_.fail("more documents than numbers");
    if (block_left_ == 0) start_block();
    --block_left_;
    ++position_;
    if (width_ == 0) return min_;
    const uint64_t value = direct_get(packed_, width_, index_++);
    if (entry_.has_table) {
      if (value >= entry_.table.size()) in_.fail("number " + std::to_string(value) + " of a table");
      return entry_.table[static_cast<size_t>(value)];
    }
    return static_cast<int64_t>(static_cast<uint64_t>(min_) + entry_.gcd * value);
  }

 private:
  void start_block() {
    block_left_ = std::min(uint64_t{1} << entry_.block_shift, entry_.count - position_);
    width_ = in_.read_byte();
    min_ = static_cast<int64_t>(in_.read_le64());
    index_ = 0;
    if (width_ == 0) return;
    const uint32_t length = in_.read_le32();
    if (!is_direct_width(width_) || direct_size(block_left_, width_) > length)
      in_.fail("a block of " + std::to_string(length) + " bytes for " +
               std::to_string(block_left_) + " numbers of " + std::to_string(width_) + " bits");
    packed_ = in_.read_bytes(length).data();
  }

  const NumbersEntry& entry_;
  ByteReader in_;
  const uint8_t* packed_ = nullptr;
  uint32_t width_ = 0;
  int64_t min_ = 0;
  uint64_t index_ = 0;
  uint64_t block_left_ = 0;
  uint64_t position_ = 0;
};

// Lengths of the runs of values or bytes of documents.
class RunCursor {
 public:
  RunCursor(const AddressesEntry* addresses, uint64_t length, std::string_view file)
      : addresses_(addresses), length_(length), file_(file) {}

  uint64_t next() {
    if (addresses_ == nullptr) return length_;
    const uint64_t i = index_++;
    if (i + 1 >= addresses_->ends.count()) fail(i);
    const int64_t start = addresses_->ends.get(i);
    const int64_t end = addresses_->ends.get(i + 1);
    if (start < 0 || end < start || static_cast<uint64_t>(start) != end_) fail(i);
    end_ = static_cast<uint64_t>(end);
    return static_cast<uint64_t>(end - start);
  }

 private:
  [[noreturn]] void fail(uint64_t i) const {
    throw CorruptIndex(std::string(file_) + ": the values of document number " + std::to_string(i) +
                       " of a column do not follow those before");
  }
  const AddressesEntry* addresses_;
  uint64_t length_;  // of every run, without addresses
  std::string_view file_;
  uint64_t index_ = 0;
  uint64_t end_ = 0;
};

template <class T>
const T* address_of(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

}  // namespace

DocValuesReader::DocValuesReader(const Directory& directory, const std::string& segment,
                                 const store::ObjectId& id, const FieldInfos& infos,
                                 uint32_t max_doc, const std::string& suffix)
    : meta_name_(segment_file(segment, suffix, kDocValuesMetaExtension)),
      data_name_(segment_file(segment, suffix, kDocValuesDataExtension)),
      max_doc_(max_doc),
      data_file_(directory.open(data_name_)),
      meta_file_(directory.open(meta_name_)) {
  ByteReader data_reader(data_file_->bytes(), data_name_);
  store::check_index_header(
      data_reader, {kDocValuesDataCodec, kDocValuesVersion, kDocValuesVersion, &id, suffix});
  store::check_footer(data_file_->bytes(), data_name_, false);
  ByteReader meta =
      store::open_whole(meta_file_->bytes(), meta_name_,
                        {kDocValuesMetaCodec, kDocValuesVersion, kDocValuesVersion, &id, suffix});
  for (uint32_t number = meta.read_le32(); number != kDocValuesEnd; number = meta.read_le32()) {
    const FieldInfo* info = infos.by_number(number);
    if (info == nullptr) meta.fail("doc values of the unknown field " + std::to_string(number));
    if (find(number) != nullptr) meta.fail("two entries of field '" + info->name + "'");
    entries_.emplace(number, read_doc_values_entry(meta, *info, data()));
  }
  store::check_at_end(meta);
}

std::span<const uint8_t> DocValuesReader::data() const {
  return data_file_->bytes().first(data_file_->bytes().size() - store::kFooterLength);
}

const DocValuesEntry* DocValuesReader::find(uint32_t field_number) const {
  auto it = entries_.find(field_number);
  return it == entries_.end() ? nullptr : &it->second;
}

void DocValuesReader::visit_docs(const DocsWithFieldMeta& docs,
                                 const std::function<void(uint32_t doc)>& visitor) const {
  if (docs.offset == DocsWithFieldMeta::kNone) return;
  if (docs.offset == DocsWithFieldMeta::kAll) {
    for (uint32_t doc = 0; doc < max_doc_; ++doc) visitor(doc);
    return;
  }
  const DataRange range{static_cast<uint64_t>(docs.offset), docs.length};
  IndexedDisi(range.of(data()), docs.jump_entries, docs.rank_power, data_name_)
      .for_each([&](uint32_t doc) {
        if (doc >= max_doc_)
          throw CorruptIndex(data_name_ + ": doc values of document " + std::to_string(doc) +
                             ", the segment has " + std::to_string(max_doc_));
        visitor(doc);
      });
}

void DocValuesReader::visit_numbers(
    uint32_t field_number, const std::function<void(uint32_t doc, int64_t value)>& visitor) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry == nullptr || entry->binary) return;
  NumberCursor numbers(entry->numbers, data(), data_name_);
  RunCursor runs(address_of(entry->addresses), 1, data_name_);
  visit_docs(entry->numbers.docs, [&](uint32_t doc) {
    for (uint64_t left = runs.next(); left > 0; --left) {
      const int64_t value = numbers.next();
      if (entry->terms && (value < 0 || static_cast<uint64_t>(value) >= entry->terms->count))
        throw CorruptIndex(data_name_ + ": ordinal " + std::to_string(value) + " of " +
                           std::to_string(entry->terms->count) + " terms in document " +
                           std::to_string(doc));
      visitor(doc, value);
    }
  });
  if (numbers.position() != entry->numbers.count)
    throw CorruptIndex(data_name_ + ": " + std::to_string(entry->numbers.count) +
                       " doc values of field " + std::to_string(field_number) +
                       ", documents have " + std::to_string(numbers.position()));
}

void DocValuesReader::visit_counts(
    uint32_t field_number, const std::function<void(uint32_t doc, uint64_t count)>& visitor) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry == nullptr || entry->binary) return;
  RunCursor runs(address_of(entry->addresses), 1, data_name_);
  uint64_t sum = 0;
  visit_docs(entry->numbers.docs, [&](uint32_t doc) {
    const uint64_t count = runs.next();
    sum += count;
    visitor(doc, count);
  });
  if (sum != entry->numbers.count)
    throw CorruptIndex(data_name_ + ": " + std::to_string(entry->numbers.count) +
                       " doc values of field " + std::to_string(field_number) +
                       ", documents have " + std::to_string(sum));
}

void DocValuesReader::check_jumps(uint32_t field_number) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry == nullptr) return;
  const DocsWithFieldMeta& docs = entry->binary ? entry->binary->docs : entry->numbers.docs;
  if (docs.offset >= 0) {
    const DataRange range{static_cast<uint64_t>(docs.offset), docs.length};
    IndexedDisi(range.of(data()), docs.jump_entries, docs.rank_power, data_name_).check_jumps();
  }
  if (entry->numbers.block_shift != 0) check_number_blocks(entry->numbers);
}

// The table behind the blocks: the position of each, then its own.
void DocValuesReader::check_number_blocks(const NumbersEntry& numbers) const {
  ByteReader in(data(), data_name_);
  ByteReader table(data(), data_name_);
  in.seek(numbers.values.offset);
  table.seek(numbers.block_table);
  for (uint64_t left = numbers.count; left > 0;
       left -= std::min(left, uint64_t{1} << numbers.block_shift)) {
    if (table.read_le64() != in.position())
      table.fail("an offset of a block of numbers that does not lead to it");
    const uint8_t width = in.read_byte();
    in.skip(8);
    if (width != 0) in.skip(in.read_le32());
  }
  if (in.position() != numbers.block_table || table.read_le64() != numbers.block_table)
    table.fail("offsets of blocks of numbers that do not follow the blocks");
}

void DocValuesReader::visit_bytes(
    uint32_t field_number,
    const std::function<void(uint32_t doc, std::span<const uint8_t> value)>& visitor) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry == nullptr || !entry->binary) return;
  ByteReader bytes(entry->binary->bytes.of(data()), data_name_);
  RunCursor runs(address_of(entry->binary->addresses), entry->binary->max_length, data_name_);
  visit_docs(entry->binary->docs,
             [&](uint32_t doc) { visitor(doc, bytes.read_bytes(runs.next())); });
  if (bytes.remaining() != 0) bytes.fail("bytes behind the last value");
}

void DocValuesReader::visit_terms(uint32_t field_number, const TermVisitor& visitor) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry != nullptr && entry->terms)
    codec::visit_terms(*entry->terms, data(), data_name_, visitor);
}

void DocValuesReader::visit_term_index(uint32_t field_number, const TermVisitor& visitor) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry != nullptr && entry->terms)
    codec::visit_term_index(*entry->terms, data(), data_name_, visitor);
}

void DocValuesReader::visit_skip_index(
    uint32_t field_number, const std::function<void(const SkipInterval&)>& visitor) const {
  const DocValuesEntry* entry = find(field_number);
  if (entry == nullptr || !entry->skip_index) return;
  ByteReader in(entry->skip_index->range.of(data()), data_name_);
  while (in.remaining() != 0) {
    const uint32_t levels = in.read_byte();
    if (levels == 0 || levels > kSkipLevels)
      in.fail("a skip record of " + std::to_string(levels) + " levels");
    for (uint32_t level = levels; level-- > 0;) {
      SkipInterval interval;
      interval.level = level;
      interval.max_doc = in.read_le32();
      interval.min_doc = in.read_le32();
      interval.max_value = static_cast<int64_t>(in.read_le64());
      interval.min_value = static_cast<int64_t>(in.read_le64());
      interval.doc_count = in.read_le32();
      visitor(interval);
    }
  }
}

}  // namespace postern::codec
