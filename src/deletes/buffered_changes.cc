#include "deletes/buffered_changes.h"

#include <utility>

namespace postern::deletes {

void BufferedChanges::limit_to(uint64_t end, uint64_t number, uint32_t documents) {
  const uint64_t before = seen_.position();
  seen_.visit(end, [&](const Change& change) { return change.number <= number; });
  if (seen_.position() == before) return;
  if (!limits_.empty() && limits_.back().documents == documents) {
    limits_.back().end = seen_.position();
  } else {
    limits_.push_back({seen_.position(), documents});
  }
}

Cursor BufferedChanges::finish(uint32_t documents) {
  limit(UINT64_MAX, documents);
  return seen_;
}

}  // namespace postern::deletes
