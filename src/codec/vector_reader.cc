#include "codec/vector_reader.h"

#include <algorithm>
#include <set>

#include "base/byte_reader.h"
#include "codec/segment_context.h"
#include "codec/vector_format.h"

namespace postern::codec {
namespace {

VectorField read_field(ByteReader& meta, uint32_t number) {
  VectorField field;
  field.number = number;
  const uint32_t encoding = meta.read_le32();
  const uint32_t similarity = meta.read_le32();
  if (encoding > 1) meta.fail("the unknown vector encoding " + std::to_string(encoding));
  if (similarity > 3) meta.fail("the unknown vector similarity " + std::to_string(similarity));
  field.encoding = static_cast<VectorEncoding>(encoding);
  field.similarity = static_cast<VectorSimilarity>(similarity);
  field.offset = meta.read_vlong();
  field.length = meta.read_vlong();
  field.dimension = meta.read_vint();
  field.count = meta.read_le32();
  return field;
}

bool inside(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

}  // namespace

void read_vector_fields(ByteReader& meta, const FieldInfos& infos, uint32_t max_doc,
                        uint64_t data_size,
                        const std::function<void(const VectorField& field)>& rest) {
  std::set<uint32_t> seen;
  for (uint32_t number = meta.read_le32(); number != kVectorEnd; number = meta.read_le32()) {
    const std::string what = "field " + std::to_string(number);
    const FieldInfo* info = infos.by_number(number);
    if (info == nullptr || info->vector_dimension == 0)
      meta.fail("an entry of " + what + ", which has no vectors");
    if (!seen.insert(number).second) meta.fail("two entries of " + what);
    const VectorField field = read_field(meta, number);
    if (field.encoding != info->vector_encoding || field.similarity != info->vector_similarity ||
        field.dimension != info->vector_dimension)
      meta.fail("encoding, similarity or dimension of " + what + " contradict the field infos");
    if (field.count > max_doc)
      meta.fail(std::to_string(field.count) + " vectors of " + what + " in " +
                std::to_string(max_doc) + " documents");
    if (!inside(field.offset, field.length, data_size))
      meta.fail(std::to_string(field.length) + " bytes of " + what + " at " +
                std::to_string(field.offset) + ", beyond the data");
    rest(field);
  }
  if (meta.remaining() != 0) meta.fail("bytes behind its end");
  for (const FieldInfo& info : infos.fields) {
    if (info.vector_dimension != 0 && !seen.contains(info.number))
      meta.fail("no entry of the field \"" + info.name + "\"");
  }
}

VectorReader::VectorReader(const Directory& directory, const std::string& segment,
                           const store::ObjectId& id, const FieldInfos& infos, uint32_t max_doc)
    : meta_name_(segment_file(segment, kVectorSuffix, kVectorMetaExtension)),
      data_name_(segment_file(segment, kVectorSuffix, kVectorDataExtension)),
      max_doc_(max_doc),
      data_file_(directory.open(data_name_)),
      meta_file_(directory.open(meta_name_)) {
  ByteReader data(data_file_->bytes(), data_name_);
  store::check_index_header(data,
                            {kVectorDataCodec, kVectorVersion, kVectorVersion, &id, kVectorSuffix});
  store::check_footer(data_file_->bytes(), data_name_, false);
  ByteReader meta =
      store::open_whole(meta_file_->bytes(), meta_name_,
                        {kVectorMetaCodec, kVectorVersion, kVectorVersion, &id, kVectorSuffix});
  const uint64_t size = data_file_->bytes().size() - store::kFooterLength;
  read_vector_fields(meta, infos, max_doc, size, [&](const VectorField& field) {
    VectorEntry entry{field, {}, 0, 0, {}};
    const uint64_t row = uint64_t{field.dimension} * component_bytes(field.encoding);
    entry.docs = read_docs_with_field(meta);
    const bool none = entry.docs.offset == DocsWithFieldMeta::kNone;
    const bool all = entry.docs.offset == DocsWithFieldMeta::kAll;
    if (field.length != row * field.count || (none && field.count != 0) ||
        (all && field.count != max_doc_) ||
        (!none && !all &&
         !inside(static_cast<uint64_t>(entry.docs.offset), entry.docs.length, size)))
      meta.fail("an impossible entry of field " + std::to_string(field.number) + ": " +
                std::to_string(field.count) + " vectors in " + std::to_string(field.length) +
                " bytes, documents at " + std::to_string(entry.docs.offset));
    if (!none && !all) {
      entry.addresses_offset = meta.read_le64();
      const uint32_t shift = meta.read_vint();
      if (shift < 2 || shift > 22) meta.fail("a block shift of " + std::to_string(shift));
      entry.addresses = DirectMonotonicReader::read_meta(meta, field.count, shift);
      entry.addresses_length = meta.read_le64();
      if (!inside(entry.addresses_offset, entry.addresses_length, size))
        meta.fail("documents of ordinals beyond the data");
      entry.addresses.bind(
          data_file_->bytes().subspan(entry.addresses_offset, entry.addresses_length), data_name_);
    }
    entries_.push_back(entry);
  });
}

const VectorEntry* VectorReader::find(uint32_t field_number) const {
  const auto at = std::ranges::find(entries_, field_number, &VectorEntry::number);
  return at == entries_.end() ? nullptr : &*at;
}

std::span<const uint8_t> VectorReader::vectors(const VectorEntry& entry) const {
  return data_file_->bytes().subspan(entry.offset, entry.length);
}

uint64_t VectorReader::data_size() const {
  return data_file_->bytes().size() - store::kFooterLength;
}

IndexedDisi VectorReader::document_set(const VectorEntry& entry) const {
  return {data_file_->bytes().subspan(static_cast<size_t>(entry.docs.offset), entry.docs.length),
          entry.docs.jump_entries, entry.docs.rank_power, data_name_};
}

void VectorReader::check_jumps(const VectorEntry& entry) const {
  if (entry.docs.offset >= 0) document_set(entry).check_jumps();
}

void VectorReader::visit_docs(const VectorEntry& entry,
                              const std::function<void(uint32_t doc)>& visitor) const {
  if (entry.docs.offset == DocsWithFieldMeta::kNone) return;
  if (entry.docs.offset == DocsWithFieldMeta::kAll) {
    for (uint32_t doc = 0; doc < max_doc_; ++doc) visitor(doc);
    return;
  }
  const IndexedDisi set = document_set(entry);
  uint32_t ord = 0;
  auto fail = [&](const std::string& what) {
    throw CorruptIndex(data_name_ + ": field " + std::to_string(entry.number) + ": " + what);
  };
  set.for_each([&](uint32_t doc) {
    if (ord == entry.count || doc >= max_doc_) fail("more documents than vectors");
    if (entry.addresses.get(ord) != int64_t{doc})
      fail("the document of vector " + std::to_string(ord) + " is told in two ways");
    ++ord;
    visitor(doc);
  });
  if (ord != entry.count) fail("fewer documents than vectors");
}

}  // namespace postern::codec
