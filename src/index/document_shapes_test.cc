// A document with the definitions of the one before is not checked again (document_buffer.cc): the
// answers must be those of a document that is.
#include <gtest/gtest.h>

#include "index/test_index.h"
#include "postern/error.h"

namespace postern::index {
namespace {

FieldType point_type() {
  FieldType type;
  type.point_dimensions = 1;
  type.point_index_dimensions = 1;
  type.point_bytes = 4;
  return type;
}

class Shapes : public testing::Test {
 protected:
  // t: the term of field "f", p: its point, o: another field. Whether the document was taken.
  bool add(const std::string& shape) {
    Document document;
    for (char c : shape) {
      if (c == 't') document.add_text(term, "a term");
      if (c == 'p') document.add_int(point, 7);
      if (c == 'o') document.add_text(other, "another");
    }
    try {
      writer.add_document(document);
      return true;
    } catch (const SchemaConflict&) {
      return false;
    }
  }

  FieldDefinition term{"f", stored_keyword()};
  FieldDefinition point{"f", point_type()};
  FieldDefinition other{"o", stored_keyword()};
  std::unique_ptr<Directory> directory = memory_directory();
  IndexWriter writer{*directory, {}};
};

TEST_F(Shapes, ARefusedOneIsRefusedEachTime) {
  EXPECT_TRUE(add("tp"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(add("t"));
    EXPECT_FALSE(add("t"));
    EXPECT_TRUE(add("tp"));
    EXPECT_TRUE(add("tp"));
    EXPECT_FALSE(add("p"));
    EXPECT_TRUE(add("pt"));
    EXPECT_FALSE(add("ot"));
    EXPECT_TRUE(add("o"));
    EXPECT_TRUE(add("o"));
    EXPECT_TRUE(add("tpo"));
  }
  writer.close();
  EXPECT_EQ(live_ids(*directory).size(), 19u);
}

TEST_F(Shapes, ANewSegmentLearnsThemAnew) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(add("tp"));
    EXPECT_TRUE(add("tp"));
    writer.flush();
    EXPECT_FALSE(add("t"));
  }
  writer.close();
  EXPECT_EQ(live_ids(*directory).size(), 6u);
}

TEST_F(Shapes, AnEmptyDocumentIsOneToo) {
  EXPECT_TRUE(add(""));
  EXPECT_TRUE(add(""));
  EXPECT_TRUE(add("tp"));
  EXPECT_TRUE(add(""));
  EXPECT_TRUE(add("tp"));
  writer.close();
  EXPECT_EQ(newest_commit(*directory).segments.at(0).info.max_doc, 5u);
}

}  // namespace
}  // namespace postern::index
