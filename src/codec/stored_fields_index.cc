#include "codec/stored_fields_index.h"

#include "base/checked.h"
#include "codec/direct_monotonic.h"

namespace postern::codec {

void StoredFieldsIndexWriter::add_chunk(uint32_t first_document, uint64_t pointer,
                                        uint32_t documents, bool dirty) {
  first_documents_.push_back(first_document);
  pointers_.push_back(pointer);
  if (dirty) {
    ++dirty_chunks_;
    dirty_documents_ += documents;
  }
}

void StoredFieldsIndexWriter::write(uint32_t max_doc, uint64_t max_pointer,
                                    store::IndexOutput& index, store::IndexOutput& meta) const {
  using Writer = DirectMonotonicWriter<store::IndexOutput, store::IndexOutput>;
  meta.write_le32(max_doc);
  meta.write_le32(kChunkIndexBlockShift);
  meta.write_le32(checked_cast<uint32_t>(pointers_.size() + 1, "chunks of stored fields"));
  meta.write_le64(index.file_pointer());
  Writer documents(meta, index, kChunkIndexBlockShift);
  for (uint32_t doc : first_documents_) documents.add(doc);
  documents.add(max_doc);
  documents.finish();
  meta.write_le64(index.file_pointer());
  Writer pointers(meta, index, kChunkIndexBlockShift);
  for (uint64_t pointer : pointers_) pointers.add(static_cast<int64_t>(pointer));
  pointers.add(static_cast<int64_t>(max_pointer));
  pointers.finish();
  meta.write_le64(index.file_pointer());
  meta.write_le64(max_pointer);
  meta.write_vlong(pointers_.size());
  meta.write_vlong(dirty_chunks_);
  meta.write_vlong(dirty_documents_);
}

uint64_t StoredFieldsIndexWriter::ram_bytes() const {
  return first_documents_.capacity() * sizeof(uint32_t) + pointers_.capacity() * sizeof(uint64_t);
}

}  // namespace postern::codec
