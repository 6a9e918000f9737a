// The changes of a writer in their order, kept until every segment they may concern has felt them
// (docs/formats/02 §4).
//
// Positions count changes from 0. A segment that has felt all changes before a position needs only
// those from there on: that is all there is to the order between deletes and documents. Memory is
// freed as the last cursor before it goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "deletes/change.h"

namespace postern::deletes {

class ChangeLog;

// A run of changes with their text; full ones are followed by larger ones.
class ChangeChunk {
 public:
  ChangeChunk(uint64_t first, uint32_t capacity, std::atomic<uint64_t>& memory);
  ~ChangeChunk();
  ChangeChunk(const ChangeChunk&) = delete;
  ChangeChunk& operator=(const ChangeChunk&) = delete;

 private:
  friend class Cursor;
  friend class ChangeLog;

  void add(const Change& change, uint32_t index);
  std::string_view keep(std::string_view text);
  void charge(uint64_t bytes);

  const uint64_t first_;
  const uint32_t capacity_;
  std::unique_ptr<Change[]> changes_;
  std::shared_ptr<ChangeChunk> next_;  // set before the log's end passes this chunk's
  std::deque<Target> targets_;         // addresses stay
  std::vector<std::unique_ptr<char[]>> text_;
  size_t text_left_ = 0;
  char* text_end_ = nullptr;
  std::atomic<uint64_t>& memory_;
  uint64_t charged_ = 0;
};

// A place between two changes. Reading needs no lock as long as nothing at or behind an end() seen
// before is read.
class Cursor {
 public:
  Cursor() = default;

  uint64_t position() const { return position_; }
  // The place before the change at `end`.
  Cursor advanced_to(uint64_t end) const {
    Cursor at = *this;
    at.visit(end, [](const Change&) { return true; });
    return at;
  }
  // Goes on to `end`, or up to the first change for which visit(change) is false.
  template <class Visit>
  void visit(uint64_t end, Visit&& visit) {
    while (position_ < end) {
      if (position_ == chunk_->first_ + chunk_->capacity_) chunk_ = chunk_->next_;
      if (!visit(std::as_const(chunk_->changes_[position_ - chunk_->first_]))) return;
      ++position_;
    }
  }

 private:
  friend class ChangeLog;
  std::shared_ptr<ChangeChunk> chunk_;
  uint64_t position_ = 0;
};

// Any number of threads. Also gives the operations of the writer their numbers.
class ChangeLog {
 public:
  // `memory`: the bytes of all chunks are counted there; must outlive log and cursors. Numbers
  // begin above `last_number`.
  ChangeLog(uint64_t last_number, std::atomic<uint64_t>& memory);

  // Adds the changes of one operation (their numbers are set here) and returns its number.
  // Copies the texts.
  uint64_t append(std::span<const Change> changes);
  // The number of an operation that changes no earlier document. Changes with smaller numbers are
  // before end() when it returns.
  uint64_t next_number();
  // The last number given.
  uint64_t last_number() const { return last_number_.load(); }

  // Changes from now on belong to the next packet.
  void end_packet();

  // Behind the last change.
  uint64_t end() const { return end_.load(std::memory_order_acquire); }
  Cursor cursor_at_end() const;

 private:
  alignas(64) std::atomic<uint64_t> last_number_;
  alignas(64) std::atomic<uint64_t> end_{0};  // written by changes only, read for each document
  std::atomic<bool> appending_{false};
  mutable std::mutex mutex_;
  std::shared_ptr<ChangeChunk> last_;
  uint32_t packet_ = 0;
  std::atomic<uint64_t>& memory_;
};

}  // namespace postern::deletes
