// Sorts the terms of a field (docs/hot_path.md §5): by the first eight bytes as numbers,
// radix-wise; terms that are equal there by the next eight, and so on.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/memory_counter.h"
#include "memory/term_table.h"

namespace postern::memory {

// Fills `ids` with all ids of the table in unsigned byte order of the terms, a prefix before its
// extensions. Working memory of 16 bytes a term, and 1 MB, is charged to `counter` meanwhile.
void sort_terms(const TermTable& table, MemoryCounter& counter, std::vector<uint32_t>& ids);

}  // namespace postern::memory
