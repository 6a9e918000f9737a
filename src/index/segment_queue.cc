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

std::shared_ptr<QueuedSegment> SegmentQueue::begin_full_flush(std::function<void()> at_head) {
  for (auto& segment : std::exchange(started_, {})) queue_.push_back(std::move(segment));
  auto mark = std::make_shared<QueuedSegment>();
  mark->at_head = std::move(at_head);
  mark->done = true;
  queue_.push_back(mark);
  return mark;
}

void SegmentQueue::publish(const std::function<void(codec::SegmentCommitInfo&&)>& add) {
  while (!queue_.empty() && queue_.front()->done) {
    std::shared_ptr<QueuedSegment> first = std::move(queue_.front());
    queue_.pop_front();
    if (first->segment) add(std::move(*first->segment));
    if (first->at_head) first->at_head();
    first->published = true;
  }
}

uint64_t SegmentQueue::documents() const {
  uint64_t sum = 0;
  for (const auto& segment : queue_) sum += segment->documents;
  return sum;
}

}  // namespace postern::index
