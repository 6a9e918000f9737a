#include "store/fault_directory.h"

#include <gtest/gtest.h>

#include "store/test_files.h"

namespace postern::store {
namespace {

class FaultDirectoryTest : public ::testing::Test {
 protected:
  FaultDirectoryTest() {
    put_file(*base_, "old", Bytes{1, 2});
    faulty_ = std::make_unique<FaultDirectory>(*base_);
  }

  void write(const std::string& name, const Bytes& bytes) {
    auto out = faulty_->create(name);
    out->append(bytes);
    out->close();
  }
  void sync(const std::string& name) { faulty_->sync({&name, 1}); }

  std::unique_ptr<Directory> base_ = memory_directory();
  std::unique_ptr<FaultDirectory> faulty_;
};

using Names = FaultDirectory::Names;

TEST_F(FaultDirectoryTest, FailsTheNthOperationOfAKindOnce) {
  faulty_->fail(FaultPoint::kCreate, 2, EIO);
  write("a", {1});
  EXPECT_FALSE(faulty_->failed());
  try {
    write("b", {1});
    ADD_FAILURE();
  } catch (const IoError& e) {
    EXPECT_EQ(e.error_number(), EIO);
    EXPECT_STREQ(e.what(), "memory/b: cannot create: Input/output error");
  }
  EXPECT_TRUE(faulty_->failed());
  write("b", {1});
  EXPECT_EQ(faulty_->count(FaultPoint::kCreate), 3u);
}

TEST_F(FaultDirectoryTest, ForGoodFailsEverythingAfterwards) {
  faulty_->fail(FaultPoint::kSync, 1, EIO, true);
  write("a", {1});
  EXPECT_THROW(sync("a"), IoError);
  EXPECT_THROW(faulty_->rename("a", "b"), IoError);
  EXPECT_THROW(faulty_->remove("a"), IoError);
  EXPECT_THROW(faulty_->sync_metadata(), IoError);
  faulty_->heal();
  EXPECT_NO_THROW(sync("a"));
}

TEST_F(FaultDirectoryTest, AFailedAppendIsTorn) {
  auto out = faulty_->create("a");
  faulty_->fail(FaultPoint::kAppend, 1, ENOSPC);
  EXPECT_THROW(out->append(Bytes{1, 2, 3, 4}), IoError);
  out.reset();
  EXPECT_EQ(read_file(*base_, "a"), (Bytes{1, 2}));
}

TEST_F(FaultDirectoryTest, AFailedRenameOrRemoveChangesNothing) {
  faulty_->fail(FaultPoint::kRename, 1, EIO);
  EXPECT_THROW(faulty_->rename("old", "new"), IoError);
  faulty_->fail(FaultPoint::kRemove, 1, EIO);
  EXPECT_THROW(faulty_->remove("old"), IoError);
  EXPECT_EQ(faulty_->list(), std::vector<std::string>{"old"});
}

TEST_F(FaultDirectoryTest, AnyOperationCanBeTheNth) {
  auto steps = [&] {
    write("a", {1});  // create, append, close
    sync("a");
    faulty_->rename("a", "b");
    faulty_->sync_metadata();
    faulty_->remove("b");
  };
  steps();
  EXPECT_EQ(faulty_->count(FaultPoint::kAny), 7u);
  for (uint64_t n = 1; n <= 7; ++n) {
    base_ = memory_directory();
    faulty_ = std::make_unique<FaultDirectory>(*base_);
    faulty_->fail(FaultPoint::kAny, n, EIO);
    EXPECT_THROW(steps(), IoError) << n;
    EXPECT_EQ(faulty_->count(FaultPoint::kAny), n);
  }
}

TEST_F(FaultDirectoryTest, APowerCutKeepsOnlyWhatWasSynced) {
  write("synced", {1, 2, 3});
  sync("synced");
  write("unsynced", {4});
  EXPECT_EQ(faulty_->power_cut(Names::kSynced)->list(), std::vector<std::string>{"old"});
  auto all = faulty_->power_cut(Names::kAll);
  EXPECT_EQ(all->list(), (std::vector<std::string>{"old", "synced", "unsynced"}));
  EXPECT_EQ(read_file(*all, "synced"), (Bytes{1, 2, 3}));
  EXPECT_TRUE(read_file(*all, "unsynced").empty());
  faulty_->sync_metadata();
  EXPECT_EQ(faulty_->power_cut(Names::kSynced)->list(), all->list());
}

TEST_F(FaultDirectoryTest, APowerCutUndoesRenamesAndRemovalsThatWereNotSynced) {
  write("pending", {9});
  sync("pending");
  faulty_->sync_metadata();
  faulty_->rename("pending", "final");
  faulty_->remove("old");
  auto before = faulty_->power_cut(Names::kSynced);
  EXPECT_EQ(before->list(), (std::vector<std::string>{"old", "pending"}));
  EXPECT_EQ(read_file(*before, "old"), (Bytes{1, 2}));
  EXPECT_EQ(read_file(*before, "pending"), Bytes{9});
  auto after = faulty_->power_cut(Names::kAll);
  EXPECT_EQ(after->list(), std::vector<std::string>{"final"});
  EXPECT_EQ(read_file(*after, "final"), Bytes{9});
}

TEST_F(FaultDirectoryTest, AFailedSyncMakesNothingDurable) {
  write("a", {1});
  faulty_->fail(FaultPoint::kSync, 1, EIO);
  EXPECT_THROW(sync("a"), IoError);
  EXPECT_TRUE(read_file(*faulty_->power_cut(Names::kAll), "a").empty());
  faulty_->fail(FaultPoint::kSyncMetadata, 1, EIO);
  EXPECT_THROW(faulty_->sync_metadata(), IoError);
  EXPECT_EQ(faulty_->power_cut(Names::kSynced)->list(), std::vector<std::string>{"old"});
}

}  // namespace
}  // namespace postern::store
