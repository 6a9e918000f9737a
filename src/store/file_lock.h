// The write lock of a folder: a POSIX record lock that Lucene's NativeFSLockFactory respects, and
// the reverse (docs/formats/10 §8).
#pragma once

#include <memory>
#include <string>

#include "postern/directory.h"

namespace postern::store {

// Locks `directory`/`name`, creating the (empty) file; `directory` is a real path. Does not wait.
// Throws LockHeld naming who has it, as far as that is known; IoError. The file stays when the lock
// is released: only the record lock counts.
std::unique_ptr<DirectoryLock> lock_file(const std::string& directory, const std::string& name);

// Throws InvalidArgument if this process holds a lock on the path: closing any descriptor of that
// file would silently drop the lock, so it must not be opened for another purpose.
void check_not_locked_here(const std::string& path);

}  // namespace postern::store
