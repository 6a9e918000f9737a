#include "codec/suffix_compression.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "codec/lz4.h"

namespace postern::codec {
namespace {

// Bytes 0x1f-0x3e and 0x5f-0x7e have a 6-bit code.
bool is_regular(uint8_t b) { return ((b + 1) & 0xa0) == 0x20; }
uint8_t to_code(uint8_t b) {
  uint32_t c = b + 1u;
  return static_cast<uint8_t>((c & 0x1f) | (c & 0x40) >> 1);
}
uint8_t from_code(uint32_t code) {
  return static_cast<uint8_t>(((code & 0x1f) | 0x20 | (code & 0x20) << 1) - 1);
}

void decompress_lowercase_ascii(ByteReader& in, size_t length, ByteBuffer& out) {
  size_t quarter = length / 4;
  size_t kept = length - quarter;
  const uint8_t* packed = in.read_bytes(kept).data();
  uint8_t* bytes = out.reserve(length);
  for (size_t i = 0; i < kept; ++i) bytes[i] = from_code(packed[i] & 0x3f);
  for (size_t i = 0; i < quarter; ++i) {
    uint32_t code =
        packed[i] >> 6 << 4 | packed[quarter + i] >> 6 << 2 | packed[2 * quarter + i] >> 6;
    bytes[kept + i] = from_code(code);
  }
  size_t at = 0;
  for (uint32_t patches = in.read_count(); patches > 0; --patches) {
    at += in.read_byte();
    if (at >= length) in.fail("a patch beyond the end of the suffixes");
    bytes[at] = in.read_byte();
  }
  out.advance(length);
}

}  // namespace

SuffixCompressor::Result SuffixCompressor::compress(std::span<const uint8_t> suffixes,
                                                    size_t entry_count, size_t prefix_length) {
  size_t size = suffixes.size();
  if (size <= 2 * entry_count || prefix_length <= 2) return {SuffixCompression::kNone, suffixes};
  out_.clear();
  if (size > 6 * entry_count) {
    if (lz4_below(suffixes, size - size / 4, out_)) return {SuffixCompression::kLz4, out_.bytes()};
  }
  if (lowercase_ascii(suffixes, out_)) return {SuffixCompression::kLowercaseAscii, out_.bytes()};
  return {SuffixCompression::kNone, suffixes};
}

bool SuffixCompressor::lowercase_ascii(std::span<const uint8_t> in, ByteBuffer& out) {
  size_t length = in.size();
  if (length < 8) return false;
  const size_t max_patches = length / 32;
  size_t irregular = 0;
  for (uint8_t b : in) irregular += !is_regular(b);
  if (irregular > max_patches) return false;

  patches_.clear();
  if (irregular > 0) {
    size_t last = 0;
    for (size_t i = 0; i < length; ++i) {
      if (is_regular(in[i])) continue;
      // A distance is one byte; longer ones go in steps that patch a byte by itself.
      while (i - last > 255) {
        last += 255;
        patches_.write_byte(255);
        patches_.write_byte(in[last]);
      }
      patches_.write_byte(static_cast<uint8_t>(i - last));
      patches_.write_byte(in[i]);
      last = i;
    }
    if (patches_.size() / 2 > max_patches) return false;
  }

  size_t quarter = length / 4;
  size_t kept = length - quarter;
  uint8_t* packed = out.reserve(kept);
  for (size_t i = 0; i < kept; ++i) packed[i] = to_code(in[i]);
  for (size_t i = 0; i < quarter; ++i) {
    uint32_t code = to_code(in[kept + i]);
    packed[i] = static_cast<uint8_t>(packed[i] | (code >> 4 & 3) << 6);
    packed[quarter + i] = static_cast<uint8_t>(packed[quarter + i] | (code >> 2 & 3) << 6);
    packed[2 * quarter + i] = static_cast<uint8_t>(packed[2 * quarter + i] | (code & 3) << 6);
  }
  out.advance(kept);
  out.write_vlong(patches_.size() / 2);
  out.write_bytes(patches_.bytes());
  return true;
}

// Readies the table for `size` positions: what earlier calls left in it lies below base_.
void SuffixCompressor::start_table(size_t size) {
  if (heads_.empty()) heads_.assign(size_t{1} << kHashBits, 0);
  base_ = end_;
  if (size >= UINT32_MAX - base_) {
    std::fill(heads_.begin(), heads_.end(), 0);
    base_ = 1;
  }
  end_ = base_ + static_cast<uint32_t>(size);
  if (previous_.size() < size) previous_.resize(size);
}

// The longest match of data[at...] with the positions of its chain from `link` on, the nearest
// among equals; length 0 if there is none of four bytes. `limit`: end of what a match may cover.
SuffixCompressor::Match SuffixCompressor::find_match(const uint8_t* data, size_t at, uint32_t link,
                                                     const uint8_t* limit) const {
  // Lucene gives up after so many positions of the same hash that differ in the first four bytes.
  constexpr uint32_t kMaxCollisions = 256;
  const uint8_t* here = data + at;
  const size_t longest = static_cast<size_t>(limit - here);
  const uint32_t four = load_le<uint32_t>(here);
  Match best{0, 0};
  uint32_t collisions = 0;
  for (; link >= base_; link = previous_[link - base_]) {
    size_t distance = at - (link - base_);
    if (distance > kLz4MaxDistance) break;
    const uint8_t* candidate = here - distance;
    if (load_le<uint32_t>(candidate) != four) {
      if (++collisions == kMaxCollisions) break;
      continue;
    }
    if (candidate[best.length] != here[best.length]) continue;
    size_t length = lz4_common_length(candidate, here, limit);
    if (length > best.length) best = {distance, length};
    if (length == longest) break;
  }
  return best;
}

// Makes position `at` the first of its chain; returns the one that was.
inline uint32_t SuffixCompressor::enter(const uint8_t* data, size_t at) {
  uint32_t& head = heads_[hash(data + at)];
  const uint32_t link = head;
  previous_[at] = link;
  head = base_ + static_cast<uint32_t>(at);
  return link;
}

void SuffixCompressor::lz4(std::span<const uint8_t> in, ByteBuffer& out) {
  lz4_below(in, SIZE_MAX, out);
}

bool SuffixCompressor::lz4_below(std::span<const uint8_t> in, size_t most, ByteBuffer& out) {
  constexpr size_t kLastLiterals = 5;  // no match reaches into them
  constexpr size_t kNoMatchAtEnd = 9;  // no match begins in them
  const uint8_t* data = in.data();
  const uint8_t* end = data + in.size();
  uint8_t* const begin = out.reserve(lz4_bound(in.size()));
  uint8_t* p = begin;
  size_t anchor = 0;
  if (in.size() > kNoMatchAtEnd) {
    start_table(in.size());
    const size_t stop = in.size() - kNoMatchAtEnd;
    // While no match is found, this is where the literals alone will have made the output too long.
    size_t hopeless = most;
    for (size_t at = 0; at < stop;) {
      const Match match = find_match(data, at, enter(data, at), end - kLastLiterals);
      if (match.length == 0) {
        if (++at == hopeless) return false;
        continue;
      }
      p = lz4_emit_sequence(p, data + anchor, at - anchor, match.distance, match.length, end);
      const size_t next = at + match.length;
      while (++at < std::min(next, stop)) enter(data, at);
      at = anchor = next;
      const auto written = static_cast<size_t>(p - begin);
      if (written >= most) return false;
      hopeless = most - written > SIZE_MAX - anchor ? SIZE_MAX : anchor + (most - written);
    }
  }
  p = lz4_emit_last_literals(p, data + anchor, in.size() - anchor, end);
  const auto written = static_cast<size_t>(p - begin);
  if (written >= most) return false;
  out.advance(written);
  return true;
}

void decompress_suffixes(ByteReader& in, SuffixCompression kind, size_t length, ByteBuffer& out) {
  switch (kind) {
    case SuffixCompression::kNone:
      out.write_bytes(in.read_bytes(length));
      return;
    case SuffixCompression::kLowercaseAscii:
      decompress_lowercase_ascii(in, length, out);
      return;
    case SuffixCompression::kLz4: {
      if (length / kMaxLz4Expansion > in.remaining())
        in.fail("a claim of " + std::to_string(length) + " suffix bytes");
      size_t start = in.position();
      std::span<const uint8_t> rest = in.read_bytes(in.remaining());
      std::span<uint8_t> target(out.reserve(length), length);
      in.seek(start + lz4_decompress(rest, target, 0, in.name()));
      out.advance(length);
      return;
    }
  }
  in.fail("an unknown compression of suffixes");
}

}  // namespace postern::codec
