// Documents and positions on their way into PostingsWriter, as whoever decodes many codes at once
// leaves them: no call and no test per posting.
#pragma once

#include <cstdint>

namespace postern::codec {

// Views of the writer's buffers. What is added goes to index `docs` and `positions`, then these
// grow. At most kBatchRoom documents and positions may be added between two calls of
// PostingsWriter::settle_batch; one entry more may be overwritten without being counted.
struct PostingsBatch {
  uint32_t* deltas;           // per document: difference to the one before, the first to -1
  uint32_t* starts;           // per document: the index of its first position
  uint32_t* position_deltas;  // as of PostingsWriter::add_position
  uint32_t docs = 0;
  uint32_t positions = 0;
};

inline constexpr uint32_t kBatchRoom = 64;

}  // namespace postern::codec
