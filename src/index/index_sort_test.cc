// What an index sort, a parent field and a soft-deletes field do to an index on disk. That files
// equal Lucene's is for tests/golden and tests/twin.
#include <gtest/gtest.h>

#include <cerrno>
#include <deque>
#include <set>

#include "codec/index_sort_format.h"
#include "index/document_buffer.h"
#include "index/test_index.h"
#include "store/fault_directory.h"

namespace postern::index {
namespace {

using Ids = std::vector<std::string>;

FieldType numeric(DocValuesType type = DocValuesType::kNumeric) {
  FieldType t;
  t.doc_values = type;
  return t;
}
FieldType with_vectors() {
  FieldType t = text();
  t.term_vectors = {.enabled = true, .positions = true};
  return t;
}

class IndexSortTest : public testing::Test {
 protected:
  // Ids are stored first, so they are what live_ids finds.
  Document document(const std::string& id, int64_t n) {
    Document d;
    d.add_text(id_, ids_.emplace_back(id));  // documents hold views
    d.add_long(n_, n);
    d.add_text(body_, "some words of text");
    return d;
  }
  void add(IndexWriter& writer, const std::string& id, int64_t n) {
    writer.add_document(document(id, n));
  }
  void add_block(IndexWriter& writer, std::initializer_list<std::pair<const char*, int>> block) {
    std::vector<Document> documents;
    for (const auto& [id, n] : block) documents.push_back(document(id, n));
    writer.add_documents(documents);
  }
  WriterConfig config() {
    WriterConfig c;
    c.index_sort = {key_};
    return c;
  }
  codec::FieldInfos infos_of(const codec::SegmentCommitInfo& segment) {
    auto core = core_of(*directory_, segment.info);
    return codec::read_field_infos(core ? *core : *directory_, segment.info.name, segment.info.id,
                                   "");
  }
  bool any_temporary(const Directory& directory) {
    return std::ranges::any_of(directory.list(), [](const auto& f) { return f.ends_with(".tmp"); });
  }

  SortKey key_{.field = "n", .doc_values = DocValuesType::kNumeric};
  FieldDefinition id_{"id", stored_keyword()};
  FieldDefinition n_{"n", numeric()};
  FieldDefinition body_{"body", with_vectors(), standard_analyzer()};
  std::unique_ptr<Directory> directory_ = memory_directory();
  std::deque<std::string> ids_;  // addresses stay
};

TEST_F(IndexSortTest, DocumentsComeInTheOrderOfTheKey) {
  for (const bool compound : {true, false}) {
    directory_ = memory_directory();
    WriterConfig c = config();
    c.use_compound_file = compound;
    IndexWriter writer(*directory_, c);
    add(writer, "c", 3);
    add(writer, "a", 1);
    add(writer, "b", 2);
    writer.flush();
    add(writer, "y", 2);
    add(writer, "x", 1);
    writer.close();
    EXPECT_EQ(live_ids(*directory_), (Ids{"a", "b", "c", "x", "y"}));
    EXPECT_FALSE(any_temporary(*directory_));
    for (const auto& segment : newest_commit(*directory_).segments) {
      EXPECT_EQ(segment.info.index_sort, std::vector{codec::encode_sort_key(key_)});
      for (const std::string& file : segment.info.files) EXPECT_FALSE(file.ends_with(".tmp"));
    }
  }
}

TEST_F(IndexSortTest, RefusedDocumentsMoveToo) {
  IndexWriter writer(*directory_, config());
  add(writer, "c", 3);
  Document bad = document("bad", 2);
  bad.add_long(n_, 2);
  EXPECT_THROW(writer.add_document(bad), InvalidDocument);
  add(writer, "a", 1);
  writer.close();
  EXPECT_EQ(live_ids(*directory_), (Ids{"a", "c"}));
  const auto segment = newest_commit(*directory_).segments.at(0);
  EXPECT_EQ(segment.info.max_doc, 3u);
  EXPECT_EQ(segment.del_count, 1u);
}

TEST_F(IndexSortTest, SortOfAnIndexCannotBeChanged) {
  WriterConfig two = config();
  two.index_sort.push_back({.field = "m", .doc_values = DocValuesType::kSorted});
  {
    IndexWriter writer(*directory_, two);
    add(writer, "a", 1);
    writer.close();
  }
  auto refusal = [&](const WriterConfig& c) -> std::string {
    try {
      IndexWriter writer(*directory_, c);
    } catch (const InvalidArgument& e) {
      return e.what();
    }
    return "accepted";
  };
  // As in Lucene: no sort, or one that theirs begins with.
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(refusal(config()), "accepted");
  EXPECT_EQ(refusal(two), "accepted");
  WriterConfig down = config();
  down.index_sort[0].descending = true;
  EXPECT_EQ(refusal(down),
            "segment _0 is sorted by \"n\" (SortField, LONG, ascending, missing = "
            "9223372036854775807), then by \"m\" (SortField, STRING, ascending, missing highest); "
            "the index sort of an index cannot be changed to sorted by \"n\" (SortField, LONG, "
            "descending, missing = -9223372036854775808)");
  WriterConfig create = down;
  create.open_mode = OpenMode::kCreate;
  EXPECT_EQ(refusal(create), "accepted");
  {
    directory_ = memory_directory();
    IndexWriter writer(*directory_, {});
    add(writer, "a", 1);
    writer.close();
  }
  EXPECT_NE(refusal(config()).find("segment _0 is not sorted; the index sort"), std::string::npos);
}

TEST_F(IndexSortTest, FieldOfAKeyNeedsItsDocValues) {
  IndexWriter writer(*directory_, config());
  FieldDefinition other{"n", numeric(DocValuesType::kSortedNumeric)};
  Document bad;
  bad.add_text(id_, "bad");
  bad.add_long(other, 1);
  EXPECT_THROW(writer.add_document(bad), SchemaConflict);
  add(writer, "b", 2);
  add(writer, "a", 1);
  writer.close();
  EXPECT_EQ(live_ids(*directory_), (Ids{"a", "b"}));
}

TEST_F(IndexSortTest, BlocksOfASortedIndexNeedAParentField) {
  IndexWriter writer(*directory_, config());
  EXPECT_THROW(add_block(writer, {{"b1", 2}, {"b2", 1}}), InvalidDocument);
  add_block(writer, {{"b", 2}});
  add(writer, "a", 1);
  writer.close();
  EXPECT_EQ(live_ids(*directory_), (Ids{"a", "b"}));
  EXPECT_EQ(newest_commit(*directory_).segments.at(0).info.max_doc, 2u);
}

TEST_F(IndexSortTest, ParentFieldKeepsBlocksTogether) {
  WriterConfig c = config();
  c.parent_field = "parent";
  IndexWriter writer(*directory_, c);
  add(writer, "e", 5);
  add_block(writer, {{"b1", 9}, {"b2", 7}, {"b3", 3}});
  add(writer, "a", 1);
  writer.close();
  EXPECT_EQ(live_ids(*directory_), (Ids{"a", "b1", "b2", "b3", "e"}));
  const auto segment = newest_commit(*directory_).segments.at(0);
  EXPECT_TRUE(segment.info.has_blocks);
  const codec::FieldInfos infos = infos_of(segment);
  const codec::FieldInfo* parent = infos.by_name("parent");
  ASSERT_NE(parent, nullptr);
  EXPECT_TRUE(parent->parent);
  EXPECT_EQ(parent->number, 0u);  // before the document's own fields
  EXPECT_EQ(parent->doc_values, DocValuesType::kNumeric);
}

// Lucene cannot write such a segment at all.
TEST_F(IndexSortTest, SegmentThatEndsWithinARefusedBlockIsWritten) {
  WriterConfig c = config();
  c.parent_field = "parent";
  IndexWriter writer(*directory_, c);
  add_block(writer, {{"b1", 9}, {"b2", 7}});
  Document bad = document("bad", 2);
  bad.add_long(n_, 2);
  const Document block[] = {document("x", 0), bad, document("y", 0)};
  EXPECT_THROW(writer.add_documents(block), InvalidDocument);
  writer.close();
  EXPECT_EQ(live_ids(*directory_), (Ids{"b1", "b2"}));
}

TEST_F(IndexSortTest, ParentFieldIsReserved) {
  WriterConfig c;
  c.parent_field = "n";
  IndexWriter writer(*directory_, c);
  EXPECT_THROW(add(writer, "a", 1), InvalidDocument);
  Document d;
  d.add_text(id_, "b");
  writer.add_document(d);
  writer.close();
  EXPECT_EQ(live_ids(*directory_), Ids{"b"});
}

TEST_F(IndexSortTest, SoftlyDeletedDocumentsAreCounted) {
  WriterConfig c;
  c.soft_deletes_field = "n";
  IndexWriter writer(*directory_, c);
  add(writer, "soft", 1);
  Document d;
  d.add_text(id_, "live");
  writer.add_document(d);
  Document refused = document("refused", 2);  // has a value, but is deleted otherwise
  refused.add_long(n_, 2);
  EXPECT_THROW(writer.add_document(refused), InvalidDocument);
  writer.flush();
  add(writer, "a segment of its own", 1);  // of which nothing is left
  writer.close();
  const codec::Commit commit = newest_commit(*directory_);
  ASSERT_EQ(commit.segments.size(), 1u);
  EXPECT_EQ(commit.segments[0].soft_del_count, 1u);
  EXPECT_EQ(commit.segments[0].del_count, 1u);
  EXPECT_TRUE(infos_of(commit.segments[0]).by_name("n")->soft_deletes);
}

// Each refusal is Lucene's, for the same indexes.
TEST_F(IndexSortTest, RolesOfFieldsCannotBeChanged) {
  auto config_of = [](const char* parent, const char* soft) {
    WriterConfig c;
    c.parent_field = parent;
    c.soft_deletes_field = soft;
    return c;
  };
  auto opens = [&](const WriterConfig& first, const WriterConfig& second) {
    directory_ = memory_directory();
    IndexWriter writer(*directory_, first);
    add(writer, "a", 1);
    Document live;
    live.add_text(id_, "b");
    writer.add_document(live);
    writer.close();
    try {
      IndexWriter again(*directory_, second);
      return true;
    } catch (const InvalidArgument&) {
      return false;
    }
  };
  EXPECT_TRUE(opens(config_of("p", "n"), config_of("p", "n")));
  EXPECT_TRUE(opens(config_of("", ""), config_of("", "s")));
  EXPECT_TRUE(opens(config_of("", "s"), config_of("", "")));  // no document has it
  EXPECT_FALSE(opens(config_of("", ""), config_of("p", "")));
  EXPECT_FALSE(opens(config_of("p", ""), config_of("", "")));
  EXPECT_FALSE(opens(config_of("p", ""), config_of("q", "")));
  EXPECT_FALSE(opens(config_of("", ""), config_of("n", "")));
  EXPECT_FALSE(opens(config_of("p", ""), config_of("", "p")));
  EXPECT_FALSE(opens(config_of("", "n"), config_of("", "")));
  EXPECT_FALSE(opens(config_of("", "n"), config_of("", "s")));
  EXPECT_FALSE(opens(config_of("", ""), config_of("", "n")));
  directory_ = memory_directory();
  EXPECT_THROW(IndexWriter(*directory_, config_of("p", "p")), InvalidArgument);
}

// A directory whose temporary files come back with a flipped bit.
class DamagingDirectory : public store::FaultDirectory {
 public:
  DamagingDirectory(Directory& base, std::string damaged)
      : FaultDirectory(base), damaged_(std::move(damaged)) {}
  std::unique_ptr<InputFile> open(const std::string& name) const override {
    auto file = FaultDirectory::open(name);
    if (name.find(damaged_) == std::string::npos) return file;
    auto copy = std::make_unique<Copy>();
    copy->content.assign(file->bytes().begin(), file->bytes().end());
    copy->content[copy->content.size() / 2] ^= 4;
    return copy;
  }

 private:
  struct Copy : InputFile {
    std::span<const uint8_t> bytes() const override { return content; }
    std::vector<uint8_t> content;
  };
  std::string damaged_;
};

TEST_F(IndexSortTest, DamagedTemporaryFilesEndTheWriterNotTheIndex) {
  for (const char* file : {"stored_arrivals", "vector_arrivals"}) {
    directory_ = memory_directory();
    {
      IndexWriter writer(*directory_, config());
      add(writer, "good", 1);
      writer.close();
    }
    DamagingDirectory damaging(*directory_, file);
    IndexWriter writer(damaging, config());
    add(writer, "b", 2);
    add(writer, "a", 1);
    EXPECT_THROW(writer.commit(), CorruptIndex) << file;
    EXPECT_THROW(add(writer, "c", 3), InvalidArgument) << file;  // closed by the error
    EXPECT_EQ(live_ids(*directory_), Ids{"good"});
    EXPECT_FALSE(any_temporary(*directory_));
  }
}

// What sorting needs was part of the budget while documents came: a sorted flush passes what the
// buffer had reported by no more than a flush as they come.
TEST_F(IndexSortTest, MemoryOfSortingWasReportedBefore) {
  auto flush_beyond_report = [&](const WriterConfig& c) {
    directory_ = memory_directory();
    invert::BufferMemory memory(PoolLayout::kInline, c.limits);
    std::atomic<uint64_t> changes{0};
    const auto log = std::make_shared<deletes::ChangeLog>(0, changes);
    DocumentBuffer buffer(*directory_, "_0", memory, std::make_shared<GlobalFields>(), log, c);
    for (int i = 0; i < 60000; ++i)
      buffer.add(document(std::to_string(i), (i * int64_t{7919}) % 60013));
    const auto reported = static_cast<int64_t>(buffer.ram_bytes());
    memory.counter().reset_peak();
    EXPECT_TRUE(buffer.flush(buffer.changes().finish(buffer.documents())));
    EXPECT_FALSE(any_temporary(*directory_));
    return static_cast<int64_t>(memory.counter().peak()) - reported;
  };
  EXPECT_LE(flush_beyond_report(config()), flush_beyond_report({}));
}

// A session of two commits with segments that are sorted; operations fail one after the other.
class SortFaultTest : public IndexSortTest, public testing::WithParamInterface<store::FaultPoint> {
 protected:
  Ids session(Directory& target) {
    Ids committed;
    try {
      WriterConfig c = config();
      c.max_buffered_documents = 3;
      c.use_compound_file = compound_;
      IndexWriter writer(target, c);
      for (const char* round : {"0", "1"}) {
        for (int i : {2, 1, 3}) add(writer, round + std::to_string(i), i);
        writer.commit();
        for (const char* i : {"1", "2", "3"}) committed.push_back(std::string(round) + i);
      }
      writer.close();
    } catch (const IoError&) {
    }
    return committed;
  }
  bool compound_ = true;
};

TEST_P(SortFaultTest, LastCommitSurvivesAndNoTemporaryFileStays) {
  const Ids kFirst{"01", "02", "03"};
  const Ids kBoth{"01", "02", "03", "11", "12", "13"};
  for (compound_ = true;; compound_ = false) {
    for (const bool for_good : {true, false}) {
      uint64_t faults = 0;
      for (uint64_t nth = 1;; ++nth) {
        auto base = memory_directory();
        store::FaultDirectory faulty(*base);
        faulty.fail(GetParam(), nth, EIO, for_good);
        const Ids committed = session(faulty);
        if (!faulty.failed()) break;
        ++faults;
        const std::set<Ids> allowed{committed, committed.empty() ? kFirst : kBoth};
        ASSERT_TRUE(allowed.contains(live_ids(*base))) << nth;
        // The writer itself has cleaned up, unless it could not remove any more.
        if (!for_good && GetParam() != store::FaultPoint::kRemove) {
          ASSERT_FALSE(any_temporary(*base)) << nth;
        }
        faulty.heal();
        Ids expected = live_ids(*base);
        IndexWriter again(faulty, config());
        ASSERT_FALSE(any_temporary(*base)) << nth;
        add(again, "later", 0);
        again.close();
        expected.push_back("later");
        ASSERT_EQ(live_ids(*base), expected) << nth;
      }
      EXPECT_GE(faults, 2u);
    }
    if (!compound_) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, SortFaultTest,
                         testing::Values(store::FaultPoint::kCreate, store::FaultPoint::kAppend,
                                         store::FaultPoint::kClose, store::FaultPoint::kRemove));

}  // namespace
}  // namespace postern::index
