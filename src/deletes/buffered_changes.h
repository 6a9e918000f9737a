// The changes that arrived while a segment was in memory, and how many of its documents each of
// them may hit: those that were there before it (docs/formats/02 §4).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "deletes/change_log.h"

namespace postern::deletes {

// Belongs to one thread at a time.
class BufferedChanges {
 public:
  // Nothing that `log` holds now concerns the segment.
  explicit BufferedChanges(std::shared_ptr<ChangeLog> log)
      : log_(std::move(log)), start_(log_->cursor_at_end()), seen_(start_) {}

  ChangeLog& log() const { return *log_; }

  // Changes with numbers up to `number` that have not been seen hit the first `documents` only.
  // Costs nothing but a look at the log's end when there are none.
  void limit(uint64_t number, uint32_t documents) {
    const uint64_t end = log_->end();
    if (end != seen_.position()) limit_to(end, number, documents);
  }
  // The segment has all its documents, `documents` in all: what has not been seen may hit any of
  // them. Returns the place from which on changes must be applied to the segment's files.
  Cursor finish(uint32_t documents);

  const Cursor& start() const { return start_; }
  bool any() const { return seen_.position() != start_.position(); }
  // Calls visit(change, limit): the change may hit documents below limit. After finish.
  template <class Visit>
  void for_each(Visit&& visit) const {
    Cursor at = start_;
    for (const Limit& limit : limits_) {
      at.visit(limit.end, [&](const Change& change) {
        visit(change, limit.documents);
        return true;
      });
    }
  }

  uint64_t ram_bytes() const { return limits_.capacity() * sizeof(Limit); }

 private:
  // Of changes before the position `end` and behind the one before.
  struct Limit {
    uint64_t end;
    uint32_t documents;
  };
  void limit_to(uint64_t end, uint64_t number, uint32_t documents);

  std::shared_ptr<ChangeLog> log_;
  Cursor start_;
  Cursor seen_;
  std::vector<Limit> limits_;
};

}  // namespace postern::deletes
