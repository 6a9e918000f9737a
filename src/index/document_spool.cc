#include "index/document_spool.h"

#include <cassert>

namespace postern::index {
namespace {

constexpr std::string_view kCodec = "PosternSpool";
constexpr uint32_t kVersion = 0;

}  // namespace

DocumentSpool::DocumentSpool(Directory& directory, const std::string& name,
                             const store::ObjectId& id, memory::MemoryCounter& counter)
    : directory_(directory), id_(id), out_(directory, name), ends_(counter) {
  store::write_index_header(out_, kCodec, kVersion, id, "");
}

void DocumentSpool::open() {
  store::write_footer(out_);
  out_.close();
  file_ = directory_.open(out_.name());
  store::open_whole(file_->bytes(), out_.name(), {kCodec, kVersion, kVersion, &id_, ""});
  const uint64_t end = ends_.empty() ? 0 : ends_[ends_.size() - 1];
  if (file_->bytes().size() < end + store::kFooterLength)
    throw CorruptIndex(out_.name() + ": it has become shorter");
}

ByteReader DocumentSpool::document(uint32_t doc) const {
  assert(file_ != nullptr && doc < documents());
  const uint64_t begin = doc == 0 ? store::index_header_length(kCodec, "") : ends_[doc - 1];
  return {file_->bytes().subspan(begin, ends_[doc] - begin), out_.name()};
}

void DocumentSpool::remove() {
  file_.reset();
  directory_.remove(out_.name());
}

}  // namespace postern::index
