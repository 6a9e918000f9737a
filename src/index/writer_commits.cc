// The writer's part that goes over all slots: segments join the index, full flushes, commits.
#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "index/writer_core.h"

namespace postern::index {

void WriterCore::flush() {
  require_open();
  guarded([&] {
    std::lock_guard lock(commit_mutex_);
    full_flush("requested", false, {});
  });
}

void WriterCore::set_commit_user_data(std::map<std::string, std::string> data) {
  require_open();
  std::lock_guard lock(mutex_);
  commits_.current().user_data.assign(data.begin(), data.end());
  changed_ = true;
}

void WriterCore::prepare_commit() {
  require_open();
  {
    std::lock_guard lock(commit_mutex_);
    if (commits_.prepared())
      throw InvalidArgument("prepare_commit was called twice without commit");
  }
  guarded([&] {
    std::lock_guard lock(commit_mutex_);
    prepare();
  });
}

std::optional<uint64_t> WriterCore::commit() {
  require_open();
  return guarded([&]() -> std::optional<uint64_t> {
    std::lock_guard lock(commit_mutex_);
    if (!commits_.prepared()) prepare();
    if (!commits_.prepared()) return std::nullopt;
    uint64_t generation = commits_.publish();
    std::lock_guard list(mutex_);
    commits_.current().generation = generation;
    return generation;
  });
}

void WriterCore::prepare() {
  std::optional<codec::Commit> commit;
  full_flush("commit", false, [&] {
    if (!changed_) return;
    ++commits_.current().version;
    commit = commits_.current();
    commits_.protect(*commit);
    changed_ = false;
  });
  if (commit) commits_.prepare(std::move(*commit));
}

// Ends every segment that has documents now, and waits for them; other threads go on in new ones.
// `covered` runs under mutex_ when the list of segments holds exactly those, with all changes up to
// now. The caller has commit_mutex_ and no slot. Returns the flush's sequence number: those of
// operations that are under way in the old buffers, at most one in each slot, are smaller, those of
// later ones larger.
uint64_t WriterCore::full_flush(const char* reason, bool drop_all, std::function<void()> covered) {
  std::shared_ptr<QueuedSegment> mark;
  uint64_t number = 0;
  {
    std::unique_lock lock(mutex_);
    full_flush_reason_ = reason;
    // From here on no slot begins an operation in its old buffer, so that the old log gives at most
    // one more number to each.
    ++generation_;
    number = log_->last_number() + slots_.all().size() + 1;
    log_->end_packet();
    log_ = std::make_shared<deletes::ChangeLog>(number, changes_bytes_);
    mark = queue_.begin_full_flush();
    mark->next_log = log_;
    mark->next_start = log_->cursor_at_end();
    mark->drops_all = drop_all;
    mark->at_head = std::move(covered);
    if (drop_all) {
      fields_ = std::make_shared<GlobalFields>(config_.parent_field, config_.soft_deletes_field);
      drop_before_ = generation_.load();
    }
    publish_segments(lock);
  }
  slots_.wake();
  flush_idle_slots();
  std::unique_lock lock(mutex_);
  published_.wait(lock, [&] { return mark->published || closed_.load(); });
  if (mark->published) return number;
  std::exception_ptr cause = cause_;
  lock.unlock();
  if (cause) std::rethrow_exception(cause);
  require_open();
  return number;
}

// Nobody else will flush the slots that no thread uses now. A large one is worth a thread.
void WriterCore::flush_idle_slots() {
  constexpr uint64_t kWorthAThread = 1 << 20;
  const size_t most = std::max(1u, std::thread::hardware_concurrency()) - 1;
  std::vector<std::jthread> others;
  std::vector<Slot*> mine;
  for (Slot* slot : slots_.all()) {
    if (!must_flush(*slot)) continue;
    if (slot->bytes.load() >= kWorthAThread && !mine.empty() && others.size() < most) {
      try {
        others.emplace_back([this, slot] { help(*slot); });
        continue;
      } catch (const std::system_error&) {
        // Without a thread more it takes longer.
      }
    }
    mine.push_back(slot);
  }
  for (Slot* slot : mine) help(*slot);
}

// Brings into the index what stands at the head of the queue and is done, one thread at a time.
// After a failure nothing joins the index any more, and nobody may be waiting for a mark. The lock
// is released while changes are applied.
void WriterCore::publish_segments(std::unique_lock<std::mutex>& lock) {
  if (publishing_) return;  // the thread that is at it will come to the rest
  struct Publishing {
    WriterCore& writer;
    std::unique_lock<std::mutex>& lock;
    ~Publishing() {
      if (!lock.owns_lock()) lock.lock();
      writer.publishing_ = false;
      writer.published_.notify_all();
    }
  };
  publishing_ = true;
  Publishing publishing{*this, lock};
  while (!closed_.load()) {
    std::shared_ptr<QueuedSegment> head = queue_.pop();
    if (!head) return;
    publish(*head, lock);
    if (closed_.load()) return;
    if (head->at_head) head->at_head();
    head->published = true;
  }
}

void WriterCore::publish(QueuedSegment& head, std::unique_lock<std::mutex>& lock) {
  if (head.segment) {
    documents_ += head.segment->segment.info.max_doc;
    commits_.current().segments.push_back(std::move(head.segment->segment));
    pending_.push_back(std::move(head.segment->pending));
    ++commits_.current().version;
    changed_ = true;
  }
  if (!head.is_mark) return;
  if (head.drops_all) {
    drop_all_segments();
  } else {
    apply_changes(lock);
  }
  if (!head.next_log) return;
  applied_log_ = std::move(head.next_log);
  for (deletes::PendingChanges& pending : pending_) pending = {.from = head.next_start};
}

}  // namespace postern::index
