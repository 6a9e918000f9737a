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

#include "index/document_buffer.h"

namespace postern::index {

// A segment from the moment its buffer takes the first document, or a mark: at its place, changes
// are applied to all segments before it.
struct QueuedSegment {
  uint32_t documents = 0;  // once its flush has begun
  std::optional<FlushedSegment> segment;
  bool done = false;  // segment is final
  bool published = false;
  // Of marks:
  bool is_mark = false;
  // Of a full flush: the log that the segments behind it go by. Changes of the one before are
  // complete when the mark comes to the head.
  std::shared_ptr<deletes::ChangeLog> next_log;
  deletes::Cursor next_start;     // its beginning
  bool drops_all = false;         // nothing before it stays
  std::function<void()> at_head;  // may be empty
};

// Not thread-safe: the writer's lock guards it.
class SegmentQueue {
 public:
  // A buffer was started.
  std::shared_ptr<QueuedSegment> start();
  // Its flush begins.
  void begin_flush(const std::shared_ptr<QueuedSegment>& segment);
  // All buffers that were started take their places in order of their start, and behind them the
  // mark that is returned.
  std::shared_ptr<QueuedSegment> begin_full_flush();
  // A mark behind what is queued now.
  std::shared_ptr<QueuedSegment> add_mark();
  // Takes what stands at the head, null if nothing does that is done.
  std::shared_ptr<QueuedSegment> pop();

  // Documents of segments whose flush has begun and that are not published.
  uint64_t documents() const;

 private:
  std::vector<std::shared_ptr<QueuedSegment>> started_;  // not in the queue yet
  std::deque<std::shared_ptr<QueuedSegment>> queue_;
};

}  // namespace postern::index
