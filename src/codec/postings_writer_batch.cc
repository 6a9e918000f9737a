// Postings that come in batches: PostingsBatch.
#include <algorithm>

#include "codec/postings_writer.h"

namespace postern::codec {

void PostingsWriter::write_batch_blocks() {
  if (!batch_has_blocks_) begin_term();
  batch_has_blocks_ = true;
  // A block of documents states where the positions stood after its last one.
  if (batch_.docs > kPostingsBlock) {
    while (batch_starts_[kPostingsBlock] >= kPostingsBlock) write_batch_positions();
    write_batch_docs();
  }
  while (batch_.positions >= kPostingsBlock) write_batch_positions();
}

void PostingsWriter::write_batch_positions() {
  buffered_positions_ = kPostingsBlock;
  total_term_freq_ += kPostingsBlock;
  write_position_block();
  batch_.positions -= kPostingsBlock;
  std::copy_n(position_deltas_.begin() + kPostingsBlock, batch_.positions,
              position_deltas_.begin());
  // Those of documents that began in this block wrap around; only differences count of them.
  for (uint32_t i = 0; i < batch_.docs; ++i) batch_starts_[i] -= kPostingsBlock;
}

// The first 256 documents; batch_starts_ has one entry more.
void PostingsWriter::write_batch_docs() {
  for (uint32_t i = 0; i < kPostingsBlock; ++i) {
    last_doc_ += deltas_[i];
    freqs_[i] = batch_starts_[i + 1] - batch_starts_[i];
  }
  buffered_positions_ = batch_starts_[kPostingsBlock];
  doc_freq_ += kPostingsBlock;
  write_doc_block();
  batch_.docs -= kPostingsBlock;
  std::copy_n(deltas_.begin() + kPostingsBlock, batch_.docs, deltas_.begin());
  std::copy_n(batch_starts_.begin() + kPostingsBlock, batch_.docs, batch_starts_.begin());
}

void PostingsWriter::end_batch() {
  if (batch_.docs == 0) return;
  if (!batch_has_blocks_) begin_term();
  batch_has_blocks_ = false;
  batch_starts_[batch_.docs] = batch_.positions;
  if (batch_.docs == kPostingsBlock) write_batch_docs();
  for (uint32_t i = 0; i < batch_.docs; ++i) {
    last_doc_ += deltas_[i];
    freqs_[i] = batch_starts_[i + 1] - batch_starts_[i];
  }
  doc_freq_ += batch_.docs;
  buffered_docs_ = batch_.docs;
  buffered_positions_ = batch_.positions;
  total_term_freq_ += batch_.positions;
}

}  // namespace postern::codec
