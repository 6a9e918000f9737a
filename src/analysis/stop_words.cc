#include "analysis/stop_words.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace postern::analysis {

StopWords::StopWords(std::vector<std::string> words) : words_(std::move(words)) {
  slots_.resize(std::bit_ceil(2 * words_.size() + 2));
  mask_ = slots_.size() - 1;
  for (size_t i = 0; i < words_.size(); ++i) {
    const std::string& word = words_[i];
    uint8_t padded[8] = {};
    std::copy_n(word.begin(), std::min(word.size(), sizeof padded), padded);
    const uint64_t head = load_le<uint64_t>(padded);
    size_t slot = hash(head, word.size()) & mask_;
    while (slots_[slot].word != kEmpty) slot = (slot + 1) & mask_;
    slots_[slot] = {head, static_cast<uint32_t>(word.size()), static_cast<uint32_t>(i)};
  }
}

}  // namespace postern::analysis
