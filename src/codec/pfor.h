// PFOR: 256 integers, the few widest of which are patched (docs/formats/30 §4).
//
//   token    byte      low 5 bits: width b; high 3 bits: number of exceptions
//   value    vInt      if b = 0: all 256 values
//   data     32*b      otherwise: FOR(b)
//   index    byte      per exception: 0 ... 255
//   high     byte      per exception: or-ed in above the low b bits
#pragma once

#include <cstdint>

#include "base/byte_buffer.h"
#include "base/byte_reader.h"
#include "codec/for_util.h"

namespace postern::codec {

// Bytes of the longest block.
inline constexpr uint32_t kMaxPforBytes = 1 + kMaxForBytes + 2 * 7;

// values: 256, each below 2^31. Writes at most kMaxPforBytes to out and returns how many; the
// choices of width and exceptions are Lucene's.
uint32_t encode_pfor(const uint32_t* values, uint8_t* out);
// Throws CorruptIndex.
void decode_pfor(ByteReader& in, uint32_t* values);
// Leaves `in` behind the block.
void skip_pfor(ByteReader& in);

// Appends to anything with EncodedWriter's reserve and advance.
template <class Out>
void write_pfor(Out& out, const uint32_t* values) {
  uint8_t bytes[kMaxPforBytes];
  out.write(bytes, encode_pfor(values, bytes));
}

}  // namespace postern::codec
