#include "store/file_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

#include "postern/error.h"
#include "store/io_errors.h"

namespace postern::store {
namespace {

// Record locks belong to the process, so a second one in the same process would succeed: this list
// is what refuses it. The path finds a lock whose file was replaced, the file's identity one that
// is reached by another path (a bind mount).
struct Held {
  std::string path;
  dev_t device;
  ino_t inode;
};

struct Registry {
  std::mutex mutex;  // guards `held`, and every open and close of a lock file in this process
  std::vector<Held> held;
};

Registry& registry() {
  // Never destroyed: locks may be released by destructors of other static objects.
  static Registry* instance = new Registry;
  return *instance;
}

bool same_file(const struct stat& s, const Held& h) {
  return s.st_dev == h.device && s.st_ino == h.inode;
}

[[noreturn]] void throw_held_here(const std::string& path) {
  throw LockHeld(path + ": the index is being written by this process already");
}

class FileLock : public DirectoryLock {
 public:
  FileLock(Held held, int descriptor) : held_(std::move(held)), descriptor_(descriptor) {}

  ~FileLock() override {
    Registry& r = registry();
    std::lock_guard guard(r.mutex);
    ::close(descriptor_);  // drops the record lock
    std::erase_if(r.held, [&](const Held& h) { return h.path == held_.path; });
  }

  bool valid() const override {
    struct stat now;
    // While our descriptor is open the inode cannot be reused for a new file of that name.
    return ::stat(held_.path.c_str(), &now) == 0 && same_file(now, held_) && now.st_size == 0;
  }

 private:
  Held held_;
  int descriptor_;
};

[[noreturn]] void throw_held_elsewhere(const std::string& path, int descriptor) {
  struct flock holder = {};
  holder.l_type = F_WRLCK;
  holder.l_whence = SEEK_SET;
  std::string who = "another process";
  if (::fcntl(descriptor, F_GETLK, &holder) == 0 && holder.l_type != F_UNLCK && holder.l_pid > 0)
    who += " (" + std::to_string(holder.l_pid) + ")";
  ::close(descriptor);
  throw LockHeld(path + ": the index is being written by " + who);
}

}  // namespace

std::unique_ptr<DirectoryLock> lock_file(const std::string& directory, const std::string& name) {
  const std::string path = directory + "/" + name;
  Registry& r = registry();
  std::lock_guard guard(r.mutex);
  struct stat before;
  bool exists = ::stat(path.c_str(), &before) == 0;
  for (const Held& h : r.held)
    if (h.path == path || (exists && same_file(before, h))) throw_held_here(path);

  // A named pipe of that name must not make anybody wait.
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor < 0) throw_io_error(path, "open the lock file", errno);
  auto give_up = [&](const char* operation, int error_number) {
    ::close(descriptor);
    throw_io_error(path, operation, error_number);
  };
  struct stat opened;
  if (::fstat(descriptor, &opened) != 0) give_up("stat the lock file", errno);

  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_SETLK, &whole) != 0) {
    if (errno == EACCES || errno == EAGAIN) throw_held_elsewhere(path, descriptor);
    give_up("lock", errno);
  }
  if (opened.st_size != 0) {
    ::close(descriptor);
    throw IoError(path + ": is not a lock file of Lucene: it holds " +
                      std::to_string(opened.st_size) + " bytes, a lock file is empty",
                  0);
  }
  Held held{path, opened.st_dev, opened.st_ino};
  auto lock = std::make_unique<FileLock>(held, descriptor);
  r.held.push_back(std::move(held));
  return lock;
}

void check_not_locked_here(const std::string& path) {
  Registry& r = registry();
  std::lock_guard guard(r.mutex);
  if (std::ranges::any_of(r.held, [&](const Held& h) { return h.path == path; }))
    throw InvalidArgument(path +
                          ": is the lock of a running writer; opening it would drop the lock");
}

}  // namespace postern::store
