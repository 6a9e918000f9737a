#include "codec/norms_reader.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "codec/norms_format.h"
#include "codec/segment_context.h"

namespace postern::codec {

NormsReader::NormsReader(const Directory& directory, const std::string& segment,
                         const store::ObjectId& id, uint32_t max_doc)
    : meta_name_(segment_file(segment, "", kNormsMetaExtension)),
      data_name_(segment_file(segment, "", kNormsDataExtension)),
      max_doc_(max_doc),
      data_file_(directory.open(data_name_)) {
  ByteReader data(data_file_->bytes(), data_name_);
  store::check_index_header(data, {kNormsDataCodec, kNormsVersion, kNormsVersion, &id, ""});
  store::check_footer(data_file_->bytes(), data_name_, false);
  read_meta(directory.open(meta_name_)->bytes(), id);
}

void NormsReader::read_meta(std::span<const uint8_t> file, const store::ObjectId& id) {
  store::check_footer(file, meta_name_, true);
  ByteReader meta(file.first(file.size() - store::kFooterLength), meta_name_);
  store::check_index_header(meta, {kNormsMetaCodec, kNormsVersion, kNormsVersion, &id, ""});
  for (uint32_t number = meta.read_le32(); number != kNormsEnd; number = meta.read_le32()) {
    Field field;
    field.docs = read_docs_with_field(meta);
    field.count = meta.read_le32();
    field.width = meta.read_byte();
    field.offset = static_cast<int64_t>(meta.read_le64());
    if (find(number) != nullptr) meta.fail("two entries of field " + std::to_string(number));
    if (!is_consistent(field))
      meta.fail("an impossible entry of field " + std::to_string(number) + ": " +
                std::to_string(field.count) + " norms of " + std::to_string(field.width) +
                " bytes at " + std::to_string(field.offset) + ", documents at " +
                std::to_string(field.docs.offset));
    fields_.emplace(number, field);
  }
  if (meta.remaining() != 0) meta.fail("bytes behind its end");
}

// Everything the entry points to lies in the data file.
bool NormsReader::is_consistent(const Field& field) const {
  const uint64_t size = data_file_->bytes().size() - store::kFooterLength;
  auto inside = [size](int64_t offset, uint64_t length) {
    return offset >= 0 && static_cast<uint64_t>(offset) <= size &&
           length <= size - static_cast<uint64_t>(offset);
  };
  if (field.count > max_doc_) return false;
  if (field.docs.offset == DocsWithFieldMeta::kAll && field.count != max_doc_) return false;
  if (field.docs.offset == DocsWithFieldMeta::kNone && field.count != 0) return false;
  if (field.docs.offset >= 0 && !inside(field.docs.offset, field.docs.length)) return false;
  switch (field.width) {
    case 0:
      return true;
    case 1:
    case 2:
    case 4:
    case 8:
      return inside(field.offset, uint64_t{field.count} * field.width);
    default:
      return false;
  }
}

const NormsReader::Field* NormsReader::find(uint32_t field_number) const {
  const auto it = fields_.find(field_number);
  return it == fields_.end() ? nullptr : &it->second;
}

uint32_t NormsReader::document_count(uint32_t field_number) const {
  const Field* field = find(field_number);
  return field == nullptr ? 0 : field->count;
}

std::optional<int64_t> NormsReader::norm(uint32_t field_number, uint32_t doc) const {
  const Field* field = find(field_number);
  if (field == nullptr || field->count == 0 || doc >= max_doc_) return {};
  uint64_t place = doc;
  if (field->docs.offset != DocsWithFieldMeta::kAll) {
    const auto index = documents(*field).index_of(doc);
    if (!index) return {};
    place = *index;
  }
  if (place >= field->count)
    throw CorruptIndex(data_name_ + ": document " + std::to_string(doc) + " is number " +
                       std::to_string(place) + " of " + std::to_string(field->count) +
                       " with field " + std::to_string(field_number));
  return value(*field, place);
}

IndexedDisi NormsReader::documents(const Field& field) const {
  return {data_file_->bytes().subspan(static_cast<size_t>(field.docs.offset), field.docs.length),
          field.docs.jump_entries, field.docs.rank_power, data_name_};
}

void NormsReader::for_each(uint32_t field_number,
                           const std::function<void(uint32_t doc, int64_t norm)>& visitor) const {
  const Field* field = find(field_number);
  if (field == nullptr) return;
  uint32_t place = 0;
  auto visit = [&](uint32_t doc) {
    if (doc >= max_doc_ || place == field->count)
      throw CorruptIndex(data_name_ + ": a norm of document " + std::to_string(doc) + " of " +
                         std::to_string(max_doc_) + ", number " + std::to_string(place) + " of " +
                         std::to_string(field->count) + " with field " +
                         std::to_string(field_number));
    visitor(doc, value(*field, place++));
  };
  if (field->docs.offset == DocsWithFieldMeta::kAll) {
    for (uint32_t doc = 0; doc < max_doc_; ++doc) visit(doc);
  } else if (field->docs.offset >= 0) {
    documents(*field).for_each(visit);
  }
  if (place != field->count)
    throw CorruptIndex(data_name_ + ": " + std::to_string(place) + " documents with a norm of " +
                       "field " + std::to_string(field_number) + ", recorded are " +
                       std::to_string(field->count));
}

void NormsReader::check_jumps(uint32_t field_number) const {
  const Field* field = find(field_number);
  if (field != nullptr && field->docs.offset >= 0) documents(*field).check_jumps();
}

int64_t NormsReader::value(const Field& field, uint64_t place) const {
  if (field.width == 0) return field.offset;
  const uint8_t* p =
      data_file_->bytes().data() + static_cast<uint64_t>(field.offset) + place * field.width;
  switch (field.width) {
    case 1:
      return static_cast<int8_t>(*p);
    case 2:
      return load_le<int16_t>(p);
    case 4:
      return load_le<int32_t>(p);
    default:
      return load_le<int64_t>(p);
  }
}

}  // namespace postern::codec
