// The vectors and graphs of Lucene's own index tests/golden/knn: read, rebuilt from the vectors
// alone and written again, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "codec/field_infos.h"
#include "codec/golden_index.h"
#include "codec/hnsw_builder.h"
#include "codec/hnsw_reader.h"
#include "codec/hnsw_writer.h"
#include "codec/segment_commit.h"
#include "codec/test_files.h"
#include "codec/vector_format.h"
#include "codec/vector_reader.h"
#include "codec/vector_writer.h"

namespace postern::codec {
namespace {

struct GoldenVectors : ::testing::Test {
  std::unique_ptr<Directory> directory = open_directory(golden_index("knn").string());
  Commit commit = read_commit(*directory, latest_generation(*directory).value());

  struct Field {
    const FieldInfo* info;
    std::vector<uint32_t> docs;
    std::vector<float> aligned;  // the vectors, wherever they lie in the file
    VectorRows rows;
  };

  // In the order in which the files have them.
  static std::vector<Field> fields_of(const VectorReader& reader, const FieldInfos& infos) {
    std::vector<Field> fields;
    for (const FieldInfo& info : infos.fields) {
      const VectorEntry* entry = reader.find(info.number);
      if (entry == nullptr) continue;
      Field field{&info, {}, {}, {}};
      reader.visit_docs(*entry, [&](uint32_t doc) { field.docs.push_back(doc); });
      const auto bytes = reader.vectors(*entry);
      field.aligned.resize(bytes.size() / sizeof(float) + 1);
      if (!bytes.empty()) std::memcpy(field.aligned.data(), bytes.data(), bytes.size());
      fields.push_back(std::move(field));
    }
    std::ranges::sort(fields, {},
                      [&](const Field& f) { return reader.find(f.info->number)->offset; });
    for (Field& field : fields) {
      field.rows = {reinterpret_cast<const uint8_t*>(field.aligned.data()),
                    static_cast<uint32_t>(field.docs.size()), field.info->vector_dimension,
                    field.info->vector_encoding};
    }
    return fields;
  }
};

TEST_F(GoldenVectors, RebuiltFilesAreByteIdentical) {
  size_t graphs = 0, vectors = 0;
  for (const SegmentCommitInfo& segment : commit.segments) {
    const SegmentInfo& info = segment.info;
    const FieldInfos infos = read_field_infos(*directory, info.name, info.id, "");
    const VectorReader reader(*directory, info.name, info.id, infos, info.max_doc);
    const auto copy = memory_directory();
    const SegmentContext context{*copy, info.name, info.id, info.max_doc};
    VectorWriter flat(context);
    HnswWriter hnsw(context);
    for (const Field& field : fields_of(reader, infos)) {
      const bool all = field.rows.count == info.max_doc;
      flat.add_field(*field.info, {field.docs, all}, field.rows);
      vectors += field.rows.count;
      if (!wants_graph(field.rows.count)) {
        hnsw.add_field(*field.info, field.rows.count, nullptr);
        continue;
      }
      const VectorScorer scorer(field.rows, field.info->vector_similarity);
      const HnswGraph graph = HnswBuilder(scorer).build();
      hnsw.add_field(*field.info, field.rows.count, &graph);
      ++graphs;
    }
    flat.close();
    hnsw.close();
    for (const char* extension :
         {kVectorDataExtension, kVectorMetaExtension, kGraphDataExtension, kGraphMetaExtension}) {
      const std::string name = segment_file(info.name, kVectorSuffix, extension);
      EXPECT_TRUE(testing::read_file(*copy, name) == testing::read_file(*directory, name)) << name;
    }
  }
  EXPECT_GE(graphs, 4u);
  EXPECT_GE(vectors, 3000u);
}

TEST_F(GoldenVectors, ReadListsAreThoseOfTheGraph) {
  size_t lists = 0;
  for (const SegmentCommitInfo& segment : commit.segments) {
    const SegmentInfo& info = segment.info;
    const FieldInfos infos = read_field_infos(*directory, info.name, info.id, "");
    const VectorReader vectors(*directory, info.name, info.id, infos, info.max_doc);
    const HnswReader reader(*directory, info.name, info.id, infos, info.max_doc);
    for (const Field& field : fields_of(vectors, infos)) {
      const GraphEntry* entry = reader.find(field.info->number);
      ASSERT_NE(entry, nullptr);
      EXPECT_EQ(entry->levels != 0, wants_graph(field.rows.count));
      if (entry->levels == 0) continue;
      const VectorScorer scorer(field.rows, field.info->vector_similarity);
      const HnswGraph graph = HnswBuilder(scorer).build();
      ASSERT_EQ(entry->levels, graph.levels());
      EXPECT_EQ(entry->entry_node(), graph.levels() == 1 ? 0 : graph.nodes(graph.levels() - 1)[0]);
      for (uint32_t level = 0; level < entry->levels; ++level) {
        for (uint32_t place = 0; place < entry->nodes(level); ++place) {
          const uint32_t node = level == 0 ? place : graph.nodes(level)[place];
          std::vector<uint32_t> read;
          reader.read_neighbours(*entry, level, place, read);
          const auto links = graph.neighbours(level, node);
          std::vector<uint32_t> expected(links.begin(), links.end());
          std::ranges::sort(expected);
          ASSERT_EQ(read, expected) << node << " on level " << level;
          ++lists;
        }
      }
    }
  }
  EXPECT_GE(lists, 3000u);
}

// Each byte of the metadata changed: refused, or read without harm.
TEST_F(GoldenVectors, DamagedMetadataIsRefused) {
  const SegmentInfo& info = commit.segments.front().info;
  const FieldInfos infos = read_field_infos(*directory, info.name, info.id, "");
  size_t refused = 0;
  for (const char* damaged : {kVectorMetaExtension, kGraphMetaExtension}) {
    const auto copy = memory_directory();
    for (const char* extension :
         {kVectorDataExtension, kVectorMetaExtension, kGraphDataExtension, kGraphMetaExtension}) {
      const std::string name = segment_file(info.name, kVectorSuffix, extension);
      testing::write_file(*copy, name, testing::read_file(*directory, name));
    }
    const std::string name = segment_file(info.name, kVectorSuffix, damaged);
    const testing::Bytes good = testing::read_file(*copy, name);
    for (size_t at = 0; at < good.size(); ++at) {
      testing::Bytes bad = good;
      bad[at] ^= 0x11;
      if (at + 8 < bad.size()) testing::fix_checksum(bad);
      copy->remove(name);
      testing::write_file(*copy, name, bad);
      try {
        const VectorReader vectors(*copy, info.name, info.id, infos, info.max_doc);
        const HnswReader graphs(*copy, info.name, info.id, infos, info.max_doc);
        std::vector<uint32_t> list;
        for (const FieldInfo& field : infos.fields) {
          const VectorEntry* entry = vectors.find(field.number);
          if (entry == nullptr) continue;
          vectors.visit_docs(*entry, [](uint32_t) {});
          const GraphEntry* graph = graphs.find(field.number);
          for (uint64_t place = 0; graph->levels != 0 && place < graph->count; ++place)
            graphs.read_neighbours(*graph, 0, place, list);
        }
      } catch (const CorruptIndex& e) {
        EXPECT_NE(std::string(e.what()).find("_0_Lucene99"), std::string::npos) << e.what();
        ++refused;
      } catch (const NotSupported&) {
        ++refused;
      }
    }
  }
  EXPECT_GE(refused, 300u);
}

}  // namespace
}  // namespace postern::codec
