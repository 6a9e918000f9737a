// Scores of docs/formats/40 §5, on sums that are exact.
#include "codec/vector_scorer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace postern::codec {
namespace {

const uint32_t kAll[] = {0, 1, 2, 3};

std::vector<float> scores_of_floats(VectorSimilarity similarity, const std::vector<float>& vectors,
                                    uint32_t ord) {
  const VectorRows rows{reinterpret_cast<const uint8_t*>(vectors.data()), 4, 2,
                        VectorEncoding::kFloat32};
  std::vector<float> out(4);
  VectorScorer(rows, similarity).score(ord, kAll, 4, out.data());
  return out;
}
std::vector<float> scores_of_bytes(VectorSimilarity similarity, const std::vector<int8_t>& vectors,
                                   uint32_t ord) {
  const VectorRows rows{reinterpret_cast<const uint8_t*>(vectors.data()), 4, 2,
                        VectorEncoding::kByte};
  std::vector<float> out(4);
  VectorScorer(rows, similarity).score(ord, kAll, 4, out.data());
  return out;
}

using Scores = std::vector<float>;

TEST(VectorScorer, Floats) {
  const std::vector<float> v{3, 4, -3, -4, 0, 0, 4, -3};  // 25 = |v|^2 but for the zero vector
  EXPECT_EQ(scores_of_floats(VectorSimilarity::kEuclidean, v, 0),
            (Scores{1, 1.0f / 101, 1.0f / 26, 1.0f / 51}));
  EXPECT_EQ(scores_of_floats(VectorSimilarity::kDotProduct, v, 0), (Scores{13, 0, 0.5, 0.5}));
  EXPECT_EQ(scores_of_floats(VectorSimilarity::kCosine, v, 0), (Scores{1, 0, kNoScore, 0.5}));
  EXPECT_EQ(scores_of_floats(VectorSimilarity::kMaxInnerProduct, v, 0),
            (Scores{26, 1.0f / 26, 1, 1}));
}

TEST(VectorScorer, Bytes) {
  const std::vector<int8_t> v{3, 4, -3, -4, 0, 0, 4, -3};
  EXPECT_EQ(scores_of_bytes(VectorSimilarity::kEuclidean, v, 0),
            (Scores{1, 1.0f / 101, 1.0f / 26, 1.0f / 51}));
  EXPECT_EQ(scores_of_bytes(VectorSimilarity::kDotProduct, v, 0),
            (Scores{0.5f + 25.0f / 65536, 0.5f - 25.0f / 65536, 0.5, 0.5}));
  EXPECT_EQ(scores_of_bytes(VectorSimilarity::kCosine, v, 0), (Scores{1, 0, kNoScore, 0.5}));
  EXPECT_EQ(scores_of_bytes(VectorSimilarity::kMaxInnerProduct, v, 0),
            (Scores{26, 1.0f / 26, 1, 1}));
}

// Sums of finite floats may not be finite.
TEST(VectorScorer, OverflowIsNeverNaN) {
  const std::vector<float> v{3e38f, 3e38f, -3e38f, 3e38f, 3e38f, -3e38f, 1, 1};
  for (const VectorSimilarity similarity :
       {VectorSimilarity::kEuclidean, VectorSimilarity::kDotProduct, VectorSimilarity::kCosine,
        VectorSimilarity::kMaxInnerProduct}) {
    for (uint32_t ord = 0; ord < 4; ++ord) {
      for (float score : scores_of_floats(similarity, v, ord)) {
        EXPECT_FALSE(std::isnan(score)) << static_cast<int>(similarity);
        EXPECT_GE(score, kNoScore);
      }
    }
  }
}

}  // namespace
}  // namespace postern::codec
