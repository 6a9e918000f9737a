#include "analysis/windowed_scanner.h"

#include <algorithm>

#include "analysis/unicode_tables.h"
#include "analysis/wtf8.h"

namespace postern::analysis {

Utf16CodePoint decode_utf16(const char16_t* units, size_t i, size_t end) {
  const uint32_t first = units[i];
  if (is_high_surrogate(first) && i + 1 < end && is_low_surrogate(units[i + 1])) {
    return {0x10000 + ((first & 0x3FF) << 10 | (units[i + 1] & 0x3FFu)), 2};
  }
  return {first, 1};
}

void append_utf16(std::string_view wtf8, std::vector<char16_t>* out) {
  const auto* p = reinterpret_cast<const uint8_t*>(wtf8.data());
  const uint8_t* const end = p + wtf8.size();
  while (p < end) {
    const CodePoint c = decode(p, end);
    if (c.value < 0x10000) {
      out->push_back(static_cast<char16_t>(c.value));
    } else {
      out->push_back(static_cast<char16_t>(0xD7C0 + (c.value >> 10)));
      out->push_back(static_cast<char16_t>(0xDC00 | (c.value & 0x3FF)));
    }
    p += c.bytes;
  }
}

void WindowedScanner::reset(std::string_view wtf8) {
  units_.clear();
  if (units_.capacity() > size_t{1} << 20) units_.shrink_to_fit();
  append_utf16(wtf8, &units_);
  base_ = buffered_ = read_ = held_ = start_ = mark_ = 0;
}

bool WindowedScanner::refill() {
  if (start_ > base_) {
    buffered_ += held_;
    held_ = 0;
    base_ = start_;
  }
  const size_t wanted = window_ - (buffered_ - base_) - held_;
  const size_t got = std::min(wanted, units_.size() - read_);
  if (got == 0) return false;
  read_ += got;
  buffered_ += got;
  if (is_high_surrogate(units_[buffered_ - 1])) {
    if (got < wanted) return false;
    --buffered_;
    held_ = 1;
    if (got == 1) return false;
  }
  return true;
}

bool WindowedScanner::next() {
  for (;;) {
    start_ = mark_;
    size_t at = start_;
    uint8_t state = 0;
    Accept accept = Accept::kNothing;
    bool ended = false;
    for (;;) {
      if (at >= buffered_ && !refill()) {
        ended = true;
        break;
      }
      const Utf16CodePoint c = decode_utf16(units_.data(), at, buffered_);
      at += c.units;
      state = next_state(state, Character(c.value).word_break_class());
      if (state == kNoState) break;
      if (accepts(state) != Accept::kNothing) {
        accept = accepts(state);
        mark_ = at;
        if (is_final(state)) break;
      }
    }
    if (ended && at == start_) return false;
    if (accept == Accept::kToken) return true;
  }
}

}  // namespace postern::analysis
