#include "store/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "store/locked_directory.h"
#include "store/test_files.h"

namespace postern::store {
namespace {

// Runs `child` in another process and returns its exit status.
int in_another_process(const std::function<int()>& child) {
  pid_t pid = ::fork();
  if (pid == 0) ::_exit(child());
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// What Lucene's NativeFSLockFactory does, as system calls: a write lock over the whole file.
int take_record_lock(const std::string& path) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0666);
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(fd, F_SETLK, &whole) == 0) return fd;
  ::close(fd);
  return -1;
}

// A process that holds the record lock until it is destroyed.
class Holder {
 public:
  explicit Holder(const std::string& path) {
    int ready[2];
    if (::pipe(ready) != 0 || ::pipe(stop_) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(stop_[1]);
      char c = take_record_lock(path) >= 0 ? 'y' : 'n';
      if (::write(ready[1], &c, 1) != 1) ::_exit(1);
      ::_exit(::read(stop_[0], &c, 1) == 0 ? 0 : 1);  // until the parent's end closes
    }
    char c = 'n';
    holds_ = ::read(ready[0], &c, 1) == 1 && c == 'y';
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Holder() {
    ::close(stop_[0]);
    ::close(stop_[1]);
    ::waitpid(pid_, nullptr, 0);
  }
  bool holds() const { return holds_; }
  pid_t pid() const { return pid_; }

 private:
  int stop_[2];
  pid_t pid_;
  bool holds_;
};

std::string refused_by(const std::function<void()>& action) {
  try {
    action();
  } catch (const LockHeld& e) {
    return e.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

TEST(FileLock, RefusesARecordLockOfAnotherProcess) {
  TempFolder folder;
  {
    Holder other(folder.file("write.lock"));
    ASSERT_TRUE(other.holds());
    std::string message = refused_by([&] { lock_file(folder.path(), "write.lock"); });
    EXPECT_NE(message.find(folder.file("write.lock")), std::string::npos);
    EXPECT_NE(message.find("another process (" + std::to_string(other.pid()) + ")"),
              std::string::npos)
        << message;
  }
  EXPECT_NO_THROW(lock_file(folder.path(), "write.lock"));
}

TEST(FileLock, IsARecordLockThatOtherProcessesSee) {
  TempFolder folder;
  std::string path = folder.file("write.lock");
  auto attempt = [&] { return in_another_process([&] { return take_record_lock(path) < 0; }); };
  auto lock = lock_file(folder.path(), "write.lock");
  EXPECT_EQ(attempt(), 1);
  lock.reset();
  EXPECT_EQ(attempt(), 0);
}

TEST(FileLock, AFileLeftBehindMeansNothing) {
  TempFolder folder;
  std::ofstream(folder.file("write.lock"));
  EXPECT_TRUE(lock_file(folder.path(), "write.lock")->valid());
  EXPECT_TRUE(std::filesystem::exists(folder.file("write.lock")));
  EXPECT_EQ(std::filesystem::file_size(folder.file("write.lock")), 0u);
}

TEST(FileLock, ASecondLockInThisProcessDropsNothing) {
  TempFolder folder;
  auto lock = lock_file(folder.path(), "write.lock");
  std::string message = refused_by([&] { lock_file(folder.path(), "write.lock"); });
  EXPECT_NE(message.find("this process"), std::string::npos);
  EXPECT_EQ(in_another_process([&] { return take_record_lock(folder.file("write.lock")) < 0; }), 1);
}

TEST(FileLock, OneFileUnderTwoPathsIsOneLock) {
  TempFolder folder;
  std::filesystem::create_directory(folder.path() / "a");
  std::filesystem::create_directory(folder.path() / "b");
  auto lock = lock_file(folder.path() / "a", "write.lock");
  std::filesystem::create_hard_link(folder.path() / "a/write.lock", folder.path() / "b/write.lock");
  refused_by([&] { lock_file(folder.path() / "b", "write.lock"); });
}

TEST(FileLock, OneFolderUnderTwoNamesIsOneLock) {
  TempFolder folder;
  std::filesystem::create_directory(folder.path() / "real");
  std::filesystem::create_directory_symlink("real", folder.path() / "link");
  auto first = open_directory(folder.path() / "real");
  auto second = open_directory(folder.path() / "link");
  auto lock = first->lock("write.lock");
  refused_by([&] { second->lock("write.lock"); });
}

TEST(FileLock, DeletingTheFileLetsNoSecondWriterOfThisProcessIn) {
  TempFolder folder;
  auto lock = lock_file(folder.path(), "write.lock");
  std::filesystem::remove(folder.file("write.lock"));
  EXPECT_FALSE(lock->valid());
  refused_by([&] { lock_file(folder.path(), "write.lock"); });
}

TEST(FileLock, IsInvalidOnceItsFileIsReplacedOrWritten) {
  TempFolder folder;
  auto lock = lock_file(folder.path(), "write.lock");
  std::filesystem::rename(folder.file("write.lock"), folder.file("moved"));
  EXPECT_FALSE(lock->valid());
  std::ofstream(folder.file("write.lock"));
  EXPECT_FALSE(lock->valid());
  std::filesystem::rename(folder.file("moved"), folder.file("write.lock"));
  EXPECT_TRUE(lock->valid());
  std::filesystem::resize_file(folder.file("write.lock"), 1);
  EXPECT_FALSE(lock->valid());
}

TEST(FileLock, AFileWithContentIsNotTakenForALock) {
  TempFolder folder;
  std::ofstream(folder.file("write.lock")) << "notes";
  try {
    lock_file(folder.path(), "write.lock");
    ADD_FAILURE() << "locked";
  } catch (const IoError& e) {
    EXPECT_NE(std::string(e.what()).find("it holds 5 bytes"), std::string::npos) << e.what();
  }
}

TEST(FileLock, ANamedPipeIsNotTakenForALockNorWaitedFor) {
  TempFolder folder;
  ASSERT_EQ(0, ::mkfifo(folder.file("write.lock").c_str(), 0666));
  EXPECT_THROW(lock_file(folder.path(), "write.lock"), IoError);
}

TEST(FileLock, TheLockedFileCannotBeOpenedForAnotherPurpose) {
  TempFolder folder;
  auto directory = open_directory(folder.path());
  auto lock = directory->lock("write.lock");
  EXPECT_THROW(directory->open("write.lock"), InvalidArgument);
  std::vector<std::string> names = {"write.lock"};
  EXPECT_THROW(directory->sync(names), InvalidArgument);
  EXPECT_EQ(in_another_process([&] { return take_record_lock(folder.file("write.lock")) < 0; }), 1);
}

TEST(LockedDirectory, RefusesChangesOnceTheLockIsLost) {
  TempFolder folder;
  auto base = open_directory(folder.path());
  auto lock = base->lock("write.lock");
  LockedDirectory directory(*base, *lock);
  put_file(directory, "a", Bytes{1});
  std::vector<std::string> names = {"a"};
  directory.sync(names);
  directory.sync_metadata();
  directory.rename("a", "b");
  std::filesystem::remove(folder.file("write.lock"));
  names = {"b"};
  EXPECT_THROW(directory.create("c"), IoError);
  EXPECT_THROW(directory.sync(names), IoError);
  EXPECT_THROW(directory.sync_metadata(), IoError);
  EXPECT_THROW(directory.rename("b", "c"), IoError);
  EXPECT_THROW(directory.remove("b"), IoError);
  EXPECT_EQ(read_file(directory, "b"), Bytes{1});
}

}  // namespace
}  // namespace postern::store
