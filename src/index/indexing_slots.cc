#include "index/indexing_slots.h"

#include <algorithm>
#include <array>

namespace postern::index {
namespace {

std::atomic<uint64_t> last_id{0};

// The slots that this thread used last, and whose they are. A thread may use several writers in
// turn, as one that fills an index's shards does, and should come back to the same slot of each:
// its buffer is in the caches of this thread's core, and no lock is needed to find it.
struct LastSlot {
  uint64_t owner = 0;
  Slot* slot = nullptr;
};
thread_local std::array<LastSlot, 32> last_slots;

constexpr uint64_t kLargestStep = 256 << 10;
constexpr uint64_t kStepsOfBudget = 4096;

}  // namespace

IndexingSlots::IndexingSlots(const WriterConfig& config, const std::atomic<uint64_t>& changes)
    : config_(config), changes_(changes), id_(++last_id) {
  limit_ = static_cast<uint64_t>(config.ram_buffer_mb * 1048576.0);
  if (config.ram_buffer_mb > 0) limit_ = std::max<uint64_t>(limit_, 1);
  stall_bytes_ = limit_ == 0
                     ? UINT64_MAX
                     : static_cast<uint64_t>(static_cast<double>(limit_) * (1 + kOverBudget));
  step_ = limit_ == 0 ? kLargestStep : std::min(kLargestStep, limit_ / kStepsOfBudget);
}

Slot& IndexingSlots::take() {
  LastSlot& last = last_slots[id_ % last_slots.size()];
  if (last.owner == id_ && try_take(*last.slot)) return *last.slot;
  std::lock_guard lock(mutex_);
  auto free = std::ranges::find_if(slots_, [&](const auto& slot) { return try_take(*slot); });
  Slot* slot = nullptr;
  if (free != slots_.end()) {
    slot = free->get();
  } else {
    slot = slots_.emplace_back(std::make_unique<Slot>(config_)).get();
    count_.store(static_cast<uint32_t>(slots_.size()), relaxed);
  }
  last = {id_, slot};
  return *slot;
}

void IndexingSlots::give_back(Slot& slot) {
  slot.busy.store(false);
  if (closing_.load()) wake();
}

std::vector<Slot*> IndexingSlots::all() const {
  std::lock_guard lock(mutex_);
  std::vector<Slot*> result;
  for (const auto& slot : slots_) result.push_back(slot.get());
  return result;
}

std::vector<Slot*> IndexingSlots::take_all() {
  closing_.store(true);
  for (Slot* slot : all()) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return try_take(*slot); });
  }
  return all();
}

Slot* IndexingSlots::account(Slot& slot, uint64_t bytes) {
  uint64_t before = slot.bytes.load(relaxed);
  uint64_t change = bytes > before ? bytes - before : before - bytes;
  if (before != 0 && change < step_) return nullptr;
  std::lock_guard lock(mutex_);
  std::atomic<uint64_t>& sum = slot.flush_wanted.load(relaxed) ? flushing_ : active_;
  sum.store(sum.load(relaxed) - before + bytes, relaxed);
  slot.bytes.store(bytes, relaxed);
  return full() ? choose_largest() : nullptr;
}

Slot* IndexingSlots::choose_if_full() {
  std::lock_guard lock(mutex_);
  return full() ? choose_largest() : nullptr;
}

Slot* IndexingSlots::choose_largest() {
  Slot* largest = nullptr;
  for (const auto& slot : slots_) {
    if (slot->flush_wanted.load(relaxed) || slot->documents.load(relaxed) == 0) continue;
    if (largest == nullptr || slot->bytes.load(relaxed) > largest->bytes.load(relaxed))
      largest = slot.get();
  }
  if (largest == nullptr) return nullptr;
  uint64_t bytes = largest->bytes.load(relaxed);
  active_.store(active_.load(relaxed) - bytes, relaxed);
  flushing_.store(flushing_.load(relaxed) + bytes, relaxed);
  largest->flush_wanted.store(true);
  changed_.notify_all();  // its owner may be waiting in stall
  return largest;
}

void IndexingSlots::begin_flush(Slot& slot) {
  std::lock_guard lock(mutex_);
  if (slot.flush_wanted.load(relaxed)) return;
  uint64_t bytes = slot.bytes.load(relaxed);
  active_.store(active_.load(relaxed) - bytes, relaxed);
  flushing_.store(flushing_.load(relaxed) + bytes, relaxed);
  slot.flush_wanted.store(true);
}

void IndexingSlots::end_flush(Slot& slot) {
  std::lock_guard lock(mutex_);
  flushing_.store(flushing_.load(relaxed) - slot.bytes.load(relaxed), relaxed);
  slot.bytes.store(0, relaxed);
  slot.flush_wanted.store(false);
  changed_.notify_all();
}

void IndexingSlots::stall(const Slot& slot, const std::function<bool()>& leave) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !over_budget() || slot.flush_wanted.load() || leave(); });
}

void IndexingSlots::wake() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

uint64_t IndexingSlots::resident_limit(const Slot& slot, uint64_t used) const {
  if (limit_ == 0) return UINT64_MAX;
  uint64_t all =
      bytes() + changes_.load(relaxed) - std::min(bytes(), slot.bytes.load(relaxed)) + used;
  uint64_t unused = limit_ - std::min(limit_, all);
  return used + unused / std::max(1u, count_.load(relaxed));
}

}  // namespace postern::index
