#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "codec/file_names.h"
#include "index/test_index.h"
#include "store/fault_directory.h"

namespace postern::index {
namespace {

using Ids = std::vector<std::string>;

class WriterTest : public testing::Test {
 protected:
  void add(IndexWriter& writer, const std::string& id, const std::string& body = "some words") {
    Document doc;
    doc.add_text(fields.id, id);
    doc.add_text(fields.body, body);
    writer.add_document(doc);
  }
  // An id, then a term that is too long: refused half-way.
  void add_refused(IndexWriter& writer, const std::string& id) {
    std::string long_term(32767, 'x');
    Document doc;
    doc.add_text(fields.id, id);
    doc.add_text(fields.id, long_term);
    bool refused = false;
    try {
      writer.add_document(doc);
    } catch (const InvalidDocument&) {
      refused = true;
    }
    EXPECT_TRUE(refused);
  }
  std::set<std::string> names() const {
    auto list = directory->list();
    return {list.begin(), list.end()};
  }

  TestFields fields;
  std::unique_ptr<Directory> directory = memory_directory();
};

TEST_F(WriterTest, CommitsAnEmptyIndexOnce) {
  IndexWriter writer(*directory, {});
  EXPECT_EQ(writer.commit(), 1u);
  EXPECT_EQ(writer.commit(), std::nullopt);
  EXPECT_TRUE(newest_commit(*directory).segments.empty());
}

TEST_F(WriterTest, DocumentsAreVisibleOnlyAfterCommit) {
  IndexWriter writer(*directory, {});
  add(writer, "a");
  add(writer, "b");
  EXPECT_TRUE(live_ids(*directory).empty());
  writer.commit();
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}));
  add(writer, "c");
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}));
  writer.close();
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b", "c"}));
}

TEST_F(WriterTest, AppendsToAnExistingIndexAndCreateReplacesIt) {
  {
    IndexWriter writer(*directory, {});
    add(writer, "a");
    writer.close();
  }
  {
    IndexWriter writer(*directory, {.open_mode = OpenMode::kAppend});
    add(writer, "b");
    writer.close();
  }
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}));
  {
    IndexWriter writer(*directory, {.open_mode = OpenMode::kCreate});
    EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}))
        << "the old index must stay until the new one is committed";
    add(writer, "c");
    writer.close();
  }
  EXPECT_EQ(live_ids(*directory), (Ids{"c"}));
  EXPECT_FALSE(names().contains("_0.si")) << "files of the replaced index must be gone";
  auto empty = memory_directory();
  EXPECT_THROW(IndexWriter(*empty, {.open_mode = OpenMode::kAppend}), InvalidArgument);
}

TEST_F(WriterTest, FlushesAtTheDocumentCountAndByRam) {
  std::vector<FlushEvent> events;
  WriterConfig config{.ram_buffer_mb = 0, .max_buffered_documents = 10};
  config.on_flush = [&](const FlushEvent& e) { events.push_back(e); };
  {
    IndexWriter writer(*directory, config);
    for (int i = 0; i < 25; ++i) add(writer, std::to_string(i));
    EXPECT_EQ(events.size(), 2u);
    writer.close();
  }
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].documents, 10u);
  EXPECT_STREQ(events[1].reason, "documents");
  EXPECT_EQ(events[2].documents, 5u);
  events.clear();
  config.max_buffered_documents = 0;
  config.ram_buffer_mb = 0.000001;
  IndexWriter writer(*directory, config);
  add(writer, "x");
  add(writer, "y");
  ASSERT_EQ(events.size(), 2u) << "a tiny budget makes a segment of every document";
  EXPECT_STREQ(events[0].reason, "ram");
}

TEST_F(WriterTest, RefusedDocumentsStayHiddenAndCostNothingElse) {
  IndexWriter writer(*directory, {});
  add(writer, "a");
  add_refused(writer, "bad");
  add(writer, "b");
  writer.commit();
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}));
  auto segments = newest_commit(*directory).segments;
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].info.max_doc, 3u);
  EXPECT_EQ(segments[0].del_count, 1u);
}

TEST_F(WriterTest, SegmentOfRefusedDocumentsOnlyIsDropped) {
  IndexWriter writer(*directory, {});
  add_refused(writer, "bad");
  writer.commit();
  EXPECT_TRUE(newest_commit(*directory).segments.empty());
  EXPECT_EQ(names(), (std::set<std::string>{"segments_1"}));
}

TEST_F(WriterTest, BlockWithARefusedDocumentIsHiddenWhole) {
  IndexWriter writer(*directory, {});
  add(writer, "before");
  std::string long_term(32767, 'x');
  std::vector<Document> block(7);
  Ids ids;
  for (size_t i = 0; i < block.size(); ++i) ids.push_back("block" + std::to_string(i));
  for (size_t i = 0; i < block.size(); ++i) block[i].add_text(fields.id, ids[i]);
  writer.add_documents(block);
  block[4].add_text(fields.body, long_term);
  block[4].add_text(fields.id, long_term);
  EXPECT_THROW(writer.add_documents(block), InvalidDocument);
  add(writer, "after");
  writer.commit();
  Ids expected{"before"};
  expected.insert(expected.end(), ids.begin(), ids.end());
  expected.push_back("after");
  EXPECT_EQ(live_ids(*directory), expected);
  auto segment = newest_commit(*directory).segments.at(0);
  EXPECT_TRUE(segment.info.has_blocks);
  EXPECT_EQ(segment.info.max_doc, 14u) << "five of the second block had a number already";
  EXPECT_EQ(segment.del_count, 5u);
}

TEST_F(WriterTest, SchemaMustStayTheSameWithinASegmentAndAcrossSegments) {
  FieldType docs_only = text();
  docs_only.index_options = IndexOptions::kDocs;
  FieldDefinition other("body", docs_only, standard_analyzer());
  FieldType only_stored;
  only_stored.stored = true;
  FieldDefinition stored_body("body", only_stored);
  auto expect_conflict = [&](IndexWriter& writer, const FieldDefinition& field,
                             const char* expected, const char* got) {
    Document doc;
    doc.add_text(field, "x");
    try {
      writer.add_document(doc);
      FAIL() << "accepted";
    } catch (const SchemaConflict& e) {
      EXPECT_NE(std::string(e.what()).find("body"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(got), std::string::npos) << e.what();
    }
  };
  IndexWriter writer(*directory, {});
  add(writer, "a");
  expect_conflict(writer, other, "DOCS_AND_FREQS_AND_POSITIONS", "'DOCS'");
  expect_conflict(writer, stored_body, "DOCS_AND_FREQS_AND_POSITIONS", "'NONE'");
  writer.flush();
  expect_conflict(writer, other, "index options=DOCS_AND_FREQS_AND_POSITIONS",
                  "inconsistent index options=DOCS");
  // Indexed and stored by two values of the same name, and so in every document.
  Document both;
  both.add_text(fields.body, "x");
  both.add_text(stored_body, "y");
  writer.add_document(both);
  writer.close();
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "y"}));
  IndexWriter again(*directory, {});
  expect_conflict(again, other, "index options=DOCS_AND_FREQS_AND_POSITIONS",
                  "inconsistent index options=DOCS");
}

TEST_F(WriterTest, ValuesThatAreNotUtf8AreRefusedBeforeTheyGetANumber) {
  IndexWriter writer(*directory, {});
  Document doc;
  doc.add_text(fields.body, "ab\xFFz");
  try {
    writer.add_document(doc);
    FAIL();
  } catch (const InvalidDocument& e) {
    EXPECT_NE(std::string(e.what()).find("byte 2 of 4"), std::string::npos) << e.what();
  }
  EXPECT_EQ(writer.max_doc(), 0u);
}

TEST_F(WriterTest, DocumentLimitIsCheckedBeforeAndCountsRefusedOnes) {
  WriterConfig config;
  config.limits.max_documents = 10;
  IndexWriter writer(*directory, config);
  for (int i = 0; i < 9; ++i) add(writer, std::to_string(i));
  add_refused(writer, "bad");
  EXPECT_THROW(add(writer, "too many"), LimitExceeded);
  writer.flush();
  EXPECT_THROW(add(writer, "too many"), LimitExceeded);
  writer.close();
  EXPECT_EQ(live_ids(*directory).size(), 9u);
  IndexWriter again(*directory, config);
  EXPECT_THROW(add(again, "too many"), LimitExceeded);
}

TEST_F(WriterTest, AnalyzerFailureCostsOnlyItsDocument) {
  struct Stream : TokenStream {
    void reset(std::string_view) override {}
    size_t next(std::span<Token>) override { throw std::runtime_error("no luck"); }
    uint32_t final_offset() const override { return 0; }
  };
  struct Failing : Analyzer {
    std::unique_ptr<TokenStream> token_stream() const override {
      return std::make_unique<Stream>();
    }
  };
  FieldDefinition failing("body", text(), std::make_shared<Failing>());
  IndexWriter writer(*directory, {});
  Document doc;
  doc.add_text(failing, "x");
  EXPECT_THROW(writer.add_document(doc), InvalidDocument);
  add(writer, "a");
  writer.close();
  EXPECT_EQ(live_ids(*directory), (Ids{"a"}));
}

TEST_F(WriterTest, SecondWriterIsRefusedUntilTheFirstIsClosed) {
  IndexWriter writer(*directory, {});
  EXPECT_THROW(IndexWriter(*directory, {}), LockHeld);
  writer.close();
  IndexWriter second(*directory, {});
}

TEST_F(WriterTest, WriterWhoseLockFileWasReplacedStopsAndRemovesNothing) {
  std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("postern_lock_" + std::to_string(getpid()));
  std::filesystem::remove_all(path);
  auto folder = open_directory(path);
  IndexWriter writer(*folder, {});
  add(writer, "a");
  writer.commit();
  add(writer, "b");
  std::filesystem::remove(path / "write.lock");
  auto before = folder->list();
  EXPECT_THROW(writer.commit(), IoError);
  EXPECT_THROW(add(writer, "c"), InvalidArgument);
  EXPECT_EQ(folder->list(), before);
  EXPECT_EQ(live_ids(*folder), (Ids{"a"}));
  std::filesystem::remove_all(path);
}

TEST_F(WriterTest, RollbackRestoresTheLastCommit) {
  IndexWriter writer(*directory, {});
  add(writer, "a");
  writer.commit();
  auto before = names();
  add(writer, "b");
  writer.flush();
  add(writer, "c");
  writer.rollback();
  EXPECT_EQ(names(), before);
  EXPECT_EQ(live_ids(*directory), (Ids{"a"}));
  EXPECT_THROW(add(writer, "d"), InvalidArgument);
}

TEST_F(WriterTest, PreparedCommitIsPublishedWithoutLaterDocuments) {
  IndexWriter writer(*directory, {});
  add(writer, "a");
  writer.prepare_commit();
  EXPECT_THROW(writer.prepare_commit(), InvalidArgument);
  add(writer, "b");
  writer.commit();
  EXPECT_EQ(live_ids(*directory), (Ids{"a"}));
  writer.commit();
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}));
  writer.prepare_commit();
  EXPECT_EQ(writer.commit(), std::nullopt);
  add(writer, "c");
  writer.prepare_commit();
  writer.rollback();
  EXPECT_EQ(live_ids(*directory), (Ids{"a", "b"}));
}

TEST_F(WriterTest, UserDataGoesWithItsCommit) {
  IndexWriter writer(*directory, {});
  writer.set_commit_user_data({{"k", "v"}});
  writer.commit();
  EXPECT_EQ(newest_commit(*directory).user_data, (codec::StringPairs{{"k", "v"}}));
}

TEST_F(WriterTest, LeftoversAreRemovedAndTheirNamesNotUsedAgain) {
  {
    IndexWriter writer(*directory, {});
    add(writer, "a");
    writer.close();
  }
  for (const char* name : {"_7.fdt", "_0_1.liv", "pending_segments_5", "foo.txt", "_A.si"})
    directory->create(name)->close();
  IndexWriter writer(*directory, {});
  EXPECT_FALSE(names().contains("_7.fdt"));
  EXPECT_FALSE(names().contains("_0_1.liv"));
  EXPECT_FALSE(names().contains("pending_segments_5"));
  EXPECT_TRUE(names().contains("foo.txt"));
  EXPECT_TRUE(names().contains("_A.si"));
  add(writer, "b");
  EXPECT_EQ(writer.commit(), 6u);
  EXPECT_EQ(newest_commit(*directory).segments.at(1).info.name, "_8");
}

TEST_F(WriterTest, UnreadableCommitIsRefusedAndOnlyCreateReplacesIt) {
  {
    IndexWriter writer(*directory, {});
    add(writer, "a");
    writer.close();
  }
  auto torn = directory->create("segments_2");
  torn->append(std::vector<uint8_t>{0x3f, 0xd7});
  torn->close();
  auto before = names();
  EXPECT_THROW(IndexWriter(*directory, {}), CorruptIndex);
  EXPECT_EQ(names(), before);
  {
    IndexWriter writer(*directory, {.open_mode = OpenMode::kCreate});
    add(writer, "never committed");
    writer.rollback();
  }
  EXPECT_TRUE(std::ranges::includes(names(), before))
      << "nothing may be lost before there is a new commit";
  IndexWriter writer(*directory, {.open_mode = OpenMode::kCreate});
  add(writer, "b");
  EXPECT_EQ(writer.commit(), 3u);
  EXPECT_EQ(live_ids(*directory), (Ids{"b"}));
  EXPECT_FALSE(names().contains("segments_1"));
}

}  // namespace
}  // namespace postern::index
