#include "deletes/change_log.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace postern::deletes {
namespace {

constexpr uint32_t kFirstCapacity = 16;
constexpr uint32_t kLargestCapacity = 256;
constexpr size_t kTextBlock = 4096;

}  // namespace

ChangeChunk::ChangeChunk(uint64_t first, uint32_t capacity, std::atomic<uint64_t>& memory)
    : first_(first),
      capacity_(capacity),
      changes_(std::make_unique<Change[]>(capacity)),
      memory_(memory) {
  charge(sizeof(ChangeChunk) + capacity * sizeof(Change));
}

// A chain of chunks goes one by one, not by as many calls inside each other.
ChangeChunk::~ChangeChunk() {
  memory_ -= charged_;
  std::shared_ptr<ChangeChunk> next = std::move(next_);
  while (next && next.use_count() == 1) next = std::exchange(next->next_, nullptr);
}

void ChangeChunk::charge(uint64_t bytes) {
  memory_ += bytes;
  charged_ += bytes;
}

std::string_view ChangeChunk::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > text_left_) {
    // Small for the first chunk of a log, which may hold a single change.
    const size_t block = std::max(text.size(), std::min<size_t>(kTextBlock, capacity_ * 8));
    text_end_ = text_.emplace_back(std::make_unique<char[]>(block)).get();
    text_left_ = block;
    charge(block);
  }
  char* at = std::exchange(text_end_, text_end_ + text.size());
  text_left_ -= text.size();
  std::memcpy(at, text.data(), text.size());
  return {at, text.size()};
}

void ChangeChunk::add(const Change& change, uint32_t index) {
  Change& kept = changes_[index];
  const Change* before = index == 0 ? nullptr : &changes_[index - 1];
  kept = change;
  kept.term = keep(change.term);
  kept.bytes = keep(change.bytes);
  // Most changes go by the same field.
  kept.field =
      before != nullptr && before->field == change.field ? before->field : keep(change.field);
  if (change.target != nullptr) {
    if (targets_.empty() || targets_.back() != *change.target) {
      targets_.push_back(*change.target);
      charge(sizeof(Target) + change.target->name.size());
    }
    kept.target = &targets_.back();
  }
}

ChangeLog::ChangeLog(uint64_t last_number, std::atomic<uint64_t>& memory)
    : last_number_(last_number),
      last_(std::make_shared<ChangeChunk>(0, kFirstCapacity, memory)),
      memory_(memory) {}

uint64_t ChangeLog::append(std::span<const Change> changes) {
  std::lock_guard lock(mutex_);
  // next_number waits for the lock from here on, so that nobody holds a larger number than ours
  // while our changes cannot be seen.
  struct Appending {
    explicit Appending(std::atomic<bool>& f) : flag(f) { flag.store(true); }
    ~Appending() { flag.store(false); }
    std::atomic<bool>& flag;
  } appending(appending_);
  const uint64_t number = ++last_number_;
  uint64_t end = end_.load(std::memory_order_relaxed);
  for (const Change& change : changes) {
    auto index = static_cast<uint32_t>(end - last_->first_);
    if (index == last_->capacity_) {
      auto next = std::make_shared<ChangeChunk>(
          end, std::min(last_->capacity_ * 4, kLargestCapacity), memory_);
      last_->next_ = next;
      last_ = std::move(next);
      index = 0;
    }
    last_->add(change, index);
    last_->changes_[index].number = number;
    last_->changes_[index].packet = packet_;
    ++end;
  }
  end_.store(end, std::memory_order_release);
  return number;
}

uint64_t ChangeLog::next_number() {
  const uint64_t number = ++last_number_;
  if (appending_.load()) std::lock_guard wait(mutex_);
  return number;
}

void ChangeLog::end_packet() {
  std::lock_guard lock(mutex_);
  ++packet_;
}

Cursor ChangeLog::cursor_at_end() const {
  std::lock_guard lock(mutex_);
  Cursor cursor;
  cursor.chunk_ = last_;
  cursor.position_ = end_.load(std::memory_order_relaxed);
  return cursor;
}

}  // namespace postern::deletes
