// memory_directory: an index without a file system.
#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "postern/directory.h"
#include "postern/error.h"
#include "store/io_errors.h"

namespace postern {
namespace {

// Written by one OutputFile, then constant; inputs keep it alive when its name is removed.
struct MemoryFile {
  std::vector<uint8_t> bytes;
  bool finished = false;
};

struct Files {
  std::mutex mutex;  // guards all members, and the files that are not finished
  std::map<std::string, std::shared_ptr<MemoryFile>> by_name;
  std::set<std::string> locks;
};

class MemoryOutput : public OutputFile {
 public:
  MemoryOutput(std::shared_ptr<Files> files, std::shared_ptr<MemoryFile> file)
      : files_(std::move(files)), file_(std::move(file)) {}
  ~MemoryOutput() override { finish(); }
  void append(std::span<const uint8_t> bytes) override {
    std::lock_guard guard(files_->mutex);
    file_->bytes.insert(file_->bytes.end(), bytes.begin(), bytes.end());
  }
  void close() override { finish(); }

 private:
  void finish() {
    std::lock_guard guard(files_->mutex);
    file_->finished = true;
  }

  std::shared_ptr<Files> files_;
  std::shared_ptr<MemoryFile> file_;
};

class MemoryInput : public InputFile {
 public:
  explicit MemoryInput(std::shared_ptr<const MemoryFile> file) : file_(std::move(file)) {}
  std::span<const uint8_t> bytes() const override { return file_->bytes; }

 private:
  std::shared_ptr<const MemoryFile> file_;
};

class MemoryLock : public DirectoryLock {
 public:
  MemoryLock(std::shared_ptr<Files> files, std::string name)
      : files_(std::move(files)), name_(std::move(name)) {}
  ~MemoryLock() override {
    std::lock_guard guard(files_->mutex);
    files_->locks.erase(name_);
  }
  bool valid() const override { return true; }

 private:
  std::shared_ptr<Files> files_;
  std::string name_;
};

class MemoryDirectory : public Directory {
 public:
  std::string describe() const override { return "memory"; }

  std::vector<std::string> list() const override {
    std::lock_guard guard(files_->mutex);
    std::vector<std::string> names;
    for (const auto& [name, file] : files_->by_name) names.push_back(name);
    return names;
  }

  std::unique_ptr<OutputFile> create(const std::string& name) override {
    store::check_file_name(describe(), name);
    std::lock_guard guard(files_->mutex);
    auto [at, added] = files_->by_name.try_emplace(name, std::make_shared<MemoryFile>());
    if (!added) store::throw_io_error(describe() + "/" + name, "create", EEXIST);
    return std::make_unique<MemoryOutput>(files_, at->second);
  }

  std::unique_ptr<InputFile> open(const std::string& name) const override {
    std::lock_guard guard(files_->mutex);
    auto file = find(name, "open");
    if (!file->finished)
      throw IoError(describe() + "/" + name + ": cannot open: it is still being written", 0);
    return std::make_unique<MemoryInput>(std::move(file));
  }

  uint64_t file_length(const std::string& name) const override {
    std::lock_guard guard(files_->mutex);
    return find(name, "stat")->bytes.size();
  }

  void remove(const std::string& name) override {
    std::lock_guard guard(files_->mutex);
    find(name, "delete");
    files_->by_name.erase(name);
  }

  void rename(const std::string& from, const std::string& to) override {
    store::check_file_name(describe(), to);
    std::lock_guard guard(files_->mutex);
    auto file = find(from, "rename");
    files_->by_name.erase(from);
    files_->by_name[to] = std::move(file);
  }

  void sync(std::span<const std::string> names) override {
    std::lock_guard guard(files_->mutex);
    for (const std::string& name : names) find(name, "fsync");
  }

  void sync_metadata() override {}

  std::unique_ptr<DirectoryLock> lock(const std::string& name) override {
    std::lock_guard guard(files_->mutex);
    if (!files_->locks.insert(name).second)
      throw LockHeld(describe() + "/" + name +
                     ": the index is being written by this process already");
    return std::make_unique<MemoryLock>(files_, name);
  }

 private:
  // The caller holds the mutex.
  std::shared_ptr<MemoryFile> find(const std::string& name, const char* operation) const {
    auto at = files_->by_name.find(name);
    if (at == files_->by_name.end())
      store::throw_io_error(describe() + "/" + name, operation, ENOENT);
    return at->second;
  }

  // Shared with outputs and locks, which may outlive the directory.
  std::shared_ptr<Files> files_ = std::make_shared<Files>();
};

}  // namespace

std::unique_ptr<Directory> memory_directory() { return std::make_unique<MemoryDirectory>(); }

}  // namespace postern
