#include "codec/stored_fields_reader.h"

#include <algorithm>
#include <bit>

#include "base/byte_reader.h"
#include "codec/segment_context.h"
#include "codec/stored_fields_index.h"

namespace postern::codec {
namespace {

constexpr uint32_t kMaxBlockShift = 22;

std::span<const uint8_t> without_footer(std::span<const uint8_t> file) {
  return file.first(file.size() - store::kFooterLength);
}

float read_float(ByteReader& in) {
  const uint8_t first = in.read_byte();
  if (first == 0xff) return std::bit_cast<float>(in.read_le32());
  if (first >= 0x80) return static_cast<float>((first & 0x7f) - 1);
  const uint32_t middle = in.read_le16();
  return std::bit_cast<float>(uint32_t{first} << 24 | middle << 8 | in.read_byte());
}

double read_double(ByteReader& in) {
  const uint8_t first = in.read_byte();
  if (first == 0xff) return std::bit_cast<double>(in.read_le64());
  if (first == 0xfe) return static_cast<double>(std::bit_cast<float>(in.read_le32()));
  if (first >= 0x80) return (first & 0x7f) - 1;
  const uint64_t high = in.read_le32();
  const uint64_t middle = in.read_le16();
  return std::bit_cast<double>(uint64_t{first} << 56 | high << 24 | middle << 8 | in.read_byte());
}

// Products wrap, as Java's do.
int64_t read_long(ByteReader& in) {
  const uint8_t first = in.read_byte();
  uint64_t z = first & 0x1f;
  if ((first & 0x20) != 0) z |= in.read_vlong() << 5;
  constexpr uint64_t kUnits[] = {1, 1000, 3'600'000, 86'400'000};
  return static_cast<int64_t>(static_cast<uint64_t>(unzigzag64(z)) * kUnits[first >> 6]);
}

std::string_view read_sized(ByteReader& in) {
  auto bytes = in.read_bytes(in.read_vint());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

StoredValue read_value(ByteReader& in) {
  const uint64_t header = in.read_vlong();
  if (header >> 3 > 0x7fffffff || (header & 7) > static_cast<uint64_t>(StoredType::kDouble))
    in.fail("a stored value with header " + std::to_string(header));
  StoredValue value;
  value.field_number = static_cast<uint32_t>(header >> 3);
  value.type = static_cast<StoredType>(header & 7);
  switch (value.type) {
    case StoredType::kString:
    case StoredType::kBytes:
      value.bytes = read_sized(in);
      break;
    case StoredType::kInt:
      value.integer = in.read_zint();
      break;
    case StoredType::kFloat:
      value.number = static_cast<double>(read_float(in));
      break;
    case StoredType::kLong:
      value.integer = read_long(in);
      break;
    case StoredType::kDouble:
      value.number = read_double(in);
      break;
  }
  return value;
}

}  // namespace

StoredFieldsReader::StoredFieldsReader(const Directory& directory, const std::string& segment,
                                       const store::ObjectId& id, StoredFieldsMode mode,
                                       uint32_t max_doc)
    : format_(stored_fields_format(mode)),
      max_doc_(max_doc),
      data_name_(segment_file(segment, "", "fdt")),
      index_name_(segment_file(segment, "", "fdx")),
      data_file_(directory.open(data_name_)),
      index_file_(directory.open(index_name_)),
      decompressor_(mode) {
  ByteReader data(data_file_->bytes(), data_name_);
  store::check_index_header(
      data, {format_.data_codec, kStoredFieldsDataVersion, kStoredFieldsDataVersion, &id, ""});
  store::check_footer(data_file_->bytes(), data_name_, false);
  ByteReader index(index_file_->bytes(), index_name_);
  store::check_index_header(index, {kStoredFieldsIndexCodec, kStoredFieldsIndexVersion,
                                    kStoredFieldsIndexVersion, &id, ""});
  store::check_footer(index_file_->bytes(), index_name_, true);
  read_meta(directory, segment_file(segment, "", "fdm"), id);
}

void StoredFieldsReader::read_meta(const Directory& directory, const std::string& name,
                                   const store::ObjectId& id) {
  meta_file_ = directory.open(name);
  store::check_footer(meta_file_->bytes(), name, true);
  ByteReader meta(without_footer(meta_file_->bytes()), name);
  store::check_index_header(
      meta, {kStoredFieldsMetaCodec, kStoredFieldsMetaVersion, kStoredFieldsMetaVersion, &id, ""});
  chunk_size_ = meta.read_vint();
  const uint32_t documents = meta.read_le32();
  const uint32_t block_shift = meta.read_le32();
  const uint32_t entries = meta.read_le32();
  if (documents != max_doc_)
    meta.fail(std::to_string(documents) + " documents in a segment of " + std::to_string(max_doc_));
  if (chunk_size_ == 0 || block_shift > kMaxBlockShift || entries == 0)
    meta.fail("chunk size " + std::to_string(chunk_size_) + ", block shift " +
              std::to_string(block_shift) + ", " + std::to_string(entries) + " index entries");
  const auto index = without_footer(index_file_->bytes());
  uint64_t start = meta.read_le64();
  for (DirectMonotonicReader* column : {&first_documents_, &pointers_}) {
    *column = DirectMonotonicReader::read_meta(meta, entries, block_shift);
    const uint64_t end = meta.read_le64();
    if (start > end || end > index.size())
      meta.fail("an index column at bytes " + std::to_string(start) + " to " + std::to_string(end) +
                " of " + index_name_);
    column->bind(index.subspan(start, end - start), index_name_);
    start = end;
  }
  if (meta.read_le64() > without_footer(data_file_->bytes()).size())
    meta.fail("chunks beyond the end of " + data_name_);
  chunk_count_ = meta.read_vlong();
  dirty_chunks_ = meta.read_vlong();
  dirty_documents_ = meta.read_vlong();
  if (chunk_count_ + 1 != entries || dirty_chunks_ > chunk_count_ ||
      dirty_documents_ < dirty_chunks_ || (dirty_chunks_ == 0) != (dirty_documents_ == 0))
    meta.fail("impossible totals: " + std::to_string(chunk_count_) + " chunks, " +
              std::to_string(dirty_chunks_) + " dirty ones with " +
              std::to_string(dirty_documents_) + " documents");
  if (meta.remaining() != 0) meta.fail("bytes behind its end");
}

// The last chunk that starts at or before `doc`.
uint64_t StoredFieldsReader::find_chunk(uint32_t doc) const {
  uint64_t low = 0, high = chunk_count_;  // the answer lies in [low, high)
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (first_documents_.get(middle) <= int64_t{doc}) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

void StoredFieldsReader::load_chunk(uint64_t chunk) {
  chunk_ = kNone;
  const auto start = static_cast<uint64_t>(pointers_.get(chunk));
  const auto end = static_cast<uint64_t>(pointers_.get(chunk + 1));
  const auto data = without_footer(data_file_->bytes());
  if (start > end || end > data.size())
    throw CorruptIndex(data_name_ + ": chunk " + std::to_string(chunk) + " at bytes " +
                       std::to_string(start) + " to " + std::to_string(end));
  ByteReader in(data.first(end), data_name_);
  in.seek(start);
  chunk_base_ = in.read_vint();
  const uint32_t token = in.read_vint();
  chunk_documents_ = token >> 2;
  if (chunk_documents_ == 0 || int64_t{chunk_base_} != first_documents_.get(chunk) ||
      int64_t{chunk_base_} + chunk_documents_ != first_documents_.get(chunk + 1))
    in.fail("chunk " + std::to_string(chunk) + " holds documents " + std::to_string(chunk_base_) +
            " + " + std::to_string(chunk_documents_) + ", its index says otherwise");
  value_counts_ = StoredFieldsInts(in, chunk_documents_);
  lengths_ = StoredFieldsInts(in, chunk_documents_);

  const uint64_t total = lengths_.sum(chunk_documents_);
  const bool sliced = (token & 1) != 0;
  content_.clear();
  if (sliced && total > chunk_size_) {
    for (uint64_t left = total; left > 0; left -= std::min<uint64_t>(left, chunk_size_))
      decompressor_.decompress(in, std::min<uint64_t>(left, chunk_size_), content_);
  } else {
    decompressor_.decompress(in, total, content_);
  }
  if (in.remaining() != 0) in.fail("bytes behind chunk " + std::to_string(chunk));
  chunk_ = chunk;
  next_in_chunk_ = 0;
  next_offset_ = 0;
}

void StoredFieldsReader::visit(uint32_t doc,
                               const std::function<void(const StoredValue&)>& visitor) {
  if (doc >= max_doc_)
    throw InvalidArgument("document " + std::to_string(doc) + " of a segment of " +
                          std::to_string(max_doc_));
  if (chunk_count_ == 0) throw CorruptIndex(data_name_ + ": no chunks");
  if (chunk_ == kNone || doc < chunk_base_ || doc - chunk_base_ >= chunk_documents_)
    load_chunk(find_chunk(doc));
  if (doc < chunk_base_ || doc - chunk_base_ >= chunk_documents_)
    throw CorruptIndex(index_name_ + ": no chunk has document " + std::to_string(doc));

  const uint32_t place = doc - chunk_base_;
  const uint64_t offset = place == next_in_chunk_ ? next_offset_ : lengths_.sum(place);
  const uint32_t length = lengths_.get(place);
  next_in_chunk_ = place + 1;
  next_offset_ = offset + length;
  ByteReader in(content_.bytes().subspan(offset, length), data_name_);
  for (uint32_t n = value_counts_.get(place); n > 0; --n) visitor(read_value(in));
  if (in.remaining() != 0) in.fail("bytes behind the values of document " + std::to_string(doc));
}

}  // namespace postern::codec
