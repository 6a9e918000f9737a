#include "opensearch/shard_set.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "codec/segment_commit.h"
#include "opensearch/shard_folder.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

namespace fs = std::filesystem;

class ShardSetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "postern_shards_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  ShardSetOptions options(uint32_t shards) const {
    ShardSetOptions options;
    options.repository = folder_ / "repository";
    options.index = "docs";
    options.shards = shards;
    return options;
  }

  static ShardSet::Added add(ShardSet& set, DocumentParser& parser, const std::string& id,
                             uint64_t line, std::string source, bool create = false) {
    const size_t size = source.size();
    source.append(DocumentParser::kPadding, ' ');
    parser.parse({.id = id, .routing = {}}, std::string_view(source).substr(0, size));
    return set.add(set.router().shard_of(id), parser, id, false, create, {.line = line}, size);
  }

  // User data of a shard's commit, which is in the manifest only.
  std::string user_data(const BuiltShard& shard, const std::string& key) const {
    const std::unique_ptr<Directory> copy = memory_directory();
    for (const ShardFile& file : shard.manifest.files) {
      if (!file.is_virtual()) continue;
      const std::unique_ptr<OutputFile> out = copy->create(file.physical_name);
      out->append({reinterpret_cast<const uint8_t*>(file.content.data()), file.content.size()});
      out->close();
    }
    const std::optional<codec::Commit> commit = codec::read_latest_commit(*copy);
    for (const auto& [name, value] : commit->user_data) {
      if (name == key) return value;
    }
    return "none";
  }

  fs::path folder_;
  std::unique_ptr<Mapping> mapping_ =
      Mapping::parse(R"({"properties":{"t":{"type":"text"},"n":{"type":"long"}}})", "test");
};

TEST_F(ShardSetTest, ThreadsFillShardsWithinABudget) {
  ShardSetOptions wanted = options(3);
  wanted.memory = uint64_t{2} << 20;
  ShardSet set(wanted, *mapping_);
  {
    std::vector<std::jthread> threads;
    for (uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        DocumentParser parser(*mapping_, {});
        for (uint64_t i = t; i < 6000; i += 4) {
          const std::string n = std::to_string(i);
          const auto added = add(set, parser, "id-" + n, i + 1,
                                 R"({"n":)" + n + R"(,"t":"text of )" + n + " " +
                                     std::string(300, 'x') + " " + n + R"(y"})");
          EXPECT_EQ(added.verdict, IdVerdict::kNew);
        }
      });
    }
  }
  EXPECT_EQ(set.documents(), 6000U);
  const AssembledIndex index(set.finish(2, 6000, 0));
  EXPECT_GT(set.segments(), 3U);
  uint64_t documents = 0;
  for (const BuiltShard& shard : index.shards()) {
    documents += shard.manifest.documents;
    EXPECT_EQ(user_data(shard, "max_seq_no"), std::to_string(shard.manifest.documents - 1));
    EXPECT_EQ(user_data(shard, "local_checkpoint"), std::to_string(shard.manifest.documents - 1));
  }
  EXPECT_EQ(documents, 6000U);
  write_repository(wanted.repository, index);
  EXPECT_TRUE(fs::exists(wanted.repository / "index.latest"));
  EXPECT_THROW(require_no_repository(wanted.repository), InvalidArgument);
}

TEST_F(ShardSetTest, AnEmptyShardHasACommit) {
  ShardSet set(options(1), *mapping_);
  const std::vector<BuiltShard> built = set.finish(1, 0, 0);
  EXPECT_EQ(user_data(built.front(), "max_seq_no"), "-1");
  EXPECT_EQ(user_data(built.front(), "local_checkpoint"), "-1");
  ASSERT_EQ(built.front().manifest.files.size(), 1U);
  EXPECT_EQ(built.front().manifest.files.front().physical_name, "segments_1");
}

TEST_F(ShardSetTest, TheSameIdsInBlobNamesNever) {
  std::set<std::string> names;
  for (int i = 0; i < 2; ++i) {
    ShardSet set(options(1), *mapping_);
    DocumentParser parser(*mapping_, {});
    add(set, parser, "a", 1, "{}");
    const std::vector<BuiltShard> built = set.finish(1, 1, 0);
    for (const ShardFile& file : built.front().manifest.files) {
      EXPECT_TRUE(names.insert(file.name).second);
    }
  }
}

TEST_F(ShardSetTest, ADocumentTheWriterRefusesIsNotThere) {
  ShardSetOptions wanted = options(1);
  wanted.limits.max_documents = 1;
  ShardSet set(wanted, *mapping_);
  DocumentParser parser(*mapping_, {});
  add(set, parser, "a", 1, "{}");
  EXPECT_THROW(add(set, parser, "b", 2, "{}"), LimitExceeded);
  EXPECT_EQ(set.documents(), 1U);
}

TEST_F(ShardSetTest, ABuildThatIsNotFinishedLeavesNothing) {
  {
    ShardSet set(options(2), *mapping_);
    DocumentParser parser(*mapping_, {});
    add(set, parser, "a", 1, "{}");
  }
  EXPECT_FALSE(fs::exists(folder_ / "repository"));
}

TEST_F(ShardSetTest, OneBuildAtATime) {
  ShardSet first(options(2), *mapping_);
  ShardSetOptions wanted = options(2);
  wanted.only = 1;
  EXPECT_THROW(ShardSet(wanted, *mapping_), LockHeld);
}

TEST_F(ShardSetTest, ALaterBuildOfAShardReplacesIt) {
  ShardSetOptions wanted = options(2);
  wanted.only = 1;
  for (int i = 0; i < 2; ++i) {
    ShardSet set(wanted, *mapping_);
    EXPECT_FALSE(set.builds(0));
    const std::vector<BuiltShard> built = set.finish(1, 0, 0);
    ASSERT_EQ(built.size(), 1U);
    EXPECT_EQ(built.front().manifest.shard, 1U);
    EXPECT_TRUE(fs::exists(built.front().folder / kManifestName));
  }
}

}  // namespace
}  // namespace postern::opensearch
