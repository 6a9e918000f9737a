// The graph and its files against the example of docs/formats/40 §7 and the numbers of §3-4.
#include <gtest/gtest.h>

#include "codec/hnsw_builder.h"
#include "codec/hnsw_writer.h"
#include "codec/test_files.h"
#include "codec/vector_format.h"
#include "codec/vector_writer.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::from_hex;
using testing::to_hex;

TEST(Hnsw, LevelsAreThoseLuceneDraws) {
  const auto levels = draw_levels(20000, {});
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].size(), 1259u);
  EXPECT_EQ(levels[1].size(), 69u);
  EXPECT_EQ(levels[2], (std::vector<uint32_t>{6566, 10500}));
  EXPECT_EQ(std::vector<uint32_t>(levels[0].begin(), levels[0].begin() + 5),
            (std::vector<uint32_t>{4, 54, 59, 63, 80}));
  EXPECT_EQ(std::vector<uint32_t>(levels[1].begin(), levels[1].begin() + 3),
            (std::vector<uint32_t>{171, 215, 920}));
  EXPECT_TRUE(draw_levels(4, {}).empty());
}

TEST(Hnsw, SmallFieldsGetNoGraph) {
  EXPECT_FALSE(wants_graph(0));
  EXPECT_FALSE(wants_graph(1));
  EXPECT_FALSE(wants_graph(647));
  EXPECT_TRUE(wants_graph(648));
  EXPECT_FALSE(wants_graph(0, {.threshold = 0}));
  EXPECT_TRUE(wants_graph(1, {.threshold = 0}));
}

struct Example : ::testing::Test {
  // Documents 0, 1, 2, 4, 5 and 6 of seven.
  Bytes vectors;
  std::vector<uint32_t> docs{0, 1, 2, 4, 5, 6};
  std::unique_ptr<Directory> directory = memory_directory();
  SegmentContext context{*directory, "_0", testing::test_id(), 7};
  FieldInfo field;

  void SetUp() override {
    for (uint32_t d : docs) {
      vectors.push_back(static_cast<uint8_t>(d * d));
      vectors.push_back(static_cast<uint8_t>(10 - d));
    }
    field.name = "v";
    field.vector_dimension = 2;
    field.vector_encoding = VectorEncoding::kByte;
  }
  VectorRows rows() const { return {vectors.data(), 6, 2, VectorEncoding::kByte}; }
  HnswGraph graph() const {
    const VectorRows all = rows();
    const VectorScorer scorer(all, VectorSimilarity::kEuclidean);
    return HnswBuilder(scorer, {.max_connections = 2, .beam_width = 10, .threshold = 0}).build();
  }
  std::string body(const char* extension, const char* codec) const {
    const Bytes file = testing::read_file(*directory, segment_file("_0", kVectorSuffix, extension));
    const size_t header = store::index_header_length(codec, kVectorSuffix);
    return to_hex({file.data() + header, file.size() - header - store::kFooterLength});
  }
};

TEST_F(Example, VectorFilesAreLucenes) {
  VectorWriter writer(context);
  writer.add_field(field, {docs, false}, rows());
  writer.close();
  EXPECT_EQ(body("vec", kVectorDataCodec),
            to_hex(from_hex("00 00"
                            "00 0a 01 09 04 08 10 06 19 05 24 04"
                            "00 00 05 00 00 00 01 00 02 00 04 00 05 00 06 00 ff 7f 00 00 ff ff"
                            "18")));
  EXPECT_EQ(body("vemf", kVectorMetaCodec),
            to_hex(from_hex("00 00 00 00 00 00 00 00 00 00 00 00"
                            "54 0c 02 06 00 00 00"
                            "60 00 00 00 00 00 00 00 16 00 00 00 00 00 00 00 00 00 09"
                            "76 00 00 00 00 00 00 00 10"
                            "00 00 00 00 00 00 00 00 9a 99 99 3f 00 00 00 00 00 00 00 00 01"
                            "01 00 00 00 00 00 00 00"
                            "ff ff ff ff")));
}

TEST_F(Example, GraphFilesAreLucenes) {
  HnswWriter writer(context);
  const HnswGraph built = graph();
  writer.add_field(field, 6, &built);
  writer.close();
  EXPECT_EQ(body("vex", kGraphDataCodec),
            to_hex(from_hex("01 01 02 00 02 02 01 02 02 02 02 02 03 02 01 04"
                            "01 02 02 01 02 02 02 02 01 03"
                            "01 04 01 01 00 00"
                            "50 ae be 02")));
  EXPECT_EQ(body("vem", kGraphMetaCodec),
            to_hex(from_hex("00 00 00 00 00 00 00 00 00 00 00 00"
                            "53 20 02 06 00 00 00"
                            "02 05"
                            "04 01 01 01 01 02 01 03 01 04 01 04"
                            "73 00 00 00 00 00 00 00 10"
                            "00 00 00 00 00 00 00 00 8a 9d 18 40 00 00 00 00 00 00 00 00 02"
                            "04 00 00 00 00 00 00 00"
                            "ff ff ff ff")));
}

TEST_F(Example, WithoutAGraphTheEntryEndsEarly) {
  HnswWriter writer(context);
  writer.add_field(field, 6, nullptr);
  writer.close();
  EXPECT_EQ(body("vex", kGraphDataCodec), "");
  EXPECT_EQ(body("vem", kGraphMetaCodec),
            to_hex(from_hex("00 00 00 00 00 00 00 00 00 00 00 00"
                            "53 00 02 06 00 00 00 10 00 ff ff ff ff")));
}

// Zero vectors have no cosine with any other (docs/formats/40 §5.2); their scores are the worst.
TEST(Hnsw, VectorsWithoutAScoreAreNodesLikeOthers) {
  std::vector<int8_t> vectors;
  for (int i = 0; i < 700; ++i) {
    for (int j = 0; j < 3; ++j)
      vectors.push_back(static_cast<int8_t>(i % 5 == 0 ? 0 : (i * (j + 7)) % 50 + 1));
  }
  const VectorRows rows{reinterpret_cast<const uint8_t*>(vectors.data()), 700, 3,
                        VectorEncoding::kByte};
  const VectorScorer scorer(rows, VectorSimilarity::kCosine);
  const HnswGraph graph = HnswBuilder(scorer).build();
  for (uint32_t node = 0; node < 700; ++node) {
    for (uint32_t neighbour : graph.neighbours(0, node)) EXPECT_LT(neighbour, 700u);
    EXPECT_GE(graph.neighbours(0, node).size(), 1u) << node;
  }
}

}  // namespace
}  // namespace postern::codec
