#include "codec/stored_fields_reader.h"

#include <algorithm>
#include <bit>

#include "base/byte_reader.h"

namespace postern::codec {
namespace {

ChunkFilesFormat files_of(const StoredFieldsFormat& format) {
  return {{"fdt", format.data_codec, kStoredFieldsDataVersion},
          {"fdx", kStoredFieldsIndexCodec, kStoredFieldsIndexVersion},
          {"fdm", kStoredFieldsMetaCodec, kStoredFieldsMetaVersion}};
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
      index_(directory, segment, id, files_of(format_), max_doc),
      decompressor_(mode) {
  chunk_size_ = index_.meta().read_vint();
  if (chunk_size_ == 0) index_.meta().fail("chunk size 0");
  index_.read_index();
}

void StoredFieldsReader::load_chunk(uint32_t doc) {
  const uint64_t chunk = index_.find(doc);
  chunk_documents_ = 0;
  ByteReader in = index_.open_chunk(chunk);
  chunk_base_ = in.read_vint();
  const uint32_t token = in.read_vint();
  const uint32_t documents = token >> 2;
  index_.check_chunk(in, chunk, chunk_base_, documents, doc);
  value_counts_ = StoredFieldsInts(in, documents);
  lengths_ = StoredFieldsInts(in, documents);

  const uint64_t total = lengths_.sum(documents);
  const bool sliced = (token & 1) != 0;
  content_.clear();
  if (sliced && total > chunk_size_) {
    for (uint64_t left = total; left > 0; left -= std::min<uint64_t>(left, chunk_size_))
      decompressor_.decompress(in, std::min<uint64_t>(left, chunk_size_), content_);
  } else {
    decompressor_.decompress(in, total, content_);
  }
  if (in.remaining() != 0) in.fail("bytes behind chunk " + std::to_string(chunk));
  chunk_documents_ = documents;
  next_in_chunk_ = 0;
  next_offset_ = 0;
}

void StoredFieldsReader::visit(uint32_t doc,
                               const std::function<void(const StoredValue&)>& visitor) {
  if (doc < chunk_base_ || doc - chunk_base_ >= chunk_documents_) load_chunk(doc);
  const uint32_t place = doc - chunk_base_;
  const uint64_t offset = place == next_in_chunk_ ? next_offset_ : lengths_.sum(place);
  const uint32_t length = lengths_.get(place);
  next_in_chunk_ = place + 1;
  next_offset_ = offset + length;
  ByteReader in(content_.bytes().subspan(offset, length), index_.data_name());
  for (uint32_t n = value_counts_.get(place); n > 0; --n) visitor(read_value(in));
  if (in.remaining() != 0) in.fail("bytes behind the values of document " + std::to_string(doc));
}

}  // namespace postern::codec
