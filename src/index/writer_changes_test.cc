// Deletes and updates, one thread: what they hit, what is written, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/resident_memory.h"
#include "codec/file_names.h"
#include "index/test_content.h"
#include "index/test_index.h"

namespace postern::index {
namespace {

FieldType doc_values(DocValuesType values) {
  FieldType type;
  type.doc_values = values;
  return type;
}

class WriterChanges : public testing::Test {
 protected:
  Document document(const std::string& id, int64_t n) {
    Document doc;
    doc.add_text(fields.id, texts.emplace_back(id));
    doc.add_long(number, n);
    return doc;
  }
  uint64_t add(IndexWriter& writer, const std::string& id, int64_t n = 0) {
    return writer.add_document(document(id, n));
  }
  static uint64_t remove(IndexWriter& writer, const std::string& id) {
    const Term term{"id", id};
    return writer.delete_documents({&term, 1});
  }
  static uint64_t set(IndexWriter& writer, const std::string& id, int64_t n,
                      std::string_view field = "n") {
    const DocValuesUpdate update{field, n};
    return writer.update_doc_values({"id", id}, {&update, 1});
  }
  uint64_t update(IndexWriter& writer, const std::string& id, int64_t n) {
    return writer.update_document({"id", id}, document(id, n));
  }
  // "a=1 b=2": live documents in order.
  std::string content() const {
    std::string text;
    for (const LiveDocument& doc : live_content(*directory)) {
      text += (text.empty() ? "" : " ") + doc.stored.at(0);
      if (doc.numbers.contains("n")) text += "=" + std::to_string(doc.numbers.at("n"));
    }
    return text;
  }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const std::string& name : directory->list()) names.insert(name);
    names.erase("write.lock");
    return names;
  }
  // Of the files of later generations.
  std::set<std::string> generations() const {
    std::set<std::string> names = files();
    std::erase_if(names, [](const std::string& name) {
      return name.starts_with("segments") || !codec::generation_of_file(name);
    });
    return names;
  }

  TestFields fields;
  FieldDefinition number{"n", doc_values(DocValuesType::kNumeric)};
  std::deque<std::string> texts;
  std::unique_ptr<Directory> directory = memory_directory();
};

TEST_F(WriterChanges, OnlyWhatCameBeforeADeleteIsDeleted) {
  IndexWriter writer(*directory, {});
  add(writer, "a", 1);
  remove(writer, "a");
  add(writer, "a", 2);
  remove(writer, "a");
  add(writer, "a", 3);
  add(writer, "b", 4);
  writer.commit();
  EXPECT_EQ(content(), "a=3 b=4");
}

TEST_F(WriterChanges, ADeleteReachesBufferedFlushedAndCommittedSegments) {
  {
    IndexWriter writer(*directory, {});
    add(writer, "a", 1);
    add(writer, "b", 1);
    writer.commit();
    add(writer, "a", 2);
    add(writer, "c", 2);
    writer.flush();
    add(writer, "a", 3);
    add(writer, "d", 3);
    remove(writer, "a");
    add(writer, "a", 4);
    writer.commit();
    EXPECT_EQ(content(), "b=1 c=2 d=3 a=4");
  }
  IndexWriter writer(*directory, {});  // a writer that did not write the segments
  const Term terms[]{{"id", "b"}, {"id", "d"}, {"id", "nobody"}, {"nothing", "a"}};
  writer.delete_documents(terms);
  writer.close();
  EXPECT_EQ(content(), "c=2 a=4");
}

TEST_F(WriterChanges, AnUpdateReplacesAndKeepsItsOwnDocument) {
  WriterConfig config{.max_buffered_documents = 3};
  IndexWriter writer(*directory, config);
  for (int round = 0; round < 5; ++round) {
    update(writer, "a", round);
    update(writer, "b", 10 + round);
  }
  const Document block[]{document("a", 100), document("a", 101)};
  writer.update_documents({"id", "a"}, block);
  writer.commit();
  EXPECT_EQ(content(), "b=14 a=100 a=101");
}

TEST_F(WriterChanges, ARefusedUpdateDeletesNothing) {
  IndexWriter writer(*directory, {});
  add(writer, "a", 1);
  std::string too_long(32'767, 'x');
  Document bad = document("a", 2);
  bad.add_text(fields.id, too_long);
  EXPECT_THROW(writer.update_document({"id", "a"}, bad), InvalidDocument);
  const Document block[]{document("a", 3), bad, document("a", 4)};
  EXPECT_THROW(writer.update_documents({"id", "a"}, block), InvalidDocument);
  writer.commit();
  EXPECT_EQ(content(), "a=1");
}

TEST_F(WriterChanges, AnUpdateWithoutDocumentsDeletes) {
  IndexWriter writer(*directory, {});
  add(writer, "a", 1);
  add(writer, "b", 1);
  writer.update_documents({"id", "a"}, {});
  writer.commit();
  EXPECT_EQ(content(), "b=1");
}

// docs/formats/02 §4: the numbers Lucene gives to the same calls.
TEST_F(WriterChanges, SequenceNumbersAreLucenes) {
  IndexWriter writer(*directory, {});
  EXPECT_EQ(add(writer, "a"), 1u);
  EXPECT_EQ(add(writer, "b"), 2u);
  writer.commit();  // 4
  EXPECT_EQ(add(writer, "c"), 5u);
  EXPECT_EQ(remove(writer, "a"), 6u);
  EXPECT_EQ(update(writer, "b", 2), 7u);
  writer.commit();  // 9
  EXPECT_EQ(add(writer, "d"), 10u);
  EXPECT_EQ(writer.delete_all(), 12u);
  EXPECT_EQ(add(writer, "e"), 13u);
}

TEST_F(WriterChanges, DocValuesUpdatesTakeOrderAndLaterOnesWin) {
  IndexWriter writer(*directory, {});
  add(writer, "a", 1);
  add(writer, "b", 2);
  writer.commit();
  add(writer, "a", 3);
  set(writer, "a", 50);
  set(writer, "a", 51);
  add(writer, "a", 4);
  writer.commit();
  EXPECT_EQ(content(), "a=51 b=2 a=51 a=4");
}

TEST_F(WriterChanges, DeletedDocumentsKeepTheirValues) {
  IndexWriter writer(*directory, {});
  add(writer, "a", 1);
  add(writer, "b", 2);
  writer.commit();
  set(writer, "a", 50);
  remove(writer, "a");  // in one packet the delete comes first
  writer.commit();
  EXPECT_EQ(generations(), std::set<std::string>{"_0_1.liv"});
  set(writer, "a", 51);
  EXPECT_EQ(writer.commit(), std::nullopt);  // nothing was hit
}

TEST_F(WriterChanges, ASegmentWithoutTheFieldGetsIt) {
  IndexWriter writer(*directory, {});
  Document doc;
  doc.add_text(fields.id, "a");
  writer.add_document(doc);
  doc.clear();
  doc.add_text(fields.id, "b");
  writer.add_document(doc);
  writer.commit();
  set(writer, "b", 7);
  writer.commit();
  EXPECT_EQ(content(), "a b=7");
  const std::set<std::string> kExpected{"_0_1.fnm", "_0_1_Lucene90_0.dvd", "_0_1_Lucene90_0.dvm"};
  EXPECT_EQ(generations(), kExpected);
  writer.close();
  IndexWriter again(*directory, {});
  add(again, "c", 8);  // has the same number and type
  again.close();
  EXPECT_EQ(content(), "a b=7 c=8");
}

// docs/formats/02 §4: generations are written by flush and commit, one for each field, and those
// that no commit needs are removed at once.
TEST_F(WriterChanges, GenerationsAreLucenes) {
  IndexWriter writer(*directory, {.ram_buffer_mb = 0, .max_buffered_documents = 3});
  for (const char* id : {"a", "b", "c"}) add(writer, id, 0);
  remove(writer, "a");
  for (const char* id : {"d", "e", "f"}) add(writer, id, 0);  // ends a segment by itself
  EXPECT_TRUE(generations().empty());
  remove(writer, "b");
  writer.flush();
  EXPECT_EQ(generations(), std::set<std::string>{"_0_1.liv"});
  remove(writer, "d");
  writer.commit();
  const std::set<std::string> kCommitted{"_0_1.liv", "_1_1.liv"};
  EXPECT_EQ(generations(), kCommitted);
  remove(writer, "e");
  writer.flush();
  const std::set<std::string> kBoth{"_0_1.liv", "_1_1.liv", "_1_2.liv"};
  EXPECT_EQ(generations(), kBoth);
  set(writer, "f", 1);
  set(writer, "f", 1, "m");
  set(writer, "f", 2);
  writer.commit();
  const std::set<std::string> kLast{"_0_1.liv",
                                    "_1_2.liv",
                                    "_1_1.fnm",
                                    "_1_1_Lucene90_0.dvd",
                                    "_1_1_Lucene90_0.dvm",
                                    "_1_2_Lucene90_0.dvd",
                                    "_1_2_Lucene90_0.dvm"};
  EXPECT_EQ(generations(), kLast);
  EXPECT_EQ(content(), "c=0 f=2");
}

// As Lucene numbers them (docs/formats/11 §4): in the segment that an update brought "m" to, in the
// next writer's view of the index, and in what it writes.
TEST_F(WriterChanges, AnUpdatedFieldIsNumberedAnewInItsSegment) {
  const FieldDefinition z{"z", doc_values(DocValuesType::kNumeric)};
  const FieldDefinition extra{"extra", doc_values(DocValuesType::kNumeric)};
  const FieldDefinition m{"m", doc_values(DocValuesType::kNumeric)};
  const auto numbers_of = [&](size_t segment) {
    read::SegmentReader reader(*directory, newest_commit(*directory).segments.at(segment));
    std::string text;
    for (const codec::FieldInfo& info : reader.fields().fields)
      text += (text.empty() ? "" : " ") + info.name + std::to_string(info.number);
    return text;
  };
  const auto add_all = [&](IndexWriter& writer, std::initializer_list<const FieldDefinition*> all) {
    Document doc;
    doc.add_text(fields.id, "b");
    for (const FieldDefinition* field : all) doc.add_long(*field, 1);
    writer.add_document(doc);
    writer.commit();
  };
  {
    IndexWriter writer(*directory, {});
    add(writer, "a", 1);
    writer.commit();
    add_all(writer, {&z, &extra, &m});
    set(writer, "a", 5, "m");
    writer.commit();
  }
  EXPECT_EQ(numbers_of(0), "id0 n1 m2");
  EXPECT_EQ(numbers_of(1), "id0 z2 extra3 m4");
  IndexWriter writer(*directory, {});
  add_all(writer, {&z, &extra, &m, &number});
  EXPECT_EQ(numbers_of(2), "id0 n1 m2 z3 extra4");
  set(writer, "b", 7);
  writer.commit();
  EXPECT_EQ(numbers_of(1), "id0 z2 extra3 m4 n5");
  EXPECT_EQ(content(), "a=1 b=7 b=7");
}

// docs/formats/10 §9: one number for all kinds of files, those included that nothing needs.
TEST_F(WriterChanges, ANewWriterGoesOnAboveEveryGenerationOnDisk) {
  {
    IndexWriter writer(*directory, {});
    for (const char* id : {"a", "b", "c"}) add(writer, id, 0);
    writer.commit();
    const DocValuesUpdate updates[]{{"n", 1}, {"m", 2}, {"k", 3}};
    writer.update_doc_values({"id", "a"}, updates);
    writer.commit();
  }
  {
    IndexWriter writer(*directory, {});
    remove(writer, "b");
    writer.commit();
    EXPECT_TRUE(generations().contains("_0_4.liv"));
  }
  directory->create("_0_9.liv")->close();
  IndexWriter writer(*directory, {});
  set(writer, "c", 1);
  remove(writer, "a");
  writer.commit();
  for (const char* name : {"_0_a.liv", "_0_a.fnm", "_0_a_Lucene90_0.dvd"})
    EXPECT_TRUE(generations().contains(name)) << name;
}

TEST_F(WriterChanges, SegmentsWithoutLiveDocumentsGo) {
  IndexWriter writer(*directory, {});
  add(writer, "a");
  add(writer, "b");
  writer.commit();
  add(writer, "c");
  remove(writer, "a");
  remove(writer, "b");
  writer.commit();
  EXPECT_EQ(writer.segment_count(), 1u);
  EXPECT_EQ(writer.max_doc(), 1u);
  const std::set<std::string> kFiles{"_1.cfe", "_1.cfs", "_1.si", "segments_2"};
  EXPECT_EQ(files(), kFiles);
  add(writer, "d");
  remove(writer, "d");
  remove(writer, "c");
  writer.commit();
  EXPECT_EQ(files(), std::set<std::string>{"segments_3"});
  add(writer, "e");
  writer.commit();
  EXPECT_EQ(newest_commit(*directory).segments.at(0).info.name, "_3");  // names are used up
}

TEST_F(WriterChanges, NothingToDeleteIsNothingToCommit) {
  IndexWriter writer(*directory, {});
  add(writer, "a");
  writer.commit();
  remove(writer, "b");
  set(writer, "b", 1);
  EXPECT_EQ(writer.commit(), std::nullopt);
}

TEST_F(WriterChanges, DeleteAllForgetsDocumentsAndFields) {
  IndexWriter writer(*directory, {});
  writer.set_commit_user_data({{"k", "v"}});
  add(writer, "a");
  writer.commit();
  add(writer, "b");
  writer.flush();
  add(writer, "c");
  set(writer, "d", 4);
  writer.delete_all();
  EXPECT_EQ(writer.max_doc(), 0u);
  EXPECT_EQ(content(), "a=0");  // until the commit
  const FieldDefinition other{"n", doc_values(DocValuesType::kSortedNumeric)};
  Document doc;
  doc.add_long(other, 5);  // another type, and the first field's number
  doc.add_text(fields.id, "d");
  writer.add_document(doc);
  writer.commit();
  EXPECT_EQ(content(), "d");
  const codec::Commit commit = newest_commit(*directory);
  ASSERT_EQ(commit.segments.size(), 1u);
  EXPECT_EQ(commit.segments[0].info.name, "_3");
  EXPECT_EQ(read::SegmentReader(*directory, commit.segments[0]).fields().by_number(0)->name, "n");
  EXPECT_EQ(commit.user_data, (codec::StringPairs{{"k", "v"}}));
}

TEST_F(WriterChanges, RollbackTakesDeletesAndUpdatesBack) {
  {
    IndexWriter writer(*directory, {});
    add(writer, "a", 1);
    add(writer, "b", 1);
    writer.commit();
    remove(writer, "a");
    set(writer, "b", 2);
    writer.flush();
    EXPECT_FALSE(generations().empty());
    writer.delete_all();
    writer.rollback();
  }
  EXPECT_EQ(content(), "a=1 b=1");
  EXPECT_TRUE(generations().empty());
}

// A commit that was prepared holds what came before, whatever comes behind.
TEST_F(WriterChanges, APreparedCommitKeepsItsFiles) {
  IndexWriter writer(*directory, {});
  for (const char* id : {"a", "b", "c"}) add(writer, id, 0);
  writer.commit();
  remove(writer, "a");
  writer.prepare_commit();
  remove(writer, "b");
  writer.flush();
  writer.commit();
  EXPECT_EQ(content(), "b=0 c=0");
  writer.commit();
  EXPECT_EQ(content(), "c=0");
  EXPECT_EQ(generations(), std::set<std::string>{"_0_2.liv"});
}

TEST_F(WriterChanges, SoftDeletesByUpdateAreCounted) {
  WriterConfig config{.soft_deletes_field = "gone"};
  IndexWriter writer(*directory, config);
  for (const char* id : {"a", "b", "c"}) add(writer, id, 0);
  writer.commit();
  set(writer, "a", 1, "gone");
  set(writer, "b", 1, "gone");
  writer.commit();
  EXPECT_EQ(newest_commit(*directory).segments.at(0).soft_del_count, 2u);
  set(writer, "a", 9);  // not live any more
  remove(writer, "b");
  writer.commit();
  EXPECT_EQ(newest_commit(*directory).segments.at(0).soft_del_count, 1u);
  EXPECT_EQ(newest_commit(*directory).segments.at(0).del_count, 1u);
  EXPECT_EQ(content(), "a=0 c=0");
  set(writer, "c", 1, "gone");
  writer.commit();
  EXPECT_TRUE(newest_commit(*directory).segments.empty());
}

TEST_F(WriterChanges, ImpossibleUpdatesAreRefusedByField) {
  WriterConfig config;
  config.index_sort = {{.field = "n", .doc_values = DocValuesType::kNumeric}};
  IndexWriter writer(*directory, config);
  FieldType point;
  point.doc_values = DocValuesType::kNumeric;
  point.point_dimensions = point.point_index_dimensions = 1;
  point.point_bytes = 8;
  const FieldDefinition with_point{"p", point};
  Document doc = document("a", 1);
  doc.add_long(with_point, 1);
  writer.add_document(doc);
  EXPECT_THROW(set(writer, "a", 1), InvalidArgument);        // sorted by
  EXPECT_THROW(set(writer, "a", 1, "p"), InvalidArgument);   // has points
  EXPECT_THROW(set(writer, "a", 1, "id"), InvalidArgument);  // has terms
  set(writer, "a", 1, "new");
  const DocValuesUpdate binary{"new", std::string_view("x")};
  EXPECT_THROW(writer.update_doc_values({"id", "a"}, {&binary, 1}), InvalidArgument);
  const std::string too_long(32'767, 'x');
  EXPECT_THROW(remove(writer, too_long), InvalidArgument);
  EXPECT_THROW(update(writer, too_long, 1), InvalidArgument);
  writer.commit();
  EXPECT_EQ(content(), "a=1");
}

TEST_F(WriterChanges, DeletesWorkAtTheDocumentLimitAndMakeRoom) {
  WriterConfig config;
  config.limits.max_documents = 4;
  IndexWriter writer(*directory, config);
  for (const char* id : {"a", "b"}) add(writer, id);
  writer.commit();
  for (const char* id : {"c", "d"}) add(writer, id);
  writer.commit();
  EXPECT_THROW(add(writer, "e"), LimitExceeded);
  EXPECT_THROW(update(writer, "a", 1), LimitExceeded);
  remove(writer, "a");
  remove(writer, "b");
  writer.commit();
  for (const char* id : {"e", "f"}) add(writer, id);
  EXPECT_THROW(add(writer, "g"), LimitExceeded);
  writer.delete_all();
  for (const char* id : {"h", "i", "j", "k"}) add(writer, id);
  EXPECT_THROW(add(writer, "l"), LimitExceeded);
  writer.commit();
  EXPECT_EQ(content(), "h=0 i=0 j=0 k=0");
}

// docs/bug_reports.md, 28.
TEST_F(WriterChanges, MemoryAndFilesStayFlatOverManyCyclesOfDeleteAndFlush) {
  IndexWriter writer(*directory, {});
  add(writer, "stays");
  writer.commit();
  uint64_t bytes = 0;
  uint64_t resident = 0;
  size_t count = 0;
  for (int cycle = 0; cycle < 10'000; ++cycle) {
    update(writer, "a", cycle);
    remove(writer, "b" + std::to_string(cycle));
    set(writer, "stays", cycle);
    writer.flush();
    if (cycle == 1000) {
      resident = resident_bytes();
      bytes = writer.ram_bytes_used();
      count = files().size();
    }
  }
  EXPECT_EQ(writer.ram_bytes_used(), bytes);
  EXPECT_EQ(files().size(), count);
  if (kMemoryIsOurs) {
    EXPECT_LT(resident_bytes(), resident + (uint64_t{2} << 20));
  }
  writer.commit();
  EXPECT_EQ(content(), "stays=9999 a=9999");
}

// Deletes alone fill the budget: they are applied, though nothing asks for a flush.
TEST_F(WriterChanges, DeletesWithoutDocumentsStayInTheBudget) {
  IndexWriter writer(*directory, {.ram_buffer_mb = 0.5});
  for (int i = 0; i < 200; ++i) add(writer, "doc" + std::to_string(i), i);
  uint64_t most = 0;
  for (int i = 0; i < 50'000; ++i) {
    remove(writer, "some longer name of a document " + std::to_string(i));
    if (i == 30'000) remove(writer, "doc7");
    most = std::max(most, writer.ram_bytes_used());
  }
  EXPECT_LT(most, uint64_t{600} << 10);
  writer.commit();
  EXPECT_EQ(live_content(*directory).size(), 199u);
}

}  // namespace
}  // namespace postern::index
