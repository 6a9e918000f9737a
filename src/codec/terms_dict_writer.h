// The distinct values of a sorted or sorted-set column, in order (docs/formats/22 §4): blocks of 64
// terms, all but the first prefix-compressed and LZ4-packed, and the shortest telling prefix of
// every 1024th term for binary search.
#pragma once

#include <cstdint>
#include <span>

#include "base/byte_buffer.h"
#include "codec/direct_monotonic.h"
#include "codec/lz4.h"
#include "store/index_output.h"

namespace postern::codec {

// Writes one dictionary: add terms in unsigned byte order, no duplicates, then finish. Terms of at
// most 32,766 bytes.
class TermsDictWriter {
 public:
  TermsDictWriter(store::IndexOutput& data, store::IndexOutput& meta);
  TermsDictWriter(const TermsDictWriter&) = delete;
  TermsDictWriter& operator=(const TermsDictWriter&) = delete;

  void add(std::span<const uint8_t> term);
  void finish();

 private:
  void start_block(std::span<const uint8_t> term);
  void add_to_block(std::span<const uint8_t> term, size_t prefix);
  void finish_block();
  void add_index_key(std::span<const uint8_t> term, size_t prefix);

  store::IndexOutput& data_;
  store::IndexOutput& meta_;
  uint64_t start_;
  uint64_t count_ = 0;
  size_t max_term_ = 0;
  size_t max_block_ = 0;
  ByteBuffer previous_;
  ByteBuffer block_;        // the first term, then what is to be compressed
  size_t block_start_ = 0;  // length of the first term
  ByteBuffer compressed_;
  Lz4Compressor lz4_;  // its table lives from block to block
  ByteBuffer block_meta_, block_addresses_;
  ByteBuffer keys_, key_meta_, key_addresses_;
  DirectMonotonicWriter<ByteBuffer, ByteBuffer> block_starts_;
  DirectMonotonicWriter<ByteBuffer, ByteBuffer> key_ends_;
};

}  // namespace postern::codec
