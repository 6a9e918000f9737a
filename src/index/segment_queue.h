// The order in which flushed segments join the index: that in which their flushes began, whichever
// ends first (docs/formats/02 §3). A full flush puts everything that was buffered when it began
// before a mark, and is over when the mark comes to the head.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/segment_commit.h"

namespace postern::index {

// A segment from the moment its buffer takes the first document.
struct QueuedSegment {
  uint32_t documents = 0;  // once its flush has begun
  std::optional<codec::SegmentCommitInfo> segment;
  std::function<void()> at_head;  // of marks
  bool done = false;              // segment is final
  bool published = false;
};

// Not thread-safe: the writer's lock guards it.
class SegmentQueue {
 public:
  // A buffer was started.
  std::shared_ptr<QueuedSegment> start();
  // Its flush begins.
  void begin_flush(const std::shared_ptr<QueuedSegment>& segment);
  // All buffers that were started take their places in order of their start, and behind them a
  // mark.
  std::shared_ptr<QueuedSegment> begin_full_flush(std::function<void()> at_head);
  // Publishes what stands at the head and is done.
  void publish(const std::function<void(codec::SegmentCommitInfo&&)>& add);

  // Documents of segments whose flush has begun and that are not published.
  uint64_t documents() const;

 private:
  std::vector<std::shared_ptr<QueuedSegment>> started_;  // not in the queue yet
  std::deque<std::shared_ptr<QueuedSegment>> queue_;
};

}  // namespace postern::index
