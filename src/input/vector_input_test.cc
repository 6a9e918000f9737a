// KNN vectors in schemas and JSON Lines.
#include <gtest/gtest.h>

#include "input/test_support.h"
#include "postern/error.h"

namespace postern::input {
namespace {

class VectorInput : public testing::Test {
 protected:
  std::string one(std::string_view line) {
    const Steps steps = read_text(InputKind::kJsonLines, *schema_, line, {});
    return steps.size() == 1 ? steps[0] : fmt::format("{} steps", steps.size());
  }
  void expect_refused(std::string_view line, std::string_view why) {
    EXPECT_NE(one(line).find(why), std::string::npos) << one(line);
  }
  static std::string refusal(std::string_view keys) {
    try {
      Schema::parse(fmt::format(R"({{"fields": [{{"name": "f", {}}}]}})", keys), "s.json");
    } catch (const InvalidArgument& e) {
      return e.what();
    }
    return "";
  }

  std::unique_ptr<Schema> schema_ = Schema::parse(
      R"({"fields": [{"name": "f", "type": "knn_vector", "dimension": 3},
                     {"name": "b", "type": "knn_vector", "dimension": 2, "element_type": "byte",
                      "similarity": "cosine"}]})",
      "schema");
};

TEST_F(VectorInput, SchemaKeysBecomeTypes) {
  const FieldType floats = schema_->find("f")->definition.type();
  EXPECT_EQ(floats.vector_dimension, 3u);
  EXPECT_EQ(floats.vector_encoding, VectorEncoding::kFloat32);
  EXPECT_EQ(floats.vector_similarity, VectorSimilarity::kEuclidean);
  EXPECT_FALSE(floats.indexed());
  const FieldType bytes = schema_->find("b")->definition.type();
  EXPECT_EQ(bytes.vector_encoding, VectorEncoding::kByte);
  EXPECT_EQ(bytes.vector_similarity, VectorSimilarity::kCosine);
  for (const auto& [name, similarity] :
       {std::pair{"l2", VectorSimilarity::kEuclidean},
        std::pair{"dot_product", VectorSimilarity::kDotProduct},
        std::pair{"max_inner_product", VectorSimilarity::kMaxInnerProduct}}) {
    const auto schema = Schema::parse(
        fmt::format(R"({{"fields": [{{"name": "f", "type": "knn_vector", "dimension": 1024,
                        "element_type": "float32", "similarity": "{}"}}]}})",
                    name),
        "s");
    EXPECT_EQ(schema->find("f")->definition.type().vector_similarity, similarity);
  }
}

TEST_F(VectorInput, SchemaMistakesSayWhatToWrite) {
  EXPECT_EQ(refusal(R"("type": "knn_vector")"),
            "s.json: field \"f\": a knn_vector needs \"dimension\", the numbers of each vector");
  EXPECT_NE(
      refusal(R"("type": "knn_vector", "dimension": 1025)").find("from 1 to 1024, got \"1025\""),
      std::string::npos);
  EXPECT_NE(refusal(R"("type": "knn_vector", "dimension": 2, "similarity": "euclidean")")
                .find("known: l2, cosine, dot_product, max_inner_product"),
            std::string::npos);
  EXPECT_NE(refusal(R"("type": "knn_vector", "dimension": 2, "element_type": "float")")
                .find("known: float32, byte"),
            std::string::npos);
  EXPECT_NE(refusal(R"("type": "knn_vector", "dimension": 2, "store": true)")
                .find("\"store\" does not go with type knn_vector"),
            std::string::npos);
  EXPECT_NE(refusal(R"("type": "knn_vector", "dimension": 2, "doc_values": true)")
                .find("\"doc_values\" does not go with type knn_vector"),
            std::string::npos);
  EXPECT_EQ(
      refusal(R"("type": "keyword", "dimension": 2)"),
      "s.json: field \"f\": \"dimension\" needs \"type\": \"knn_vector\"; dimensions of points "
      "are \"dims\"");
  EXPECT_EQ(refusal(R"("type": "float", "similarity": "l2")"),
            "s.json: field \"f\": \"similarity\" needs \"type\": \"knn_vector\"");
}

TEST_F(VectorInput, ArraysOfNumbersBecomeVectors) {
  EXPECT_EQ(one(R"({"f": [1, -0.5, 1e-3], "b": [ -128 , 127 ]})"),
            "f=floats:1,-0.5,0.001 b=bytes:-128,127");
  EXPECT_EQ(one(R"({"f": ["1", 2, 3]})"), "f=floats:1,2,3");
  EXPECT_EQ(one(R"({"f": [], "b": null})"), "");
  EXPECT_EQ(one(R"({"f": [0, 0, 0], "f": [1, 1, 1]})"), "f=floats:0,0,0 f=floats:1,1,1");
}

TEST_F(VectorInput, OtherValuesSayWhatTheFieldTakes) {
  expect_refused(R"({"f": [1, 2]})", "a vector of 2 numbers; the schema says \"dimension\": 3");
  expect_refused(R"({"f": [1, 2, 3, 4]})", "a vector of 4 numbers or more; the schema says");
  expect_refused(R"({"f": 7})", "not an array of 3 numbers: \"7\"");
  expect_refused(R"({"f": "x"})", "not an array of 3 numbers: \"x\"");
  expect_refused(R"({"f": true})", "not a number: true");
  expect_refused(R"({"f": {"a": 1}})", "not a knn_vector but an object");
  expect_refused(R"({"f": [1, null, 2]})", "not a number: null");
  expect_refused(R"({"f": [[1, 2, 3]]})", "not a number");
  expect_refused(R"({"f": [1, "NaN", 2]})", "component 1 is NaN, which is not a finite float");
  expect_refused(R"({"f": [1, 2, 1e39]})", "component 2 is 1e39, which is not a finite float");
  expect_refused(R"({"b": [1, 128]})",
                 "component 1 is 128; a vector of bytes takes whole numbers from -128 to 127");
  expect_refused(R"({"b": [0.5, 1]})", "component 0 is 0.5; a vector of bytes takes whole numbers");
}

}  // namespace
}  // namespace postern::input
