#include "store/locked_directory.h"

#include "postern/error.h"

namespace postern::store {

void LockedDirectory::check() const {
  if (!lock_.valid())
    throw IoError(
        describe() + ": the write lock was lost: its file was deleted, replaced or written", 0);
}

std::unique_ptr<OutputFile> LockedDirectory::create(const std::string& name) {
  check();
  return base_.create(name);
}

void LockedDirectory::remove(const std::string& name) {
  check();
  base_.remove(name);
}

void LockedDirectory::rename(const std::string& from, const std::string& to) {
  check();
  base_.rename(from, to);
}

void LockedDirectory::sync(std::span<const std::string> names) {
  check();
  base_.sync(names);
}

void LockedDirectory::sync_metadata() {
  check();
  base_.sync_metadata();
}

}  // namespace postern::store
