#include "codec/lz4.h"

#include <type_traits>

#include "postern/error.h"

namespace postern::codec {
namespace {

// No match starts in the last 9 bytes of a block or reaches into its last 5.
constexpr size_t kNoMatchStart = 9;
constexpr size_t kLastLiterals = 5;
constexpr uint32_t kHashMultiplier = 2654435761u;
// Below this many dictionary bytes, hashing them again beats copying a whole table.
constexpr size_t kSharedMinimum = 1024;

inline uint32_t hash(uint32_t four_bytes, uint32_t log) {
  return four_bytes * kHashMultiplier >> (32 - log);
}

[[noreturn]] void fail(std::string_view file, const char* what) {
  throw CorruptIndex(std::string(file) + ": LZ4 block with " + what);
}

}  // namespace

Lz4Compressor::Lz4Compressor() : narrow_(new uint16_t[size_t{1} << kNarrowLog]()) {}

uint64_t Lz4Compressor::ram_bytes() const {
  return sizeof(*this) + (size_t{2} << kNarrowLog) * (shared_ ? 2 : 1) +
         (wide_ ? size_t{4} << kWideLog : 0);
}

// Positions that need more than 16 bits go to the other table; whichever table is taken up again
// starts from zero. Returns whether it is the wide one.
bool Lz4Compressor::prepare_table(size_t buffer_length) {
  const bool wide = buffer_length - kLastLiterals >= 65536;
  if (wide == is_wide_) return wide;
  is_wide_ = wide;
  if (!wide) {
    std::fill_n(narrow_.get(), size_t{1} << kNarrowLog, uint16_t{0});
  } else if (!wide_) {
    wide_ = std::make_unique<uint32_t[]>(size_t{1} << kWideLog);
  } else {
    std::fill_n(wide_.get(), size_t{1} << kWideLog, uint32_t{0});
  }
  return wide;
}

void Lz4Compressor::compress(std::span<const uint8_t> buffer, size_t start, ByteBuffer& out) {
  const size_t length = buffer.size() - start;
  if (length <= kNoMatchStart) {
    uint8_t* begin = out.reserve(lz4_bound(length));
    uint8_t* end =
        lz4_emit_last_literals(begin, buffer.data() + start, length, buffer.data() + buffer.size());
    out.advance(static_cast<size_t>(end - begin));
    return;
  }
  const uint8_t* base = buffer.data();
  if (prepare_table(buffer.size())) {
    for (size_t i = 0; i < start; ++i)
      wide_[hash(load_le<uint32_t>(base + i), kWideLog)] = static_cast<uint32_t>(i);
    scan<uint32_t, kWideLog>(buffer, start, out);
  } else {
    for (size_t i = 0; i < start; ++i)
      narrow_[hash(load_le<uint32_t>(base + i), kNarrowLog)] = static_cast<uint16_t>(i);
    scan<uint16_t, kNarrowLog>(buffer, start, out);
  }
}

void Lz4Compressor::share_dictionary(std::span<const uint8_t> dictionary) {
  shared_length_ = dictionary.size();
  if (shared_length_ < kSharedMinimum) return;
  constexpr size_t kSlots = size_t{1} << kNarrowLog;
  if (!shared_) shared_ = std::make_unique_for_overwrite<uint16_t[]>(kSlots);
  std::fill_n(shared_.get(), kSlots, kAbsent);
  const size_t last = std::min<size_t>(shared_length_ - (kLz4MinMatch - 1), kAbsent);
  for (size_t i = 0; i < last; ++i)
    shared_[hash(load_le<uint32_t>(dictionary.data() + i), kNarrowLog)] = static_cast<uint16_t>(i);
}

void Lz4Compressor::compress_shared(std::span<const uint8_t> buffer, ByteBuffer& out) {
  const size_t start = shared_length_;
  if (start < kSharedMinimum || buffer.size() - start <= kNoMatchStart ||
      prepare_table(buffer.size())) {
    compress(buffer, start, out);
    return;
  }
  restore_shared(buffer);
  scan<uint16_t, kNarrowLog>(buffer, start, out);
}

// Sets the slots that entering the dictionary position by position would set. The last three
// positions' words end in the block, so they are entered anew.
void Lz4Compressor::restore_shared(std::span<const uint8_t> buffer) {
  uint16_t* table = narrow_.get();
  const uint16_t* shared = shared_.get();
  for (size_t i = 0; i < size_t{1} << kNarrowLog; ++i)
    table[i] = shared[i] == kAbsent ? table[i] : shared[i];
  for (size_t i = shared_length_ - (kLz4MinMatch - 1); i < shared_length_; ++i)
    table[hash(load_le<uint32_t>(buffer.data() + i), kNarrowLog)] = static_cast<uint16_t>(i);
}

// The table may hold positions of earlier blocks: at or behind `at` they are refused, before it
// they are as good as any.
template <class Position, uint32_t kLog>
void Lz4Compressor::scan(std::span<const uint8_t> buffer, size_t start, ByteBuffer& out) {
  Position* table;
  if constexpr (std::is_same_v<Position, uint16_t>) {
    table = narrow_.get();
  } else {
    table = wide_.get();
  }
  const uint8_t* const base = buffer.data();
  const uint8_t* const end = base + buffer.size();
  const uint8_t* const match_end = end - kLastLiterals;
  const size_t stop = buffer.size() - kNoMatchStart;
  uint8_t* const out_begin = out.reserve(lz4_bound(buffer.size() - start));
  uint8_t* to = out_begin;
  size_t anchor = start;
  for (size_t at = start; at < stop;) {
    const uint32_t word = load_le<uint32_t>(base + at);
    Position& slot = table[hash(word, kLog)];
    const size_t candidate = slot;
    slot = static_cast<Position>(at);
    // One test that hardly ever mispredicts: a stale candidate is read as `at` itself.
    bool far = candidate >= at;
    if constexpr (!std::is_same_v<Position, uint16_t>) far |= at - candidate > kLz4MaxDistance;
    const uint32_t difference = load_le<uint32_t>(base + std::min(candidate, at)) ^ word;
    if ((difference | static_cast<uint32_t>(far)) != 0) {
      ++at;
      continue;
    }
    const size_t length = kLz4MinMatch + lz4_common_length(base + candidate + kLz4MinMatch,
                                                           base + at + kLz4MinMatch, match_end);
    to = lz4_emit_sequence(to, base + anchor, at - anchor, at - candidate, length, end);
    at += length;
    anchor = at;
  }
  to = lz4_emit_last_literals(to, base + anchor, buffer.size() - anchor, end);
  out.advance(static_cast<size_t>(to - out_begin));
}

namespace {

// Adds the bytes behind a nibble of 15. The sum stays far from overflow: it is bounded by 255 times
// the input.
inline size_t read_length(const uint8_t*& p, const uint8_t* end, std::string_view file) {
  size_t length = 15;
  uint8_t b;
  do {
    if (p == end) fail(file, "an unfinished length");
    b = *p++;
    length += b;
  } while (b == 255);
  return length;
}

// May overlap: bytes just written are read again.
inline void copy_match(uint8_t* to, size_t distance, size_t length) {
  const uint8_t* from = to - distance;
  if (distance >= length) {
    std::memcpy(to, from, length);
  } else if (distance >= 8) {
    for (; length >= 8; length -= 8, to += 8, from += 8) store_le(to, load_le<uint64_t>(from));
    for (; length > 0; --length) *to++ = *from++;
  } else {
    for (; length > 0; --length) *to++ = *from++;
  }
}

}  // namespace

size_t lz4_decompress(std::span<const uint8_t> in, std::span<uint8_t> out, size_t start,
                      std::string_view file) {
  const uint8_t* p = in.data();
  const uint8_t* const end = p + in.size();
  uint8_t* to = out.data() + start;
  uint8_t* const out_end = out.data() + out.size();
  do {
    if (p == end) fail(file, "fewer bytes than its output needs");
    const uint8_t token = *p++;
    size_t literals = token >> 4;
    if (literals == 15) literals = read_length(p, end, file);
    if (literals > static_cast<size_t>(end - p)) fail(file, "literals beyond its end");
    if (literals > static_cast<size_t>(out_end - to)) fail(file, "literals beyond its output");
    if (literals != 0) std::memcpy(to, p, literals);
    to += literals;
    p += literals;
    if (to == out_end) break;

    if (end - p < 2) fail(file, "an unfinished match");
    const size_t distance = load_le<uint16_t>(p);
    p += 2;
    size_t length = token & 15;
    if (length == 15) length = read_length(p, end, file);
    length += kLz4MinMatch;
    if (distance == 0 || distance > static_cast<size_t>(to - out.data()))
      fail(file, "a match before its start");
    if (length > static_cast<size_t>(out_end - to)) fail(file, "a match beyond its output");
    copy_match(to, distance, length);
    to += length;
  } while (to != out_end);
  return static_cast<size_t>(p - in.data());
}

}  // namespace postern::codec
