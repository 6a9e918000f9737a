// A temporary file with a run of bytes for each document, written in order of arrival and read in
// any other: what a sorted segment needs of documents that are too large to keep in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/byte_reader.h"
#include "memory/grow_array.h"
#include "postern/directory.h"
#include "store/codec_header.h"
#include "store/index_output.h"

namespace postern::index {

// Memory: 8 bytes per document, charged to the counter, and an output buffer. Errors: IoError;
// CorruptIndex when the file is not what was written. Whoever fails before remove() leaves the file
// to those who remove the segment's files.
class DocumentSpool {
 public:
  static constexpr uint64_t kOutputBuffer = 64 * 1024;

  // `name`: of the file, which must not exist. References must outlive the spool.
  DocumentSpool(Directory& directory, const std::string& name, const store::ObjectId& id,
                memory::MemoryCounter& counter);

  // Where the current document's bytes go.
  store::IndexOutput& out() { return out_; }
  void finish_document() { ends_.push_back(out_.file_pointer()); }
  uint32_t documents() const { return static_cast<uint32_t>(ends_.size()); }

  // Ends the writing and verifies what is on the disk.
  void open();
  // The bytes of a document, after open(). Valid until remove().
  ByteReader document(uint32_t doc) const;
  // Nothing may be called afterwards.
  void remove();

 private:
  Directory& directory_;
  store::ObjectId id_;
  store::IndexOutput out_;
  memory::GrowArray<uint64_t> ends_;
  std::unique_ptr<InputFile> file_;
};

}  // namespace postern::index
