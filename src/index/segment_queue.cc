#include "index/segment_queue.h"

#include <algorithm>
#include <utility>

namespace postern::index {

std::shared_ptr<QueuedSegment> SegmentQueue::start() {
  return started_.emplace_back(std::make_shared<QueuedSegment>());
}

void SegmentQueue::begin_flush(const std::shared_ptr<QueuedSegment>& segment) {
  auto place = std::ranges::find(started_, segment);
  if (place == started_.end()) return;  // a full flush has seen to it
  queue_.push_back(*place);
  started_.erase(place);
}

std::shared_ptr<QueuedSegment> SegmentQueue::begin_full_flush() {
  for (auto& segment : std::exchange(started_, {})) queue_.push_back(std::move(segment));
  return add_mark();
}

std::shared_ptr<QueuedSegment> SegmentQueue::add_mark() {
  auto mark = std::make_shared<QueuedSegment>();
  mark->is_mark = true;
  mark->done = true;
  queue_.push_back(mark);
  return mark;
}

std::shared_ptr<QueuedSegment> SegmentQueue::pop() {
  if (queue_.empty() || !queue_.front()->done) return nullptr;
  std::shared_ptr<QueuedSegment> first = std::move(queue_.front());
  queue_.pop_front();
  return first;
}

uint64_t SegmentQueue::documents() const {
  uint64_t sum = 0;
  for (const auto& segment : queue_) sum += segment->documents;
  return sum;
}

}  // namespace postern::index
