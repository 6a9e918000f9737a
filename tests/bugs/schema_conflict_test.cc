// Row 46 of docs/bug_reports.md: a field changes its options between values, documents, segments or
// writers. The rules are docs/formats/02 §8.
#include <gtest/gtest.h>

#include "index/test_index.h"

namespace postern {
namespace {

FieldType indexed(IndexOptions options) {
  FieldType type;
  type.index_options = options;
  return type;
}
FieldType only_stored() {
  FieldType type;
  type.stored = true;
  return type;
}

class SchemaConflictReports : public testing::Test {
 protected:
  // The error of a document with these values, empty if it is taken.
  std::string add(IndexWriter& writer, const std::vector<const FieldDefinition*>& values) {
    ++added_;
    const std::string id = std::to_string(added_);
    Document document;
    document.add_text(fields_.id, id);
    for (const FieldDefinition* field : values) document.add_text(*field, "value");
    try {
      writer.add_document(document);
    } catch (const SchemaConflict& error) {
      return error.what();
    }
    taken_.push_back(id);
    return "";
  }
  static bool names(const std::string& error, std::initializer_list<const char*> parts) {
    for (const char* part : parts) {
      if (error.find(part) == std::string::npos) return false;
    }
    return true;
  }

  index::TestFields fields_;
  std::shared_ptr<const Analyzer> analyzer_ = standard_analyzer();
  FieldDefinition positions_{"f", indexed(IndexOptions::kPositions), analyzer_};
  FieldDefinition offsets_{"f", indexed(IndexOptions::kOffsets), analyzer_};
  FieldDefinition stored_{"f", only_stored(), analyzer_};
  std::unique_ptr<Directory> directory_ = memory_directory();
  uint64_t added_ = 0;
  std::vector<std::string> taken_;
};

TEST_F(SchemaConflictReports, BetweenTwoValuesOfADocument) {
  IndexWriter writer(*directory_, {});
  EXPECT_TRUE(names(add(writer, {&positions_, &offsets_}), {"f", "index options"}));
  EXPECT_EQ(add(writer, {&positions_, &stored_}), "");
  writer.close();
  EXPECT_EQ(index::live_ids(*directory_), taken_);
}

TEST_F(SchemaConflictReports, BetweenTwoDocumentsOfASegment) {
  IndexWriter writer(*directory_, {});
  EXPECT_EQ(add(writer, {&positions_}), "");
  EXPECT_TRUE(names(add(writer, {&offsets_}), {"f", "index options"}));
  EXPECT_FALSE(add(writer, {&stored_}).empty());
  EXPECT_EQ(add(writer, {&positions_}), "");
  EXPECT_EQ(add(writer, {}), "");
  writer.close();
  EXPECT_EQ(index::live_ids(*directory_), taken_);
}

TEST_F(SchemaConflictReports, BetweenTwoSegments) {
  IndexWriter writer(*directory_, {});
  EXPECT_EQ(add(writer, {&positions_}), "");
  writer.flush();
  EXPECT_TRUE(names(add(writer, {&offsets_}), {"f", "index options"}));
  EXPECT_EQ(add(writer, {&positions_}), "");
  writer.close();
  EXPECT_EQ(index::live_ids(*directory_), taken_);
}

TEST_F(SchemaConflictReports, BetweenTwoWriters) {
  {
    IndexWriter writer(*directory_, {});
    EXPECT_EQ(add(writer, {&positions_}), "");
    writer.close();
  }
  IndexWriter writer(*directory_, {});
  EXPECT_TRUE(names(add(writer, {&offsets_}), {"f", "index options"}));
  EXPECT_FALSE(add(writer, {&stored_}).empty());
  EXPECT_EQ(add(writer, {&positions_}), "");
  writer.close();
  EXPECT_EQ(index::live_ids(*directory_), taken_);
}

TEST_F(SchemaConflictReports, ARefusedDocumentsFieldKeepsItsSchemaOnceItIsMade) {
  IndexWriter writer(*directory_, {});
  const std::string immense(32767, 'x');
  FieldDefinition keyword("k", index::stored_keyword());
  Document document;
  document.add_text(positions_, "value");
  document.add_text(keyword, immense);
  EXPECT_THROW(writer.add_document(document), InvalidDocument);
  EXPECT_FALSE(add(writer, {&offsets_}).empty());
  EXPECT_EQ(add(writer, {&positions_}), "");
  writer.close();
  EXPECT_EQ(index::live_ids(*directory_), taken_);
}

}  // namespace
}  // namespace postern
