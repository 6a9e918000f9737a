// The verdict on Lucene's own indexes, from one thread and from several.
#include "check/index_check.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "codec/golden_index.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::check {
namespace {

TEST(IndexCheck, ThreadsAgreeOnLucenesIndexes) {
  for (const std::string name : {"updates", "merged", "mixed_compound", "vectors", "sorted"}) {
    SCOPED_TRACE(name);
    auto directory = open_directory(codec::golden_index(name));
    std::string first;
    for (uint32_t threads : {1u, 2u, 8u}) {
      const IndexReport report = check_index(*directory, {.threads = threads, .progress = {}});
      EXPECT_TRUE(report.clean());
      std::string counts;
      for (const SegmentReport& segment : report.segments)
        for (const auto& [what, count] : segment.counts)
          counts += segment.name + what + std::to_string(count);
      EXPECT_FALSE(counts.empty());
      if (first.empty()) first = counts;
      EXPECT_EQ(first, counts);
    }
  }
}

TEST(IndexCheck, ProgressEndsWhereItWasPlanned) {
  auto directory = open_directory(codec::golden_index("updates"));
  uint64_t done = 0, planned = 0;
  check_index(*directory, {.threads = 1, .progress = [&](uint64_t d, uint64_t p) {
                             EXPECT_GE(d, done);
                             EXPECT_LE(d, p);
                             done = d;
                             planned = p;
                           }});
  // Parts count whole bytes of a segment divided by their number.
  EXPECT_GT(planned, 0u);
  EXPECT_NEAR(static_cast<double>(planned), static_cast<double>(done), 20);
}

TEST(IndexCheck, AFolderWithoutAnIndexIsNoVerdict) {
  EXPECT_THROW(check_index(*memory_directory(), {.progress = {}}), InvalidArgument);
}

TEST(IndexCheck, WhatTheSystemRefusesIsNotTheIndexsFault) {
  // Opens nothing of segment _0.
  class Refusing : public Directory {
   public:
    explicit Refusing(std::unique_ptr<Directory> files) : files_(std::move(files)) {}
    std::string describe() const override { return files_->describe(); }
    std::vector<std::string> list() const override { return files_->list(); }
    std::unique_ptr<InputFile> open(const std::string& name) const override {
      if (name.ends_with(".fdt")) throw IoError(name + ": cannot open: Permission denied", EACCES);
      return files_->open(name);
    }
    uint64_t file_length(const std::string& name) const override {
      return files_->file_length(name);
    }
    std::unique_ptr<OutputFile> create(const std::string&) override { return nullptr; }
    void remove(const std::string&) override {}
    void rename(const std::string&, const std::string&) override {}
    void sync(std::span<const std::string>) override {}
    void sync_metadata() override {}
    std::unique_ptr<DirectoryLock> lock(const std::string&) override { return nullptr; }

   private:
    std::unique_ptr<Directory> files_;
  };
  const Refusing directory(open_directory(codec::golden_index("updates")));
  for (uint32_t threads : {1u, 3u})
    EXPECT_THROW(check_index(directory, {.threads = threads, .progress = {}}), IoError);
}

}  // namespace
}  // namespace postern::check
