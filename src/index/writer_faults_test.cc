// Every single operation of a session fails once, for good or just once: creating, appending
// (torn), closing, syncing, renaming, removing, syncing names. Whatever happens, what is on disk
// afterwards (and after a power cut at that moment) is one of the session's commits: the last one
// the writer reported, or, when its very publication failed, possibly the one after it.
#include <gtest/gtest.h>

#include <cerrno>
#include <deque>
#include <set>
#include <tuple>

#include "codec/file_names.h"
#include "index/test_content.h"
#include "index/test_index.h"
#include "store/fault_directory.h"

namespace postern::index {
namespace {

using Content = std::vector<LiveDocument>;

class WriterFaults : public testing::TestWithParam<std::tuple<store::FaultPoint, bool, bool>> {
 protected:
  Document document(const std::string& id, int64_t n) {
    Document doc;
    doc.add_text(fields.id, texts.emplace_back(id));
    doc.add_text(fields.body, "some words");
    doc.add_long(number, n);
    return doc;
  }

  // Several segments, documents of which are refused, deleted, updated, given other values, some of
  // them all gone. Returns how many commits were reported.
  size_t session(Directory& target, bool compound) {
    size_t commits = 0;
    try {
      WriterConfig config{.ram_buffer_mb = 0, .max_buffered_documents = 2};
      config.use_compound_file = compound;
      IndexWriter writer(target, config);
      auto remove = [&](const char* id) {
        const Term term{"id", id};
        writer.delete_documents({&term, 1});
      };
      auto set = [&](const char* id, int64_t n, std::string_view field = "n") {
        const DocValuesUpdate update{field, n};
        writer.update_doc_values({"id", id}, {&update, 1});
      };
      for (const char* id : {"a", "b", "c"}) writer.add_document(document(id, 0));
      Document bad = document("bad", 0);
      bad.add_text(fields.id, too_long);
      EXPECT_THROW(writer.add_document(bad), InvalidDocument);
      remove("b");
      writer.commit();
      ++commits;
      writer.update_document({"id", "a"}, document("a", 1));
      set("c", 1);
      set("a", 2);
      for (const char* id : {"d", "e"}) writer.add_document(document(id, 2));
      writer.flush();
      remove("d");
      set("e", 3, "m");
      writer.commit();
      ++commits;
      for (const char* id : {"a", "c", "e"}) remove(id);  // nothing is left of two segments
      for (const char* id : {"f", "g"}) writer.add_document(document(id, 4));
      set("f", 5);
      writer.commit();
      ++commits;
      writer.delete_all();
      writer.add_document(document("h", 6));
      writer.commit();
      ++commits;
      writer.close();
    } catch (const IoError&) {
    }
    return commits;
  }
  // What the commits of an undisturbed session hold; [0]: nothing.
  std::vector<Content> undisturbed() {
    std::vector<Content> contents(1);
    auto base = memory_directory();
    class Watching : public store::FaultDirectory {
     public:
      Watching(Directory& base, std::vector<Content>& contents)
          : FaultDirectory(base), base_(base), contents_(contents) {}
      void sync_metadata() override {
        FaultDirectory::sync_metadata();
        if (codec::latest_generation(base_).value_or(0) == contents_.size())
          contents_.push_back(live_content(base_));
      }

     private:
      Directory& base_;
      std::vector<Content>& contents_;
    } watching(*base, contents);
    session(watching, true);
    return contents;
  }
  // The index works on, and leftovers go.
  void goes_on(Directory& directory) {
    Content expected = live_content(directory);
    {
      IndexWriter again(directory, {});
      again.add_document(document("later", 9));
      again.close();
    }
    expected.push_back({{"later"}, {{"n", 9}}});
    ASSERT_EQ(live_content(directory), expected);
    const auto commit = codec::read_latest_commit(directory);
    std::vector<std::string> files = commit->files();
    files.emplace_back(codec::kWriteLockName);
    std::set<std::string> needed(files.begin(), files.end());
    for (const std::string& name : directory.list()) ASSERT_TRUE(needed.contains(name)) << name;
  }

  TestFields fields;
  FieldDefinition number{"n", [] {
                           FieldType type;
                           type.doc_values = DocValuesType::kNumeric;
                           return type;
                         }()};
  std::deque<std::string> texts;
  const std::string too_long = std::string(32'767, 'x');
};

TEST_P(WriterFaults, TheLastCommitSurvives) {
  const auto [point, compound, for_good] = GetParam();
  const std::vector<Content> contents = undisturbed();
  ASSERT_EQ(contents.size(), 5u);
  EXPECT_EQ(contents[1].size(), 2u);
  EXPECT_EQ(contents[4].size(), 1u);
  uint64_t faults = 0;
  for (uint64_t nth = 1;; ++nth) {
    SCOPED_TRACE("operation " + std::to_string(nth));
    auto base = memory_directory();
    store::FaultDirectory faulty(*base);
    faulty.fail(point, nth, EIO, for_good);
    const size_t committed = session(faulty, compound);
    if (!faulty.failed()) break;
    ++faults;
    auto is_a_commit = [&](const Directory& directory) {
      const Content got = live_content(directory);
      return got == contents[committed] ||
             (committed + 1 < contents.size() && got == contents[committed + 1]);
    };
    for (auto names : {store::FaultDirectory::Names::kSynced, store::FaultDirectory::Names::kAll}) {
      auto after_cut = faulty.power_cut(names);
      ASSERT_TRUE(is_a_commit(*after_cut)) << "after a power cut";
      goes_on(*after_cut);
    }
    ASSERT_TRUE(is_a_commit(*base));
    faulty.heal();
    goes_on(faulty);
  }
  EXPECT_GE(faults, 4u);
}

std::string name_of(const testing::TestParamInfo<WriterFaults::ParamType>& info) {
  static constexpr const char* kPoints[] = {"Create", "Append",       "Close",  "Sync",
                                            "Rename", "SyncMetadata", "Remove", "Any"};
  const auto [point, compound, for_good] = info.param;
  return std::string(kPoints[static_cast<size_t>(point)]) + (compound ? "Compound" : "Loose") +
         (for_good ? "ForGood" : "Once");
}

INSTANTIATE_TEST_SUITE_P(
    Operations, WriterFaults,
    testing::Combine(testing::Values(store::FaultPoint::kCreate, store::FaultPoint::kAppend,
                                     store::FaultPoint::kClose, store::FaultPoint::kSync,
                                     store::FaultPoint::kRename, store::FaultPoint::kSyncMetadata,
                                     store::FaultPoint::kRemove),
                     testing::Bool(), testing::Bool()),
    name_of);

}  // namespace
}  // namespace postern::index
