#include "codec/term_vectors_reader.h"

#include "codec/segment_context.h"

namespace postern::codec {
namespace {

constexpr uint32_t kMaxBlockShift = 22;

std::span<const uint8_t> without_footer(std::span<const uint8_t> file) {
  return file.first(file.size() - store::kFooterLength);
}

}  // namespace

TermVectorsReader::TermVectorsReader(const Directory& directory, const std::string& segment,
                                     const store::ObjectId& id, uint32_t max_doc)
    : max_doc_(max_doc),
      data_name_(segment_file(segment, "", "tvd")),
      index_name_(segment_file(segment, "", "tvx")),
      data_file_(directory.open(data_name_)),
      index_file_(directory.open(index_name_)) {
  ByteReader data(data_file_->bytes(), data_name_);
  store::check_index_header(
      data, {kTermVectorsDataCodec, kTermVectorsVersion, kTermVectorsVersion, &id, ""});
  store::check_footer(data_file_->bytes(), data_name_, false);
  ByteReader index(index_file_->bytes(), index_name_);
  store::check_index_header(
      index, {kTermVectorsIndexCodec, kTermVectorsVersion, kTermVectorsVersion, &id, ""});
  store::check_footer(index_file_->bytes(), index_name_, true);
  read_meta(directory, segment_file(segment, "", "tvm"), id);
}

void TermVectorsReader::read_meta(const Directory& directory, const std::string& name,
                                  const store::ObjectId& id) {
  meta_file_ = directory.open(name);
  store::check_footer(meta_file_->bytes(), name, true);
  ByteReader meta(without_footer(meta_file_->bytes()), name);
  store::check_index_header(
      meta, {kTermVectorsMetaCodec, kTermVectorsVersion, kTermVectorsVersion, &id, ""});
  const uint32_t packed_version = meta.read_vint();
  const uint32_t chunk_size = meta.read_vint();
  const uint32_t documents = meta.read_le32();
  const uint32_t block_shift = meta.read_le32();
  const uint32_t entries = meta.read_le32();
  if (documents != max_doc_)
    meta.fail(std::to_string(documents) + " documents in a segment of " + std::to_string(max_doc_));
  if (packed_version != kPackedIntsVersion || chunk_size == 0 || block_shift > kMaxBlockShift ||
      entries == 0)
    meta.fail("PackedInts version " + std::to_string(packed_version) + ", chunk size " +
              std::to_string(chunk_size) + ", block shift " + std::to_string(block_shift) + ", " +
              std::to_string(entries) + " index entries");
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
uint64_t TermVectorsReader::find_chunk(uint32_t doc) const {
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

void TermVectorsReader::load_chunk(uint64_t chunk) {
  chunk_ = kNone;
  const auto start = static_cast<uint64_t>(pointers_.get(chunk));
  const auto end = static_cast<uint64_t>(pointers_.get(chunk + 1));
  const auto data = without_footer(data_file_->bytes());
  if (start > end || end > data.size())
    throw CorruptIndex(data_name_ + ": chunk " + std::to_string(chunk) + " at bytes " +
                       std::to_string(start) + " to " + std::to_string(end));
  ByteReader in(data.first(end), data_name_);
  in.seek(start);
  content_.decode(in);
  if (int64_t{content_.doc_base()} != first_documents_.get(chunk) ||
      int64_t{content_.doc_base()} + content_.documents() != first_documents_.get(chunk + 1))
    in.fail("chunk " + std::to_string(chunk) + " holds documents " +
            std::to_string(content_.doc_base()) + " + " + std::to_string(content_.documents()) +
            ", its index says otherwise");
  chunk_ = chunk;
}

// Returns the document's place in its chunk.
uint32_t TermVectorsReader::load_document(uint32_t doc) {
  if (doc >= max_doc_)
    throw InvalidArgument("document " + std::to_string(doc) + " of a segment of " +
                          std::to_string(max_doc_));
  if (chunk_count_ == 0) throw CorruptIndex(data_name_ + ": no chunks");
  auto holds = [&] {
    return doc >= content_.doc_base() && doc - content_.doc_base() < content_.documents();
  };
  if (chunk_ == kNone || !holds()) load_chunk(find_chunk(doc));
  if (!holds()) throw CorruptIndex(index_name_ + ": no chunk has document " + std::to_string(doc));
  return doc - content_.doc_base();
}

}  // namespace postern::codec
