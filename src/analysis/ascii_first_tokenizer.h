// A tokenizer that takes runs of ASCII 64 bytes at a time and asks the general rules only about the
// stretches that hold other bytes or an over-long token.
//
// Rules:
//   static constexpr bool kLowerCase;
//   uint32_t max_token_length() const;              UTF-16 units
//   BlockMasks masks(block, before, behind) const;  `words`: the bytes of ASCII tokens. Bytes whose
//       token depends on a following byte >= 0x80 are words too. `before` and `behind` are the
//       neighbouring bytes of the block, 0 where there is none.
//   bool is_token(begin, length) const;             of a run of words
//   bool is_separator(byte) const;                  an ASCII byte at which any scan stops, and
//   which
//                                                   is no token
//   Match scan(begin, end, to) const;               the general rules: one match, begin < end; its
//                                                   term is written to `to`, at most three bytes a
//                                                   unit and four beyond max_token_length units
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "analysis/ascii_block.h"
#include "analysis/term_buffer.h"
#include "analysis/unicode_tables.h"
#include "analysis/value_size.h"
#include "analysis/wtf8.h"
#include "postern/analyzer.h"

namespace postern::analysis {

// What a scan consumed: a token, or something to skip.
struct Match {
  size_t bytes;
  size_t units;  // UTF-16
  bool is_token;
  uint8_t* term_end;
};

// kGeneralOnly is for tests: the fast path must not change any result.
enum class Path : uint8_t { kAsciiFirst, kGeneralOnly };

template <class Rules>
class AsciiFirstTokenizer {
 public:
  explicit AsciiFirstTokenizer(Rules rules, Path path = Path::kAsciiFirst)
      : rules_(std::move(rules)),
        path_(path),
        scan_room_(size_t{rules_.max_token_length()} * 3 + 4),
        fast_limit_(std::min<size_t>(rules_.max_token_length(), TermBuffer::kSmallTerm)),
        buffer_(scan_room_) {
    tail_.fill(' ');
  }

  void reset(std::string_view text) {
    check_value_size(text.size());
    text_ = reinterpret_cast<const uint8_t*>(text.data());
    size_ = text.size();
    surplus_ = 0;
    done_ = false;
    open_ = false;
    copy_tail();
    in_general_ = path_ == Path::kGeneralOnly;
    position_ = 0;
    if (in_general_) {
      done_ = size_ == 0;
    } else {
      load_block(0, 0);
    }
  }

  size_t next(std::span<Token> tokens) {
    buffer_.clear();
    size_t count = 0;
    while (count < tokens.size() && !done_) {
      if (!in_general_) {
        const Progress progress = take_ascii(tokens.subspan(count));
        count += progress.tokens;
        if (progress.buffer_full) break;
      } else if (!take_general(tokens[count], &count)) {
        break;
      }
    }
    return count;
  }

  // UTF-16 units of the value, once next has returned 0.
  uint32_t final_offset() const { return units_at(size_); }

 private:
  struct Progress {
    size_t tokens;
    bool buffer_full;
  };

  uint32_t units_at(size_t byte) const { return static_cast<uint32_t>(byte - surplus_); }

  // The last bytes of the text once more, with readable spaces behind them.
  void copy_tail() {
    const size_t length = std::min(size_, kBlock);
    if (length != 0) std::memcpy(tail_.data() + kBlock - length, text_ + size_ - length, length);
  }
  // Where `length` bytes from `position` can be read 16 bytes at a time; null if nowhere.
  const uint8_t* readable(size_t position, size_t length) const {
    if (position + length + 16 <= size_) [[likely]] {
      return text_ + position;
    }
    const size_t left = size_ - position;
    return left <= kBlock ? tail_.data() + kBlock - left : nullptr;
  }

  void load_block(size_t base, uint8_t before) {
    base_ = base;
    const bool whole = base + kBlock <= size_;
    const uint8_t* block = whole ? text_ + base : tail_.data() + kBlock - (size_ - base);
    const uint8_t behind = base + kBlock < size_ ? text_[base + kBlock] : 0;
    masks_ = rules_.masks(block, before, behind);
    before_next_ = block[kBlock - 1];
  }

  // From the current block on, until the tokens or the buffer are full, the value ends, or the
  // general rules must decide.
  Progress take_ascii(std::span<Token> tokens) {
    Token* token = tokens.data();
    Token* const last = token + tokens.size();
    const auto progress = [&](bool full) {
      return Progress{static_cast<size_t>(token - tokens.data()), full};
    };
    for (;;) {
      const uint64_t words = masks_.words;
      const uint64_t other = masks_.non_ascii;
      const uint64_t below = (other & (0 - other)) - 1;  // bits below the first of `other`, or all
      const uint64_t previous = words << 1 | uint64_t{open_};
      uint64_t ends = ~words & previous & below;
      uint64_t starts = words & ~previous & below;
      size_t start = token_start_;
      if (!open_) start = take_bit(&starts);
      while (ends != 0) {
        const size_t end = take_bit(&ends);
        const size_t length = end - start;
        if (token == last || length > fast_limit_ || !buffer_.fits(length)) [[unlikely]] {
          if (token != last && length > fast_limit_) {
            enter_general(start);
            return progress(false);
          }
          resume_at(start);
          return progress(token != last);
        }
        if (rules_.is_token(text_ + start, length)) [[likely]] {
          make_token(start, length, token++);
        }
        start = take_bit(&starts);
      }
      if (other != 0) {
        const auto stop = static_cast<unsigned>(std::countr_zero(other));
        if (stop != 0) open_ = (words >> (stop - 1) & 1) != 0;
        enter_general(open_ ? start : base_ + stop);
        return progress(false);
      }
      open_ = words >> 63 != 0;
      token_start_ = start;
      if (base_ + kBlock > size_) {
        done_ = true;  // the spaces behind the text have ended any token
        return progress(false);
      }
      load_block(base_ + kBlock, before_next_);
    }
  }

  // The position of the lowest bit, which is removed; the end of the block if there is none.
  size_t take_bit(uint64_t* bits) const {
    const auto bit = static_cast<size_t>(std::countr_zero(*bits));
    *bits &= *bits - 1;
    return base_ + bit;
  }

  // The token that begins at `start` has not been taken yet.
  void resume_at(size_t start) {
    if (start < base_) {
      token_start_ = start;
    } else {
      open_ = false;
      masks_.words &= ~uint64_t{0} << (start - base_);
    }
  }

  void make_token(size_t start, size_t length, Token* token) {
    uint8_t* to = buffer_.next();
    const uint8_t* from = readable(start, length);
    if (from == nullptr) [[unlikely]] {
      for (size_t i = 0; i < length; ++i) {
        const uint8_t c = text_[start + i];
        to[i] = Rules::kLowerCase ? static_cast<uint8_t>(Character(c).lower()) : c;
      }
    } else if constexpr (Rules::kLowerCase) {
      copy_lower_ascii(from, length, to);
    } else {
      copy_ascii(from, length, to);
    }
    buffer_.advance(to + length);
    fill(token, to, length, units_at(start), units_at(start + length));
  }

  static void fill(Token* token, const uint8_t* term, size_t length, uint32_t start, uint32_t end) {
    *token = Token{.term = term,
                   .term_length = static_cast<uint32_t>(length),
                   .position_increment = 1,
                   .start_offset = start,
                   .end_offset = end,
                   .frequency = 1,
                   .payload_length = 0,
                   .payload = nullptr};
  }

  void enter_general(size_t position) {
    in_general_ = true;
    position_ = position;
  }

  // One match of the general rules. False: the buffer must be emptied first.
  bool take_general(Token& token, size_t* count) {
    if (!buffer_.fits(scan_room_)) return false;
    uint8_t* const term = buffer_.next();
    const Match match = rules_.scan(text_ + position_, text_ + size_, term);
    if (match.is_token) {
      buffer_.advance(match.term_end);
      const uint32_t start = units_at(position_);
      fill(&token, term, static_cast<size_t>(match.term_end - term), start,
           start + static_cast<uint32_t>(match.units));
      ++*count;
    }
    position_ += match.bytes;
    surplus_ += match.bytes - match.units;
    if (position_ == size_) {
      done_ = true;
    } else if (path_ == Path::kAsciiFirst && rules_.is_separator(text_[position_])) {
      // Words of other scripts follow each other: only the separator between them is ASCII.
      if (position_ + 1 < size_ && text_[position_ + 1] >= 0x80) {
        ++position_;
      } else {
        leave_general();
      }
    }
    return true;
  }

  void leave_general() {
    in_general_ = false;
    open_ = false;
    assert(position_ >= base_);
    const size_t passed = position_ - base_;
    if (passed < kBlock) {
      masks_.words &= ~uint64_t{0} << passed;
      masks_.non_ascii &= ~uint64_t{0} << passed;
    } else {
      load_block(position_, 0);
    }
  }

  const Rules rules_;
  const Path path_;
  const size_t scan_room_;   // bytes of the longest term the general rules may write
  const size_t fast_limit_;  // bytes
  TermBuffer buffer_;

  const uint8_t* text_ = nullptr;
  size_t size_ = 0;
  size_t surplus_ = 0;  // bytes minus UTF-16 units of what the general rules have passed
  bool done_ = true;

  // The current block and the token that was open when it began.
  size_t base_ = 0;
  BlockMasks masks_;
  uint8_t before_next_ = 0;  // the last byte of the block
  bool open_ = false;
  size_t token_start_ = 0;

  bool in_general_ = false;
  size_t position_ = 0;  // the next match of the general rules

  std::array<uint8_t, 2 * kBlock + 16> tail_;
};

}  // namespace postern::analysis
