// A directory as its writer sees it: every change first makes sure that the write lock still holds
// (docs/formats/10 §7).
#pragma once

#include "postern/directory.h"

namespace postern::store {

// Throws IoError from create, remove, rename, sync and sync_metadata once the lock file was
// deleted, replaced or written to. Both arguments must outlive it.
class LockedDirectory : public Directory {
 public:
  LockedDirectory(Directory& base, const DirectoryLock& lock) : base_(base), lock_(lock) {}

  std::string describe() const override { return base_.describe(); }
  std::vector<std::string> list() const override { return base_.list(); }
  std::unique_ptr<OutputFile> create(const std::string& name) override;
  std::unique_ptr<InputFile> open(const std::string& name) const override {
    return base_.open(name);
  }
  uint64_t file_length(const std::string& name) const override { return base_.file_length(name); }
  void remove(const std::string& name) override;
  void rename(const std::string& from, const std::string& to) override;
  void sync(std::span<const std::string> names) override;
  void sync_metadata() override;
  std::unique_ptr<DirectoryLock> lock(const std::string& name) override { return base_.lock(name); }

 private:
  void check() const;

  Directory& base_;
  const DirectoryLock& lock_;
};

}  // namespace postern::store
