// The contract of Directory, for each implementation that stores files, and what only a file system
// can do wrong.
#include "postern/directory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "store/io_errors.h"
#include "store/test_files.h"

namespace postern {
namespace {

using store::Bytes;
using store::put_file;
using store::read_file;
using store::TempFolder;

std::string error_of(const std::function<void()>& action, int error_number) {
  try {
    action();
  } catch (const IoError& e) {
    EXPECT_EQ(e.error_number(), error_number) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no IoError";
  return {};
}

class AnyDirectory : public ::testing::TestWithParam<bool> {
 protected:
  AnyDirectory() : directory_(GetParam() ? open_directory(folder_.path()) : memory_directory()) {}
  TempFolder folder_;
  std::unique_ptr<Directory> directory_;
};

TEST_P(AnyDirectory, ListsFilesSortedAndReadsThemBack) {
  put_file(*directory_, "b", Bytes{1, 2, 3});
  put_file(*directory_, "a", Bytes{});
  put_file(*directory_, "_0.si", Bytes(100'000, 7));
  EXPECT_EQ(directory_->list(), (std::vector<std::string>{"_0.si", "a", "b"}));
  EXPECT_EQ(read_file(*directory_, "b"), (Bytes{1, 2, 3}));
  EXPECT_TRUE(read_file(*directory_, "a").empty());
  EXPECT_EQ(directory_->file_length("_0.si"), 100'000u);
}

TEST_P(AnyDirectory, CreateRefusesAnExistingFileAndLeavesItAlone) {
  put_file(*directory_, "a", Bytes{1});
  std::string message = error_of([&] { directory_->create("a"); }, EEXIST);
  EXPECT_NE(message.find(directory_->describe() + "/a: cannot create: File exists"),
            std::string::npos)
      << message;
  EXPECT_EQ(read_file(*directory_, "a"), Bytes{1});
}

TEST_P(AnyDirectory, RenameReplacesItsTarget) {
  put_file(*directory_, "pending_segments_1", Bytes{1});
  put_file(*directory_, "segments_1", Bytes{2});
  directory_->rename("pending_segments_1", "segments_1");
  EXPECT_EQ(directory_->list(), std::vector<std::string>{"segments_1"});
  EXPECT_EQ(read_file(*directory_, "segments_1"), Bytes{1});
}

TEST_P(AnyDirectory, AnOpenFileOutlivesItsName) {
  put_file(*directory_, "a", Bytes{1, 2});
  auto file = directory_->open("a");
  directory_->remove("a");
  EXPECT_EQ(file->bytes()[1], 2);
  EXPECT_TRUE(directory_->list().empty());
}

TEST_P(AnyDirectory, MissingFilesAreErrorsEverywhere) {
  std::vector<std::string> names = {"none"};
  for (auto action : std::initializer_list<std::function<void()>>{
           [&] { directory_->open("none"); }, [&] { directory_->file_length("none"); },
           [&] { directory_->remove("none"); }, [&] { directory_->rename("none", "b"); },
           [&] { directory_->sync(names); }}) {
    std::string message = error_of(action, ENOENT);
    EXPECT_NE(message.find("/none: cannot "), std::string::npos) << message;
    EXPECT_NE(message.find("No such file"), std::string::npos) << message;
  }
}

TEST_P(AnyDirectory, NamesCannotLeaveTheFolder) {
  for (std::string name : {std::string(""), std::string("."), std::string(".."),
                           std::string("../x"), std::string("a/b"), std::string("a\0b", 3)})
    EXPECT_THROW(directory_->create(name), InvalidArgument) << name;
}

TEST_P(AnyDirectory, SyncsWhatExists) {
  put_file(*directory_, "a", Bytes{1});
  std::vector<std::string> names = {"a"};
  EXPECT_NO_THROW(directory_->sync(names));
  EXPECT_NO_THROW(directory_->sync_metadata());
}

TEST_P(AnyDirectory, HasOneLockPerName) {
  auto lock = directory_->lock("write.lock");
  EXPECT_TRUE(lock->valid());
  EXPECT_THROW(directory_->lock("write.lock"), LockHeld);
  lock.reset();
  EXPECT_NO_THROW(directory_->lock("write.lock"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, AnyDirectory, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "FileSystem" : "Memory"; });

TEST(MemoryDirectory, AFileIsReadableOnlyWhenFinished) {
  auto directory = memory_directory();
  auto out = directory->create("a");
  out->append(Bytes{1});
  EXPECT_THROW(directory->open("a"), IoError);
  out->close();
  EXPECT_EQ(read_file(*directory, "a"), Bytes{1});
}

TEST(FsDirectory, CreatesMissingFoldersWithAnyNames) {
  for (std::string name :
       {std::string("with spaces/and more"), std::string("größe/索引"),
        std::string(200, 'x') + "/" + std::string(200, 'y'), std::string("trailing/")}) {
    TempFolder folder(name);
    auto directory = open_directory(folder.path());
    put_file(*directory, "a", Bytes{1});
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "a")) << name;
    auto lock = directory->lock("write.lock");
    EXPECT_TRUE(lock->valid()) << name;
  }
}

TEST(FsDirectory, ASymbolicLinkIsResolvedOnce) {
  TempFolder folder;
  std::filesystem::create_directory(folder.path() / "real");
  std::filesystem::create_directory(folder.path() / "other");
  std::filesystem::create_directory_symlink("real", folder.path() / "link");
  auto directory = open_directory(folder.path() / "link");
  std::filesystem::remove(folder.path() / "link");
  std::filesystem::create_directory_symlink("other", folder.path() / "link");
  put_file(*directory, "a", Bytes{1});
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "real" / "a"));
}

TEST(FsDirectory, AFileInPlaceOfTheFolderIsNamed) {
  TempFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  std::string message = error_of([&] { open_directory(folder.path() / "file"); }, ENOTDIR);
  EXPECT_NE(message.find(folder.file("file")), std::string::npos) << message;
  error_of([&] { open_directory(folder.path() / "file" / "below"); }, ENOTDIR);
  EXPECT_THROW(open_directory(""), InvalidArgument);
}

TEST(FsDirectory, ListsNoFoldersAndKeepsOddNames) {
  TempFolder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  std::filesystem::create_directory_symlink("sub", folder.path() / "link");
  std::ofstream(folder.path() / "odd \xff name") << "x";
  auto directory = open_directory(folder.path());
  EXPECT_EQ(directory->list(), std::vector<std::string>{"odd \xff name"});
}

TEST(FsDirectory, WhatIsNoRegularFileIsRefusedWithoutWaitingForIt) {
  TempFolder folder;
  auto directory = open_directory(folder.path());
  ASSERT_EQ(0, ::mkfifo(folder.file("pipe").c_str(), 0666));
  ASSERT_EQ(0, ::mkdir(folder.file("folder").c_str(), 0777));
  for (const std::string name : {"pipe", "folder"}) {
    const std::string message = error_of([&] { directory->open(name); }, 0);
    EXPECT_NE(message.find(folder.file(name) + ": is not a regular file"), std::string::npos);
  }
}

TEST(FsDirectory, AReadOnlyFolderIsNamedWithItsReason) {
  TempFolder folder;
  auto directory = open_directory(folder.path());
  ::chmod(folder.path().c_str(), 0555);
  // Root may write everywhere, so root steps back for a while.
  constexpr uid_t kNobody = 65534;
  uid_t me = ::geteuid();
  bool root = me == 0;
  ASSERT_TRUE(!root || ::seteuid(kNobody) == 0);
  std::string message = error_of([&] { directory->create("a"); }, EACCES);
  EXPECT_NE(message.find(folder.file("a") + ": cannot create: Permission denied"),
            std::string::npos);
  error_of([&] { directory->lock("write.lock"); }, EACCES);
  ASSERT_TRUE(!root || ::seteuid(me) == 0);
  ::chmod(folder.path().c_str(), 0755);
}

TEST(FsDirectory, AFailedWriteSaysHowMuchAndWhere) {
  TempFolder folder;
  auto directory = open_directory(folder.path());
  auto out = directory->create("a");
  out->append(Bytes(100));
  // A limit on the size of files is the one full disk that a test can have everywhere.
  struct rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 150;
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string message = error_of([&] { out->append(Bytes(100)); }, EFBIG);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find(folder.file("a") + ": cannot write 50 bytes at byte 150: File too large"),
            std::string::npos)
      << message;
}

TEST(FsDirectory, AFullDiskSaysHowManyBytesAreFree) {
  TempFolder folder;
  std::string message = error_of(
      [&] { store::throw_write_error(folder.file("a"), folder.path().string(), 50, 7, ENOSPC); },
      ENOSPC);
  EXPECT_NE(message.find("a: cannot write 50 bytes at byte 7 ("), std::string::npos) << message;
  EXPECT_NE(message.find(" bytes free): No space left on device"), std::string::npos) << message;
}

}  // namespace
}  // namespace postern
