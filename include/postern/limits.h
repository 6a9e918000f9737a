// The limits of a Lucene 10.4 index, in one place. Tests lower them through WriterConfig::limits.
#pragma once

#include <cstdint>

namespace postern {

struct Limits {
  // Bytes of one term in UTF-8; longer terms refuse their document (spec 01 §2.3).
  uint32_t max_term_bytes = 32766;
  // Documents of one index, deleted ones included.
  uint32_t max_documents = 2147483519;
  // Position of a token in its field.
  uint32_t max_position = 2147483519;
  // Bytes one in-memory pool may hand out: its addresses have 32 bits. A buffer is flushed before
  // it gets there; a single document that needs more is refused whole.
  uint64_t max_pool_bytes = (uint64_t{1} << 32) - (uint64_t{1} << 20);
  // UTF-16 units of one stored string.
  uint32_t max_stored_string_units = 715827877;
};

}  // namespace postern
