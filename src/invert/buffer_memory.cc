#include "invert/buffer_memory.h"

namespace postern::invert {

BufferMemory::BufferMemory(PoolLayout layout, const Limits& limits, uint64_t hash_seed)
    : layout_(layout),
      hash_seed_(hash_seed),
      slices_(counter_, limits.max_pool_bytes, "postings"),
      terms_(counter_, layout == PoolLayout::kShared ? 0 : limits.max_pool_bytes, "term"),
      doc_values_(counter_, limits.max_pool_bytes, "doc values") {}

void BufferMemory::reset() {
  slices_.reset();
  terms_.reset();
  doc_values_.reset();
}

void BufferMemory::release_idle(uint64_t resident_limit) {
  for (memory::BytePool* pool : {&doc_values_, &terms_, &slices_}) {
    uint64_t resident = counter_.bytes() + idle_bytes();
    if (resident > resident_limit) pool->release_idle(resident - resident_limit);
  }
}

void BufferMemory::require_room(uint64_t slice_bytes, uint64_t text_bytes,
                                const std::string& what) const {
  if (layout_ == PoolLayout::kShared) {
    slices_.require_room(slice_bytes + text_bytes, what);
  } else {
    slices_.require_room(slice_bytes, what);
    terms_.require_room(text_bytes, what);
  }
}

TokenStream& BufferMemory::stream(const Analyzer& analyzer) {
  std::unique_ptr<TokenStream>& stream = streams_[&analyzer];
  if (stream == nullptr) stream = analyzer.token_stream();
  return *stream;
}

}  // namespace postern::invert
