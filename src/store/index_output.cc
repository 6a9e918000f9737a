#include "store/index_output.h"

#include <libdeflate.h>

namespace postern::store {

uint32_t crc32(uint32_t crc, std::span<const uint8_t> bytes) {
  return bytes.empty() ? crc : libdeflate_crc32(crc, bytes.data(), bytes.size());
}

IndexOutput::IndexOutput(Directory& directory, const std::string& name)
    : name_(name),
      file_(directory.create(name)),
      buffer_(std::make_unique_for_overwrite<uint8_t[]>(kBufferSize)) {}

IndexOutput::~IndexOutput() = default;
IndexOutput::IndexOutput(IndexOutput&&) noexcept = default;

void IndexOutput::flush_buffer() {
  std::span<const uint8_t> bytes(buffer_.get(), size_);
  if (bytes.empty()) return;
  crc_ = crc32(crc_, bytes);
  file_->append(bytes);
  flushed_ += size_;
  size_ = 0;
}

void IndexOutput::write(const uint8_t* p, size_t n) {
  if (n <= kBufferSize - size_) {
    if (n != 0) std::memcpy(buffer_.get() + size_, p, n);
    size_ += n;
    return;
  }
  flush_buffer();
  if (n < kBufferSize) {
    std::memcpy(buffer_.get(), p, n);
    size_ = n;
    return;
  }
  crc_ = crc32(crc_, {p, n});
  file_->append({p, n});
  flushed_ += n;
}

uint32_t IndexOutput::checksum() {
  flush_buffer();
  return crc_;
}

void IndexOutput::close() {
  flush_buffer();
  file_->close();
}

}  // namespace postern::store
