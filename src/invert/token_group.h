// The tokens that are inverted together: while the memory one of them needs is on its way, the
// others are worked on (docs/hot_path.md §3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memory/term_table.h"
#include "postern/analyzer.h"

namespace postern::invert {

static_assert(kTermPadding >= memory::kTermSlack);

// A token on its way into the table. After the group was added, `id` is its term, `position` its
// position in the field: what a chained consumer (term vectors) takes.
struct GroupEntry : memory::TermKey {
  uint32_t position;
  uint32_t doc_plus_1;
};

struct TokenGroup {
  static constexpr size_t kSize = 64;

  std::array<Token, kSize> tokens;        // as the analyzer delivers them
  std::array<GroupEntry, kSize> entries;  // parallel to tokens
  // Added to the tokens' offsets: where their value starts in the field, in UTF-16 units.
  uint32_t offset_base = 0;
};

}  // namespace postern::invert
