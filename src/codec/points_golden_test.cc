// Points that Lucene wrote: read, and written again as the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "codec/points_test_support.h"

namespace postern::codec {
namespace {

using testing::FieldPoints;
using testing::Point;
using testing::read_points;

store::ObjectId id_of(const Directory& directory, const std::string& meta_file) {
  const auto file = directory.open(meta_file);
  store::ObjectId id;
  // Behind the magic number, the codec name with its length, and the version.
  std::memcpy(id.data(), file->bytes().data() + 9 + std::strlen(kPointsMetaCodec), id.size());
  return id;
}

TEST(PointsGolden, WrittenAgainTheyAreTheSameFiles) {
  size_t trees = 0;
  size_t rewritten = 0;
  for (const auto& [folder, segment] : testing::golden_segments(".kdm")) {
    SCOPED_TRACE(folder);
    const auto golden = open_directory(folder);
    const store::ObjectId id = id_of(*golden, segment + ".kdm");
    const PointsReader reader(*golden, segment, id, 1 << 20);
    std::vector<FieldPoints> fields;
    bool order_is_known = true;
    for (const PointsEntry& entry : reader.entries()) {
      std::vector<Point> points = read_points(reader, entry);
      // As they arrived, unless points of one document lie in several dimensions: those that tie
      // come in another order, and golden_test.py is their test.
      std::ranges::stable_sort(points, {}, &Point::doc);
      order_is_known &= entry.shape.dimensions == 1 || points.size() == entry.doc_count;
      EXPECT_EQ(testing::distinct_docs(points), entry.doc_count);
      fields.push_back({entry.field_number, entry.shape, std::move(points)});
      ++trees;
    }
    if (!order_is_known) continue;
    ++rewritten;
    const auto ours = memory_directory();
    testing::write_points(*ours, segment, id, fields);
    for (const char* extension : {".kdd", ".kdi", ".kdm"}) {
      EXPECT_EQ(testing::read_file(*ours, segment + extension),
                testing::read_file(*golden, segment + extension))
          << extension;
    }
  }
  EXPECT_GE(trees, 15u);
  EXPECT_GE(rewritten, 1u);
}

}  // namespace
}  // namespace postern::codec
