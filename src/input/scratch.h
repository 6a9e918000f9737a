// Memory for the values of one line that are not in the line as they are (unescaped strings,
// decoded bytes). Addresses stay valid until clear(), which keeps the memory: warm lines allocate
// nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "postern/analyzer.h"

namespace postern::input {

class Scratch {
 public:
  // n writable bytes with kTermPadding readable ones behind them. A caller that needs fewer says
  // so with give_back before the next call.
  char* allocate(size_t n) {
    const size_t need = n + kTermPadding;
    if (blocks_.empty() || blocks_[used_].size - at_ < need) next_block(need);
    char* result = blocks_[used_].bytes.get() + at_;
    at_ += need;
    return result;
  }
  // The last allocation turned out to be shorter by n bytes.
  void give_back(size_t n) { at_ -= n; }

  void clear() {
    // A giant line must not cost memory for ever.
    if (total_ > kKeep) {
      blocks_.clear();
      total_ = 0;
    }
    used_ = at_ = 0;
  }

 private:
  static constexpr size_t kBlock = size_t{64} << 10;
  static constexpr size_t kKeep = size_t{8} << 20;

  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size;
  };

  void next_block(size_t need) {
    while (!blocks_.empty() && used_ + 1 < blocks_.size()) {
      ++used_;
      at_ = 0;
      if (blocks_[used_].size >= need) return;
    }
    const size_t size = std::max(need, kBlock);
    // Zeroed, so that the padding never holds unset memory.
    blocks_.push_back({std::make_unique<char[]>(size), size});
    total_ += size;
    used_ = blocks_.size() - 1;
    at_ = 0;
  }

  std::vector<Block> blocks_;
  size_t used_ = 0;  // index of the block in use
  size_t at_ = 0;    // its first free byte
  size_t total_ = 0;
};

}  // namespace postern::input
