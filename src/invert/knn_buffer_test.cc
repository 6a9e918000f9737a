#include "invert/knn_buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "postern/error.h"

namespace postern::invert {
namespace {

FieldType vectors_of(uint32_t dimension, VectorEncoding encoding) {
  FieldType type;
  type.vector_dimension = dimension;
  type.vector_encoding = encoding;
  return type;
}

struct KnnBuffering : ::testing::Test {
  FieldDefinition floats{"v", vectors_of(3, VectorEncoding::kFloat32)};
  FieldDefinition bytes{"b", vectors_of(2, VectorEncoding::kByte)};
  Document document;

  const FieldValue& value(const FieldDefinition& field, const std::vector<float>& components) {
    document.add_vector(field, std::span(components));
    return document.values().back();
  }
  std::string refusal(const FieldValue& v) {
    try {
      check_vector(v);
    } catch (const InvalidDocument& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(KnnBuffering, ValuesOfTheRightShapePass) {
  const std::vector<float> edges{-0.0f, std::numeric_limits<float>::max(),
                                 std::numeric_limits<float>::denorm_min()};
  EXPECT_EQ(refusal(value(floats, edges)), "");
  const std::vector<int8_t> two{-128, 127};
  document.add_vector(bytes, two);
  EXPECT_EQ(refusal(document.values().back()), "");
  EXPECT_EQ(refusal({.field = &floats, .kind = ValueKind::kText}),
            "field \"v\": the field takes vectors of floats");
}

TEST_F(KnnBuffering, OthersAreRefusedWithTheReason) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal(value(floats, {1, nan, 2})),
            "field \"v\": component 1 of the vector is nan; vectors are made of finite numbers");
  EXPECT_NE(refusal(value(floats, {1, 2, -infinity})).find("component 2 of the vector is -inf"),
            std::string::npos);
  EXPECT_EQ(refusal(value(floats, {1, 2})),
            "field \"v\": a vector of 2 components; the field's have 3");
  EXPECT_EQ(refusal(value(bytes, {1, 2})), "field \"b\": the field takes vectors of bytes");
  const FieldDefinition plain("p", FieldType{});
  EXPECT_EQ(refusal(value(plain, {1})),
            "field \"p\": a vector for a field without a vector dimension");
}

TEST_F(KnnBuffering, KeepsVectorsInOrderOfArrivalAndOnePerDocument) {
  memory::MemoryCounter counter;
  KnnBuffer buffer(counter, "v", 0);
  const std::vector<float> a{1, 2, 3}, b{4, 5, 6};
  buffer.add(2, value(floats, a));
  EXPECT_THROW(buffer.add(2, value(floats, b)), InvalidDocument);
  buffer.add(7, value(floats, b));
  EXPECT_EQ(buffer.size(), 2u);
  EXPECT_EQ(std::vector<uint32_t>(buffer.docs().begin(), buffer.docs().end()),
            (std::vector<uint32_t>{2, 7}));
  float kept[6];
  std::memcpy(kept, buffer.vectors(), sizeof kept);
  EXPECT_EQ(std::vector<float>(kept, kept + 6), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(KnnBuffering, ChargesTheGraphThatWillBeBuilt) {
  memory::MemoryCounter plain, with_graph;
  {
    KnnBuffer a(plain, "v", 0), b(with_graph, "v", 300);
    const std::vector<float> v{1, 2, 3};
    for (uint32_t doc = 0; doc < 1000; ++doc) {
      a.add(doc, value(floats, v));
      b.add(doc, value(floats, v));
    }
    EXPECT_GE(plain.bytes(), 1000 * (12 + 4));
    EXPECT_EQ(with_graph.bytes(), plain.bytes() + 300 * 1000);
    b.release();
    EXPECT_EQ(with_graph.bytes(), 0u);
  }
  EXPECT_EQ(plain.bytes(), 0u);
}

}  // namespace
}  // namespace postern::invert
