// What is behind the public IndexWriter: any number of threads, one index.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "deletes/change_log.h"
#include "index/commit_store.h"
#include "index/field_schema.h"
#include "index/indexing_slots.h"
#include "index/segment_queue.h"
#include "postern/error.h"
#include "postern/writer.h"
#include "store/locked_directory.h"

namespace postern::index {

// Three locks, always taken in this order, and none while documents are indexed or segments
// written:
//   commit_mutex_  one full flush, commit or rollback at a time
//   mutex_         the segments, the order in which they join the index, and the log that deletes
//                  go to
//   (the slots')   the memory budget
// What a slot holds belongs to the thread that has taken it.
class WriterCore {
 public:
  WriterCore(Directory& directory, WriterConfig config);

  // A slot in the hands of one thread.
  class Use {
   public:
    explicit Use(WriterCore& writer) : writer_(writer), slot_(writer.slots_.take()) {}
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    // `numbered`: the operation gets a sequence number, which is returned; otherwise 0.
    uint64_t add(std::span<const Document> block, bool numbered);
    uint64_t update(const Term& term, std::span<const Document> block);

   private:
    uint64_t add(std::span<const Document> block, const Term* replaced, bool numbered);

    WriterCore& writer_;
    Slot& slot_;
  };

  uint64_t add(std::span<const Document> block) { return Use(*this).add(block, true); }
  uint64_t update(const Term& term, std::span<const Document> block);
  uint64_t delete_documents(std::span<const Term> terms);
  uint64_t update_doc_values(const Term& term, std::span<const DocValuesUpdate> updates);
  uint64_t delete_all();

  void flush();
  void set_commit_user_data(std::map<std::string, std::string> data);
  void prepare_commit();
  std::optional<uint64_t> commit();
  void rollback() noexcept;
  void close();

  uint64_t buffered_documents() const;
  uint64_t max_doc() const;
  uint64_t ram_bytes_used() const { return slots_.bytes() + changes_bytes_.load(); }
  uint64_t segment_count() const;

 private:
  // writer_core.cc: opening, failing, closing.
  // Errors that are not a document's own leave a buffer, or what the disk holds of it, in an
  // unknown state. The writer closes then. That includes a failed fsync: the kernel may have
  // dropped the bytes and report success the next time, so trying again could publish a commit that
  // is not on the disk.
  template <class Operation>
  auto noting_failure(Operation&& operation) {
    try {
      return operation();
    } catch (const InvalidDocument&) {
      throw;
    } catch (const LimitExceeded&) {
      throw;
    } catch (const std::exception& e) {
      close_for_use(e.what(), std::current_exception());
      throw;
    }
  }
  // For callers that hold no slot and, outside the operation, no lock.
  template <class Operation>
  auto guarded(Operation&& operation) {
    try {
      return noting_failure(operation);
    } catch (...) {
      if (failed_.load()) rollback();
      throw;
    }
  }
  void close_for_use(const std::string& failure, std::exception_ptr cause) noexcept;
  void require_open() const;
  void load_fields(const codec::SegmentCommitInfo& segment);
  uint64_t buffered_documents_locked() const;
  bool has_changes() const;

  // writer_documents.cc: one slot, which the calling thread has taken.
  void require_parent_field(size_t block) const;
  uint64_t add(Slot& slot, std::span<const Document> block, const Term* replaced, bool numbered);
  bool must_flush(const Slot& slot) const;
  const char* reason_for(const Slot& slot) const;
  void release(Slot& slot) noexcept;
  void help(Slot& slot) noexcept;
  void flush_wanted_by_others(Slot& slot) noexcept;
  void reserve(Slot& slot, uint64_t n);
  void start_buffer(Slot& slot);
  void refuse_block(Slot& slot, uint32_t first, uint64_t block);
  void flush_if_full(Slot& slot, bool count_documents = true);
  void tell_memory();
  void flush(Slot& slot, const char* reason);

  // writer_changes.cc: deletes and updates of what is there.
  void keep_changes_in_budget();
  bool changes_heavy() const;
  void apply_changes(std::unique_lock<std::mutex>& lock);
  void drop_all_segments();

  // writer_commits.cc: all slots.
  uint64_t full_flush(const char* reason, bool drop_all, std::function<void()> covered);
  void flush_idle_slots();
  void publish_segments(std::unique_lock<std::mutex>& lock);
  void publish(QueuedSegment& head, std::unique_lock<std::mutex>& lock);
  void prepare();

  WriterConfig config_;
  std::unique_ptr<DirectoryLock> lock_;
  store::LockedDirectory directory_;
  std::mutex commit_mutex_;
  CommitStore commits_;  // current(): guarded by mutex_, the rest by commit_mutex_
  std::atomic<uint64_t> changes_bytes_{0};  // of all logs
  IndexingSlots slots_;

  alignas(64) std::atomic<bool> closed_{false};
  std::atomic<bool> failed_{false};      // closed by an error: failure_ is set
  std::atomic<uint64_t> generation_{0};  // full flushes begun
  // Buffers of generations before this one are dropped instead of written: delete_all.
  std::atomic<uint64_t> drop_before_{0};
  std::atomic<const char*> full_flush_reason_{"commit"};

  alignas(64) mutable std::mutex mutex_;  // guards what follows
  std::condition_variable published_;
  SegmentQueue queue_;
  std::shared_ptr<GlobalFields> fields_;     // a new one after delete_all
  std::shared_ptr<deletes::ChangeLog> log_;  // a new one with each full flush
  // The log that current()'s segments go by: an earlier one while a full flush is under way.
  std::shared_ptr<deletes::ChangeLog> applied_log_;
  std::vector<deletes::PendingChanges> pending_;  // for each segment of current()
  bool publishing_ = false;                       // a thread brings segments into the index
  uint64_t documents_ = 0;                        // of all segments
  uint64_t reserved_ = 0;  // documents_, those buffered, and the slots' quotas
  bool changed_ = false;   // since the last prepared commit
  std::string failure_;    // why the writer closed itself
  std::exception_ptr cause_;

  bool rolled_back_ = false;  // guarded by commit_mutex_
  std::mutex callback_mutex_;
  std::atomic<uint64_t> reported_memory_{0};
};

}  // namespace postern::index
