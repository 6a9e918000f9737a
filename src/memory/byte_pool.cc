#include "memory/byte_pool.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "memory/pages.h"
#include "postern/error.h"

namespace postern::memory {

namespace {

constexpr uint64_t kMaxLimit = (uint64_t{1} << 32) - (uint64_t{1} << 20);
// A small segment pays for small steps of small pages; a large one for whole huge pages.
constexpr uint64_t kSmallStep = 32 << 10;
constexpr uint64_t kSmallPart = kHugePage;

uint64_t round_up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

}  // namespace

BytePool::BytePool(MemoryCounter& counter, uint64_t limit, std::string name)
    : counter_(counter), limit_(std::min(limit, kMaxLimit)), name_(std::move(name)) {
  if (limit_ == 0) return;
  for (;; limit_ /= 2) {
    reserved_ = round_up(limit_ + kPoolSlack, kHugePage);
    base_ = map_pages(reserved_);
    if (base_ != nullptr) break;
    // Under a limit of address space a smaller pool still works: the writer flushes more often.
    if (limit_ < kHugePage) throw std::bad_alloc();
  }
  prefer_small_pages(base_, kSmallPart);
  if (reserved_ > kSmallPart) prefer_huge_pages(base_ + kSmallPart, reserved_ - kSmallPart);
}

BytePool::~BytePool() {
  counter_.sub(committed_);
  if (base_ != nullptr) unmap_pages(base_, reserved_);
}

void BytePool::commit() {
  uint64_t step = used_ <= kSmallPart ? kSmallStep : kHugePage;
  uint64_t target = std::min(round_up(used_, step), reserved_);
  counter_.add(target - committed_);
  committed_ = target;
  touched_ = std::max(touched_, committed_);
}

void BytePool::throw_full(uint64_t n, const std::string& what) const {
  throw LimitExceeded(what + ": the " + name_ + " pool holds " + std::to_string(used_) +
                      " bytes and may need " + std::to_string(n) + " more, over its limit of " +
                      std::to_string(limit_));
}

void BytePool::reset() {
  if (used_ != 0) std::memset(base_, 0, used_);
  counter_.sub(committed_);
  used_ = committed_ = promised_ = 0;
}

void BytePool::release_idle(uint64_t bytes) {
  uint64_t idle = idle_bytes();
  if (idle == 0) return;
  uint64_t keep = committed_ + (bytes < idle ? idle - bytes : 0);
  // Whole pages only: what lies behind is dropped, the page in between stays.
  keep = round_up(keep, keep <= kSmallPart ? kSmallStep : kHugePage);
  if (keep >= touched_) return;
  discard_pages(base_ + keep, touched_ - keep);
  touched_ = keep;
}

}  // namespace postern::memory
