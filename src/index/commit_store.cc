#include "index/commit_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codec/file_names.h"
#include "postern/error.h"

namespace postern::index {

CommitStore::CommitStore(Directory& directory, OpenMode mode) : directory_(directory) {
  std::optional<uint64_t> newest;
  codec::Commit on_disk;
  try {
    newest = codec::latest_generation(directory);
    if (newest) on_disk = codec::read_commit(directory, *newest);
  } catch (const IoError&) {
    throw;
  } catch (const Error&) {
    if (mode != OpenMode::kCreate) throw;
    readable_ = false;
  }
  if (!newest && readable_ && mode == OpenMode::kAppend) {
    throw InvalidArgument(directory.describe() +
                          ": there is no index to append to (no segments_N file)");
  }
  appends_ = newest && mode != OpenMode::kCreate;
  if (newest && readable_) {
    for (std::string& name : on_disk.files()) published_.insert(std::move(name));
    synced_ = published_;
    current_ = std::move(on_disk);
    if (!appends_) {  // a new index in the old one's place; names and versions go on
      current_.segments.clear();
      current_.user_data.clear();
      current_.created_major = codec::kWrittenVersion.major;
    }
  }
  raise_counters();
  if (readable_) remove_unreferenced();
}

// No generation or segment name that was ever seen is used again, be it of a file about to be
// removed.
void CommitStore::raise_counters() {
  last_generation_ = current_.generation;
  for (const std::string& name : directory_.list()) {
    if (auto generation = codec::parse_commit_file_name(name))
      last_generation_ = std::max(last_generation_, *generation);
    if (auto generation = codec::parse_pending_commit_file_name(name))
      last_generation_ = std::max(last_generation_, *generation);
    if (auto counter = codec::counter_of_file(name))
      current_.counter = std::max(current_.counter, *counter + 1);
    const auto generation = codec::generation_of_file(name);
    const auto segment = std::ranges::find(
        current_.segments, codec::segment_of_file(name),
        [](const codec::SegmentCommitInfo& s) -> std::string_view { return s.info.name; });
    if (generation && segment != current_.segments.end()) {
      segment->seen_generation =
          std::max(segment->seen_generation, static_cast<int64_t>(*generation));
    }
  }
  first_new_ = current_.counter;
}

void CommitStore::protect(const codec::Commit& commit) {
  std::lock_guard lock(files_mutex_);
  for (std::string& name : commit.files()) protected_.insert(std::move(name));
}

void CommitStore::release(std::vector<std::string> names) noexcept {
  try {
    std::lock_guard lock(files_mutex_);
    for (std::string& name : names) released_.insert(std::move(name));
  } catch (const std::exception&) {
    // Without memory to remember them the files stay until the next writer opens the index.
  }
  remove_released();
}

void CommitStore::remove_released() noexcept {
  std::lock_guard lock(files_mutex_);
  if (!readable_ || keep_files_) return;
  std::erase_if(released_, [&](const std::string& name) {
    if (published_.contains(name) || protected_.contains(name)) return false;
    remove_quietly(name);
    return true;
  });
}

void CommitStore::prepare(codec::Commit commit) {
  pending_.clear();
  try {
    commit.generation = ++last_generation_;
    directory_.sync_metadata();
    pending_ = codec::write_pending_commit(directory_, commit);
    std::vector<std::string> to_sync{pending_};
    for (const std::string& name : commit.files()) {
      if (name != codec::commit_file_name(commit.generation) && !synced_.contains(name))
        to_sync.push_back(name);
    }
    directory_.sync(to_sync);
    synced_.insert(to_sync.begin(), to_sync.end());
  } catch (...) {
    prepared_ = std::move(commit);
    cancel();
    throw;
  }
  prepared_ = std::move(commit);
}

uint64_t CommitStore::publish() {
  std::string name = codec::commit_file_name(prepared_->generation);
  try {
    directory_.rename(pending_, name);
  } catch (...) {
    cancel();
    throw;
  }
  try {
    directory_.sync_metadata();
  } catch (...) {
    unpublish(name);
    throw;
  }
  std::set<std::string> before;
  bool all_known;
  {
    std::lock_guard lock(files_mutex_);
    all_known = std::exchange(readable_, true);
    before = std::exchange(published_, {});
    for (std::string& file : prepared_->files()) published_.insert(std::move(file));
    synced_ = published_;
    protected_.clear();
  }
  uint64_t generation = prepared_->generation;
  prepared_.reset();
  if (all_known) {
    std::vector<std::string> superseded;
    std::ranges::set_difference(before, published_, std::back_inserter(superseded));
    remove_all(std::move(superseded));
  } else {
    // Of segments that are being written nothing is known here but that their names are new.
    remove_unreferenced(first_new_);
  }
  remove_released();
  return generation;
}

// The rename happened but may not last. The commit is taken back, and only when that is certain may
// its files go: a commit point without its files would make the index unreadable.
void CommitStore::unpublish(const std::string& name) noexcept {
  prepared_.reset();
  std::lock_guard lock(files_mutex_);
  try {
    directory_.remove(name);
    directory_.sync_metadata();
  } catch (const std::exception&) {
    keep_files_ = true;
  }
}

void CommitStore::cancel() noexcept {
  if (!prepared_) return;
  if (!pending_.empty()) remove_quietly(pending_);
  pending_.clear();
  prepared_.reset();
  {
    std::lock_guard lock(files_mutex_);
    protected_.clear();
  }
  remove_released();
}

void CommitStore::remove_unreferenced(uint64_t below) noexcept {
  if (!readable_ || keep_files_) return;
  try {
    std::vector<std::string> names = directory_.list();
    std::erase_if(names, [&](const std::string& name) {
      return !codec::is_index_file(name) || published_.contains(name) ||
             codec::counter_of_file(name).value_or(0) >= below;
    });
    remove_all(std::move(names));
  } catch (const std::exception&) {
    // A folder that cannot be listed now keeps its leftovers until the next writer opens it.
  }
}

// Commit points first: none may stay behind without its files.
void CommitStore::remove_all(std::vector<std::string> names) noexcept {
  auto files = std::ranges::partition(names, [](const std::string& name) {
    return codec::parse_commit_file_name(name).has_value();
  });
  bool commits_gone = true;
  for (auto name = names.begin(); name != files.begin(); ++name)
    commits_gone &= remove_quietly(*name);
  if (!commits_gone) return;
  for (const std::string& name : files) remove_quietly(name);
}

// A file that cannot be removed costs disk space, not correctness: the next writer tries again.
bool CommitStore::remove_quietly(const std::string& name) noexcept {
  try {
    directory_.remove(name);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace postern::index
