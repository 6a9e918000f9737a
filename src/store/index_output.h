// Buffered, checksummed, forward-only output of one index file (docs/formats/10 §2-3).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/encoded_writer.h"
#include "postern/directory.h"

namespace postern::store {

// The CRC runs over each buffer as it leaves, so every byte is touched once. Errors: IoError.
// Unless close() succeeded, the file is not complete; destruction closes it without a word.
class IndexOutput : public EncodedWriter<IndexOutput> {
 public:
  IndexOutput(Directory& directory, const std::string& name);
  ~IndexOutput();
  IndexOutput(IndexOutput&&) noexcept;
  IndexOutput& operator=(IndexOutput&&) = delete;

  const std::string& name() const { return name_; }
  // Bytes written so far.
  uint64_t file_pointer() const { return flushed_ + size_; }
  // zlib CRC-32 of all bytes so far.
  uint32_t checksum();
  void close();

  // As ByteBuffer's, for at most 64 KiB.
  uint8_t* reserve(size_t n) {
    if (kBufferSize - size_ < n) flush_buffer();
    return buffer_.get() + size_;
  }
  void advance(size_t n) { size_ += n; }
  void write(const uint8_t* p, size_t n);

 private:
  static constexpr size_t kBufferSize = 64 * 1024;
  void flush_buffer();

  std::string name_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<uint8_t[]> buffer_;
  size_t size_ = 0;
  uint64_t flushed_ = 0;
  uint32_t crc_ = 0;
};

// CRC-32 (zlib polynomial) of bytes, continuing from `crc` (0 to start).
uint32_t crc32(uint32_t crc, std::span<const uint8_t> bytes);

}  // namespace postern::store
