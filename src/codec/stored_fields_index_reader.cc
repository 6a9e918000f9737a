#include "codec/stored_fields_index_reader.h"

#include "codec/segment_context.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

constexpr uint32_t kMaxBlockShift = 22;

std::span<const uint8_t> without_footer(std::span<const uint8_t> file) {
  return file.first(file.size() - store::kFooterLength);
}

}  // namespace

StoredFieldsIndexReader::StoredFieldsIndexReader(const Directory& directory,
                                                 const std::string& segment,
                                                 const store::ObjectId& id,
                                                 const ChunkFilesFormat& format, uint32_t max_doc)
    : max_doc_(max_doc),
      data_name_(segment_file(segment, "", format.data.extension)),
      index_name_(segment_file(segment, "", format.index.extension)),
      meta_name_(segment_file(segment, "", format.meta.extension)),
      data_file_(open(directory, data_name_, id, format.data, false)),
      index_file_(open(directory, index_name_, id, format.index, true)),
      meta_file_(open(directory, meta_name_, id, format.meta, true)),
      meta_(without_footer(meta_file_->bytes()), meta_name_) {
  meta_.seek(store::index_header_length(format.meta.codec, ""));
}

std::unique_ptr<InputFile> StoredFieldsIndexReader::open(const Directory& directory,
                                                         const std::string& name,
                                                         const store::ObjectId& id,
                                                         const ChunkFileFormat& format,
                                                         bool whole) const {
  std::unique_ptr<InputFile> file = directory.open(name);
  ByteReader in(file->bytes(), name);
  store::check_index_header(in, {format.codec, format.version, format.version, &id, ""});
  store::check_footer(file->bytes(), name, whole);
  return file;
}

void StoredFieldsIndexReader::read_index() {
  const uint32_t documents = meta_.read_le32();
  const uint32_t block_shift = meta_.read_le32();
  const uint32_t entries = meta_.read_le32();
  if (documents != max_doc_)
    meta_.fail(std::to_string(documents) + " documents in a segment of " +
               std::to_string(max_doc_));
  if (block_shift > kMaxBlockShift || entries == 0)
    meta_.fail("block shift " + std::to_string(block_shift) + ", " + std::to_string(entries) +
               " index entries");
  const auto index = without_footer(index_file_->bytes());
  uint64_t start = meta_.read_le64();
  for (DirectMonotonicReader* column : {&first_documents_, &pointers_}) {
    *column = DirectMonotonicReader::read_meta(meta_, entries, block_shift);
    const uint64_t end = meta_.read_le64();
    if (start > end || end > index.size())
      meta_.fail("an index column at bytes " + std::to_string(start) + " to " +
                 std::to_string(end) + " of " + index_name_);
    column->bind(index.subspan(start, end - start), index_name_);
    start = end;
  }
  if (meta_.read_le64() > without_footer(data_file_->bytes()).size())
    meta_.fail("chunks beyond the end of " + data_name_);
  chunk_count_ = meta_.read_vlong();
  dirty_chunks_ = meta_.read_vlong();
  dirty_documents_ = meta_.read_vlong();
  if (chunk_count_ + 1 != entries || dirty_chunks_ > chunk_count_ ||
      dirty_documents_ < dirty_chunks_ || (dirty_chunks_ == 0) != (dirty_documents_ == 0))
    meta_.fail("impossible totals: " + std::to_string(chunk_count_) + " chunks, " +
               std::to_string(dirty_chunks_) + " dirty ones with " +
               std::to_string(dirty_documents_) + " documents");
  if (meta_.remaining() != 0) meta_.fail("bytes behind its end");
}

uint64_t StoredFieldsIndexReader::find(uint32_t doc) const {
  if (doc >= max_doc_)
    throw InvalidArgument("document " + std::to_string(doc) + " of a segment of " +
                          std::to_string(max_doc_));
  if (chunk_count_ == 0) throw CorruptIndex(data_name_ + ": no chunks");
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

ByteReader StoredFieldsIndexReader::open_chunk(uint64_t chunk) const {
  const auto start = static_cast<uint64_t>(pointers_.get(chunk));
  const auto end = static_cast<uint64_t>(pointers_.get(chunk + 1));
  const auto data = without_footer(data_file_->bytes());
  if (start > end || end > data.size())
    throw CorruptIndex(data_name_ + ": chunk " + std::to_string(chunk) + " at bytes " +
                       std::to_string(start) + " to " + std::to_string(end));
  ByteReader in(data.first(end), data_name_);
  in.seek(start);
  return in;
}

void StoredFieldsIndexReader::check_chunk(const ByteReader& in, uint64_t chunk, uint32_t first,
                                          uint32_t documents, uint32_t doc) const {
  if (documents == 0 || int64_t{first} != first_documents_.get(chunk) ||
      int64_t{first} + documents != first_documents_.get(chunk + 1))
    in.fail("chunk " + std::to_string(chunk) + " holds documents " + std::to_string(first) + " + " +
            std::to_string(documents) + ", its index says otherwise");
  if (doc < first || doc - first >= documents)
    throw CorruptIndex(index_name_ + ": no chunk has document " + std::to_string(doc));
}

}  // namespace postern::codec
