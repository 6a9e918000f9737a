// Damaged indexes of every kind of file: cut, and with changed bytes under a right checksum, so
// that the structure is reached. The check must come to a verdict: no crash, no endless work, no
// file outside the folder. Run it with the address sanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "check/index_check.h"
#include "codec/compound.h"
#include "codec/file_names.h"
#include "codec/golden_index.h"
#include "codec/segment_commit.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::check {
namespace {

using codec::testing::Bytes;

// A folder in memory that asks for plain names only.
class SpyDirectory : public Directory {
 public:
  std::string describe() const override { return "spy"; }
  std::vector<std::string> list() const override { return files_->list(); }
  std::unique_ptr<OutputFile> create(const std::string&) override { return refuse(); }
  std::unique_ptr<InputFile> open(const std::string& name) const override {
    look(name);
    return files_->open(name);
  }
  uint64_t file_length(const std::string& name) const override {
    look(name);
    return files_->file_length(name);
  }
  void remove(const std::string&) override { refuse(); }
  void rename(const std::string&, const std::string&) override { refuse(); }
  void sync(std::span<const std::string>) override { refuse(); }
  void sync_metadata() override { refuse(); }
  std::unique_ptr<DirectoryLock> lock(const std::string&) override { return refuse(); }

  void put(const std::string& name, std::span<const uint8_t> bytes) {
    if (std::ranges::count(files_->list(), name) != 0) files_->remove(name);
    codec::testing::write_file(*files_, name, bytes);
  }

 private:
  static void look(const std::string& name) {
    EXPECT_EQ(std::string::npos, name.find('/')) << name;
    EXPECT_EQ(std::string::npos, name.find('\0')) << name;
    EXPECT_NE("..", name);
  }
  static std::nullptr_t refuse() {
    ADD_FAILURE() << "a check changes nothing";
    return nullptr;
  }
  std::unique_ptr<Directory> files_ = memory_directory();
};

struct Golden {
  explicit Golden(const std::string& name) {
    auto source = open_directory(codec::golden_index(name));
    for (const std::string& file : source->list()) {
      if (!codec::is_index_file(file)) continue;
      files[file] = codec::testing::read_file(*source, file);
      directory.put(file, files[file]);
    }
  }
  std::map<std::string, Bytes> files;
  SpyDirectory directory;
};

// Verdicts so far; the report of the tests has the number.
int verdicts = 0;

IndexReport checked(const Directory& directory) {
  ::testing::Test::RecordProperty("verdicts", ++verdicts);
  IndexReport report = check_index(directory, {.threads = 1, .progress = {}});
  for (const Problem& problem : report.problems) {
    EXPECT_FALSE(problem.message.empty());
    // Named: a file, or the segment.
    EXPECT_TRUE(problem.message.find('_') != std::string::npos || !problem.segment.empty() ||
                problem.message.find('\'') != std::string::npos)
        << problem.message;
  }
  return report;
}

// A fault whose file the report must name.
void expect_found(const Golden& golden, const std::string& file, const std::string& what) {
  const IndexReport report = checked(golden.directory);
  const bool named = std::ranges::any_of(report.problems, [&](const Problem& problem) {
    return problem.message.find(file) != std::string::npos;
  });
  EXPECT_TRUE(named) << file << ": " << what;
}

// `count` places spread over n, the first and the last among them.
std::vector<size_t> places(size_t n, size_t count) {
  std::vector<size_t> out;
  for (size_t i = 0; i < count && n != 0; ++i) out.push_back(i * (n - 1) / (count - 1));
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Another byte, of a kind that depends on the place.
uint8_t changed(uint8_t byte, size_t place) {
  constexpr uint8_t kMasks[] = {0x01, 0x80, 0xff, 0x10, 0x7f};
  return byte ^ kMasks[place % 5];
}

void cut_everywhere(Golden& golden, const std::string& file, size_t count) {
  const Bytes& whole = golden.files.at(file);
  for (const size_t length : places(whole.size(), count)) {
    golden.directory.put(file, std::span(whole).first(length));
    expect_found(golden, file, "cut to " + std::to_string(length));
    Bytes sealed(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length));
    sealed.insert(sealed.end(), whole.end() - 16, whole.end());
    codec::testing::fix_checksum(sealed);
    golden.directory.put(file, sealed);
    checked(golden.directory);
  }
  golden.directory.put(file, whole);
}

// Returns how many of the changes made the check find something.
size_t change_everywhere(Golden& golden, const std::string& file, size_t begin, size_t end,
                         size_t count, const std::function<void(Bytes&)>& seal) {
  const Bytes& whole = golden.files.at(file);
  size_t found = 0;
  for (size_t place : places(end - begin, count)) {
    place += begin;
    Bytes damaged = whole;
    damaged[place] = changed(damaged[place], place);
    golden.directory.put(file, damaged);
    expect_found(golden, file, "changed at " + std::to_string(place));
    seal(damaged);
    golden.directory.put(file, damaged);
    found += !checked(golden.directory).clean();
  }
  golden.directory.put(file, whole);
  return found;
}

void attack(const std::string& name, size_t cuts, size_t changes, std::string_view segment = {}) {
  SCOPED_TRACE(name);
  Golden golden(name);
  ASSERT_TRUE(checked(golden.directory).clean());
  size_t found = 0;
  for (const auto& [file, bytes] : golden.files) {
    if (!segment.empty() && file[0] == '_' && codec::segment_of_file(file) != segment) continue;
    if (file.ends_with(".cfs")) continue;
    cut_everywhere(golden, file, cuts);
    found += change_everywhere(golden, file, 0, bytes.size() - 16, changes,
                               codec::testing::fix_checksum);
  }
  EXPECT_TRUE(checked(golden.directory).clean());
  EXPECT_GT(found, golden.files.size());
}

TEST(HostileIndex, UpdatesAndColumns) { attack("updates", 3, 8, "_1"); }
TEST(HostileIndex, DeletesAndRefusedDocuments) {
  attack("deletes", 4, 8);
  attack("refused", 2, 8);
}
TEST(HostileIndex, Points) { attack("points", 3, 12); }
TEST(HostileIndex, SkipDataAndImpacts) { attack("dense", 2, 8); }
TEST(HostileIndex, TermsAndVectors) {
  attack("terms", 2, 4);
  attack("vectors", 2, 8);
}
TEST(HostileIndex, KnnVectorsAndGraphs) { attack("knn", 4, 12); }
TEST(HostileIndex, StoredFieldsInBothModes) { attack("mixed_compression", 2, 6); }

// Inside a compound file: the checksums of both files are made right.
TEST(HostileIndex, CompoundFiles) {
  Golden golden("merged");
  const codec::Commit commit = *codec::read_latest_commit(golden.directory);
  size_t found = 0;
  for (const codec::SegmentCommitInfo& segment : commit.segments) {
    const std::string data = segment.info.name + ".cfs";
    cut_everywhere(golden, data, 8);
    cut_everywhere(golden, segment.info.name + ".cfe", 8);
    const codec::CompoundReader inner(golden.directory, segment.info.name, segment.info.id);
    const Bytes& whole = golden.files.at(data);
    for (const std::string& file : inner.list()) {
      const auto opened = inner.open(file);
      const Bytes bytes(opened->bytes().begin(), opened->bytes().end());
      const auto at = static_cast<size_t>(
          std::search(whole.begin(), whole.end(), bytes.begin(), bytes.end()) - whole.begin());
      found += change_everywhere(golden, data, at, at + bytes.size() - 16, 4, [&](Bytes& damaged) {
        Bytes part(damaged.begin() + static_cast<ptrdiff_t>(at),
                   damaged.begin() + static_cast<ptrdiff_t>(at + bytes.size()));
        codec::testing::fix_checksum(part);
        std::ranges::copy(part, damaged.begin() + static_cast<ptrdiff_t>(at));
        codec::testing::fix_checksum(damaged);
      });
    }
  }
  EXPECT_GT(found, 30u);
}

// Names in commits that lead elsewhere.
TEST(HostileIndex, NamesCannotLeaveTheFolder) {
  for (const std::string& name :
       {std::string("_0_/../../x.fnm"), std::string("/etc/passwd"), std::string("../_0.fnm"),
        std::string("_0_2.fnm/.."), std::string("_0_2.f\0m", 8), std::string("_0_9\n.fnm")}) {
    SCOPED_TRACE(name);
    Golden golden("updates");
    codec::Commit commit = *codec::read_latest_commit(golden.directory);
    commit.segments[0].field_infos_files = {name};
    auto scratch = memory_directory();
    codec::write_pending_commit(*scratch, commit);
    golden.directory.put("segments_3", codec::testing::read_file(*scratch, "pending_segments_3"));
    const IndexReport report = checked(golden.directory);
    ASSERT_FALSE(report.clean());
  }
}

TEST(HostileIndex, MoreDocumentsThanTheFilesCanHold) {
  Golden golden("points");
  codec::Commit commit = *codec::read_latest_commit(golden.directory);
  codec::SegmentInfo info = commit.segments[0].info;
  info.max_doc = 2147483000;
  auto scratch = memory_directory();
  codec::write_segment_info(*scratch, info);
  golden.directory.put("_0.si", codec::testing::read_file(*scratch, "_0.si"));
  expect_found(golden, "_0.fdm", "2147483000 documents");
  Bytes meta = golden.files.at("_0.fdm");
  const Bytes documents = {0x4c, 0x04, 0, 0};  // 1100
  const auto at = std::search(meta.begin(), meta.end(), documents.begin(), documents.end());
  ASSERT_NE(meta.end(), at);
  const Bytes more = {0x78, 0xfd, 0xff, 0x7f};
  std::ranges::copy(more, at);
  codec::testing::fix_checksum(meta);
  golden.directory.put("_0.fdm", meta);
  expect_found(golden, "_0.fdm", "2147483000 documents");
}

}  // namespace
}  // namespace postern::check
