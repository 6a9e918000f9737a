// The commits of an index on disk: finding, publishing and replacing them, and removing what none
// of them references (docs/formats/10 §9).
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codec/segment_commit.h"
#include "postern/directory.h"
#include "postern/writer.h"

namespace postern::index {

class CommitStore {
 public:
  // The caller holds the write lock. Reads the newest commit and removes index files that it does
  // not reference. Throws InvalidArgument if the mode asks for an index that is not there,
  // CorruptIndex, NotSupported, IoError. With OpenMode::kCreate an unreadable index is no error: it
  // is replaced by the first commit.
  CommitStore(Directory& directory, OpenMode mode);

  // The state to build on: segments, user data, counters. In create mode it has no segments.
  codec::Commit& current() { return current_; }
  const codec::Commit& current() const { return current_; }
  // Whether the opened directory held a commit that is being appended to.
  bool appends() const { return appends_; }

  // The files of a commit that will be prepared stay until it is published or cancelled. Call it
  // with the copy of current() that is going to be the commit, before current() changes again.
  void protect(const codec::Commit& commit);
  // current() no longer needs these files: those that no commit needs are removed, the others when
  // none does any more. Never throws. Any thread.
  void release(std::vector<std::string> names) noexcept;

  // Phase one: makes `commit`, which is protected, and all its files durable under the pending
  // name. Nothing is published. After an error the previous commit is untouched and the pending
  // file is gone.
  void prepare(codec::Commit commit);
  bool prepared() const { return prepared_.has_value(); }
  // Phase two: publishes the prepared commit, whose generation it returns, and removes the files
  // only its predecessors needed. Does not touch current(). After an error before the rename was
  // durable, the previous commit is the newest again.
  uint64_t publish();
  // Takes a prepared commit back. Never throws.
  void cancel() noexcept;

  // Removes index files that the last published commit does not need, of segments whose counter is
  // smaller than `below`. Never throws.
  void remove_unreferenced(uint64_t below = UINT64_MAX) noexcept;

 private:
  void raise_counters();
  void unpublish(const std::string& name) noexcept;
  void remove_all(std::vector<std::string> names) noexcept;
  bool remove_quietly(const std::string& name) noexcept;
  void remove_released() noexcept;

  Directory& directory_;
  codec::Commit current_;
  bool appends_ = false;
  bool readable_ = true;     // false: which files the commit on disk needs is not known
  bool keep_files_ = false;  // a commit point could not be taken back: nothing may be removed

  std::mutex files_mutex_;           // guards the three that follow
  std::set<std::string> published_;  // files of the newest commit on disk
  std::set<std::string> protected_;  // of the one being prepared
  std::set<std::string> released_;   // unneeded but for these

  std::set<std::string> synced_;  // of them and of the prepared one, what need not be synced again
  uint64_t last_generation_ = 0;  // largest ever seen or tried
  uint64_t first_new_ = 0;        // counter of the first segment of this writer
  std::optional<codec::Commit> prepared_;
  std::string pending_;
};

}  // namespace postern::index
