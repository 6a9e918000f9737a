// What the writer takes and refuses of vectors; their files are compared with Lucene's by
// tests/golden and tests/twin.
#include <gtest/gtest.h>

#include <limits>

#include "index/test_index.h"
#include "postern/error.h"

namespace postern::index {
namespace {

FieldType vectors_of(uint32_t dimension) {
  FieldType type;
  type.vector_dimension = dimension;
  return type;
}

std::string refusal(IndexWriter& writer, const FieldDefinition& field, std::span<const float> v) {
  Document document;
  document.add_vector(field, v);
  try {
    writer.add_document(document);
  } catch (const InvalidDocument& e) {
    return e.what();
  }
  return "";
}

TEST(KnnFlush, LimitsAndContradictionsAreRefusedAndTheWriterGoesOn) {
  const auto directory = memory_directory();
  const FieldDefinition good("good", vectors_of(1024)), large("large", vectors_of(1025)),
      other("good", vectors_of(2)), three("three", vectors_of(3));
  FieldType stored_type = vectors_of(2);
  stored_type.stored = true;
  const FieldDefinition stored("stored", stored_type);
  const std::vector<float> v(1025, 0.5f);
  IndexWriter writer(*directory, {});
  EXPECT_EQ(refusal(writer, good, std::span(v).first(1024)), "");
  EXPECT_EQ(refusal(writer, large, v),
            "field \"large\": vectors of 1025 dimensions, the limit is 1024");
  EXPECT_NE(refusal(writer, other, std::span(v).first(2)).find("vector dimension"),
            std::string::npos);
  EXPECT_NE(refusal(writer, stored, std::span(v).first(2)).find("a vector is not indexed, stored"),
            std::string::npos);
  // Such values never become documents.
  const uint64_t before = writer.max_doc();
  const std::vector<float> nan{1, std::numeric_limits<float>::quiet_NaN(), 2};
  EXPECT_NE(refusal(writer, three, nan).find("component 1 of the vector is nan"),
            std::string::npos);
  EXPECT_EQ(writer.max_doc(), before);
  EXPECT_EQ(refusal(writer, good, std::span(v).first(1024)), "");
  writer.close();
  const codec::SegmentCommitInfo segment = newest_commit(*directory).segments.at(0);
  EXPECT_EQ(segment.info.max_doc - segment.del_count, 2u);
}

// The graph that a flush will build counts against the budget before.
TEST(KnnFlush, VectorsAndTheirGraphMakeSegmentsEnd) {
  const auto directory = memory_directory();
  const FieldDefinition field("v", vectors_of(4));
  WriterConfig config;
  config.ram_buffer_mb = 1;
  IndexWriter writer(*directory, config);
  const std::vector<float> v{1, 2, 3, 4};
  uint64_t added = 0;
  while (writer.segment_count() == 0 && added < 50000) {
    ASSERT_EQ(refusal(writer, field, v), "");
    ++added;
  }
  // 16 bytes of each are the vector; the graph's links alone take 256.
  EXPECT_LT(added, (1u << 20) / 256);
}

}  // namespace
}  // namespace postern::index
