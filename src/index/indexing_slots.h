// The document buffers that several threads fill at once, and the memory budget they share
// (docs/formats/02 §2-3). A thread keeps to the slot it used last; while it adds documents it
// writes only to that slot's cache lines. What is shared is read, and written once for each
// accounting step of memory.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "index/document_buffer.h"
#include "index/segment_queue.h"
#include "invert/buffer_memory.h"
#include "postern/writer.h"

namespace postern::index {

// One document buffer and what goes with it; owned by the thread that has taken it.
struct alignas(64) Slot {
  explicit Slot(const WriterConfig& config) : memory(config.pools, config.limits) {}

  invert::BufferMemory memory;
  std::optional<DocumentBuffer> buffer;
  std::shared_ptr<QueuedSegment> segment;  // what the buffer will become
  uint64_t quota = 0;                      // documents of the index's limit it may still add

  // Other threads read these.
  alignas(64) std::atomic<bool> busy{true};
  std::atomic<bool> flush_wanted{false};
  std::atomic<uint64_t> bytes{0};       // of the buffer, as the budget knows it
  std::atomic<uint32_t> documents{0};   // in the buffer
  std::atomic<uint64_t> generation{0};  // full flushes that had begun when the buffer did
};

class IndexingSlots {
 public:
  // `changes`: bytes of the budget that deletes and updates take beside the buffers.
  IndexingSlots(const WriterConfig& config, const std::atomic<uint64_t>& changes);

  // A slot for the calling thread, a new one if all are busy.
  Slot& take();
  bool try_take(Slot& slot) { return !slot.busy.exchange(true); }
  // The caller then looks whether somebody wanted something of the slot while it was busy: whoever
  // finds it busy relies on that.
  void give_back(Slot& slot);
  // Those there are now; addresses stay.
  std::vector<Slot*> all() const;
  // Takes every slot, for good. No new ones may be asked for.
  std::vector<Slot*> take_all();

  // Tells the budget what the buffer takes now. When that makes it full, the largest buffer is
  // chosen to be flushed (flush_wanted) and returned; it may be any slot, busy or not.
  Slot* account(Slot& slot, uint64_t bytes);
  // The same for an operation that has no slot.
  Slot* choose_if_full();
  // Marks the slot's buffer as being flushed.
  void begin_flush(Slot& slot);
  // Its memory is free again.
  void end_flush(Slot& slot);

  // Waits while flushing falls behind: buffers being filled and flushed together are over the
  // budget by more than kOverBudget. Ends early when the slot itself is to be flushed, or when
  // `leave` says so; call wake after anything changes that it looks at.
  void stall(const Slot& slot, const std::function<bool()>& leave);
  void wake();
  bool over_budget() const {
    uint64_t flushing = flushing_.load(relaxed);
    return flushing != 0 && active_.load(relaxed) + flushing > stall_bytes_;
  }

  // Of the budget, in bytes; 0 = none.
  uint64_t limit() const { return limit_; }
  uint64_t bytes() const { return active_.load(relaxed) + flushing_.load(relaxed); }
  // What the slot's memory may take, recycled pages included, for all of them to stay in budget.
  uint64_t resident_limit(const Slot& slot, uint64_t used) const;

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  static constexpr double kOverBudget = 0.25;

  bool full() const { return limit_ != 0 && active_.load(relaxed) + changes_.load() >= limit_; }
  Slot* choose_largest();

  const WriterConfig& config_;
  const std::atomic<uint64_t>& changes_;
  const uint64_t id_;  // of this object, among all of the process
  uint64_t limit_;     // bytes; 0 = none
  uint64_t stall_bytes_;
  uint64_t step_;  // changes smaller than this wait to be accounted

  // Written under mutex_, once a step.
  alignas(64) std::atomic<uint64_t> active_{0};  // of buffers that take documents
  std::atomic<uint64_t> flushing_{0};            // of those that are, or will be, flushed
  std::atomic<uint32_t> count_{0};
  std::atomic<bool> closing_{false};  // take_all waits for slots to be given back

  alignas(64) mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace postern::index
