#include "index/document_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include "invert/buffer_memory.h"
#include "postern/error.h"

namespace postern::index {
namespace {

using Docs = std::vector<uint32_t>;

// Documents with values of one doc values field, as a buffer.
class Column {
 public:
  explicit Column(DocValuesType type)
      : field_("f", of(type)), values_(memory_, Limits(), "f", type) {}

  void add(uint32_t doc, int64_t v) {
    values_.add(doc, {.field = &field_, .kind = ValueKind::kLong, .integer = v});
  }
  void add(uint32_t doc, ValueKind kind, double v) {
    values_.add(doc, {.field = &field_, .kind = kind, .number = v});
  }
  void add(uint32_t doc, std::string_view v) {
    values_.add(doc, {.field = &field_, .kind = ValueKind::kText, .bytes = v});
  }
  const invert::DocValuesBuffer* finish() {
    values_.finish();
    return &values_;
  }

 private:
  static FieldType of(DocValuesType type) {
    FieldType t;
    t.doc_values = type;
    return t;
  }
  invert::BufferMemory memory_{PoolLayout::kInline, Limits()};
  FieldDefinition field_;
  invert::DocValuesBuffer values_;
};

// The documents in their new order; those that keep their numbers are 0, 1, 2 ...
Docs order_of(const std::vector<DocumentOrder::Key>& keys, uint32_t documents,
              const invert::DocValuesBuffer* parents = nullptr) {
  memory::MemoryCounter counter;
  DocumentOrder order(counter);
  order.sort(keys, parents, documents);
  if (!order.moves_documents()) {
    Docs same(documents);
    for (uint32_t d = 0; d < documents; ++d) same[d] = d;
    return same;
  }
  for (uint32_t d = 0; d < documents; ++d) EXPECT_EQ(order.old_docs()[order.new_docs()[d]], d);
  return {order.old_docs().begin(), order.old_docs().end()};
}

// What Lucene 10.4 makes of the same documents, for both kinds of doc values.
TEST(DocumentOrder, FloatingPointGoesFromMinusInfinityToNan) {
  const double kInfinity = std::numeric_limits<double>::infinity();
  const double kValues[] = {std::nan(""), kInfinity, -kInfinity, -0.0, 0.0, 1e-45, 5, -5};
  for (const auto type : {DocValuesType::kNumeric, DocValuesType::kSortedNumeric}) {
    for (const bool wide : {false, true}) {
      Column column(type);
      for (uint32_t d = 0; d < 8; ++d)
        column.add(d, wide ? ValueKind::kDouble : ValueKind::kFloat, kValues[d]);
      const SortKey up{.field = "f",
                       .doc_values = type,
                       .number = wide ? SortNumber::kDouble : SortNumber::kFloat};
      SortKey down = up;
      down.descending = true;
      const auto* values = column.finish();
      // Document 8 has no value: as infinity, and as -infinity.
      EXPECT_EQ(order_of({{up, values}}, 9), (Docs{2, 7, 3, 4, 5, 6, 1, 8, 0}));
      EXPECT_EQ(order_of({{down, values}}, 9), (Docs{0, 1, 6, 5, 4, 3, 7, 2, 8}));
    }
  }
}

TEST(DocumentOrder, EqualDocumentsAndThoseInOrderStay) {
  Column column(DocValuesType::kNumeric);
  for (uint32_t d = 0; d < 5; ++d) column.add(d, 7 + d / 2);
  memory::MemoryCounter counter;
  DocumentOrder order(counter);
  const SortKey key{.field = "f", .doc_values = DocValuesType::kNumeric};
  const std::vector<DocumentOrder::Key> keys{{key, column.finish()}};
  order.sort(keys, nullptr, 5);
  EXPECT_FALSE(order.moves_documents());
  EXPECT_TRUE(order.new_docs().empty());
  const std::vector<DocumentOrder::Key> absent{{key, nullptr}};
  order.sort(absent, nullptr, 5);
  EXPECT_FALSE(order.moves_documents());
}

TEST(DocumentOrder, IntegersAreTruncatedToTheirType) {
  Column column(DocValuesType::kNumeric);
  column.add(0, int64_t{1} << 32 | 5);
  column.add(1, 3);
  const SortKey as_int{
      .field = "f", .doc_values = DocValuesType::kNumeric, .number = SortNumber::kInt};
  const SortKey as_long{.field = "f", .doc_values = DocValuesType::kNumeric};
  const auto* values = column.finish();
  EXPECT_EQ(order_of({{as_int, values}}, 2), (Docs{1, 0}));
  EXPECT_EQ(order_of({{as_long, values}}, 2), (Docs{1, 0}));
  Column other(DocValuesType::kNumeric);
  other.add(0, 3);
  other.add(1, int64_t{1} << 32 | 2);
  EXPECT_EQ(order_of({{as_int, other.finish()}}, 2), (Docs{1, 0}));
}

// 2^24 + 1 is no float; missing values go where they are told, not to 0.
TEST(DocumentOrder, WholeNumbersAboveFloatPrecisionKeepTheirOrder) {
  constexpr int64_t kEdge = 1 << 24;
  Column column(DocValuesType::kNumeric);
  const int64_t kValues[] = {kEdge + 1, kEdge, 0, kEdge + 2, -1};
  for (uint32_t d = 0; d < 5; ++d) column.add(d, kValues[d]);
  SortKey key{.field = "f", .doc_values = DocValuesType::kNumeric};
  const auto* values = column.finish();
  EXPECT_EQ(order_of({{key, values}}, 6), (Docs{4, 2, 1, 0, 3, 5}));
  key.missing = SortMissing::kFirst;
  EXPECT_EQ(order_of({{key, values}}, 6), (Docs{5, 4, 2, 1, 0, 3}));
  key.missing = SortMissing::kDefault;  // as 0, behind the document that has it
  EXPECT_EQ(order_of({{key, values}}, 6), (Docs{4, 2, 5, 1, 0, 3}));
}

// As Lucene orders the same blocks: [0] [1 2] [3 4 5] with a parent each.
TEST(DocumentOrder, BlocksMoveAsOneByTheirParent) {
  Column parents(DocValuesType::kNumeric);
  for (uint32_t d : {0, 2, 5}) parents.add(d, -1);
  Column column(DocValuesType::kNumeric);
  const int64_t kValues[] = {5, 1, 9, 100, 0, 2};
  for (uint32_t d = 0; d < 6; ++d) column.add(d, kValues[d]);
  const SortKey key{.field = "f", .doc_values = DocValuesType::kNumeric};
  EXPECT_EQ(order_of({{key, column.finish()}}, 6, parents.finish()), (Docs{3, 4, 5, 0, 1, 2}));
}

TEST(DocumentOrder, DocumentsBehindTheLastParentAreOneBlock) {
  Column parents(DocValuesType::kNumeric);
  for (uint32_t d : {0, 1}) parents.add(d, -1);
  Column column(DocValuesType::kNumeric);
  const int64_t kValues[] = {5, 4, 9, 3};
  for (uint32_t d = 0; d < 4; ++d) column.add(d, kValues[d]);
  const SortKey key{.field = "f", .doc_values = DocValuesType::kNumeric};
  EXPECT_EQ(order_of({{key, column.finish()}}, 4, parents.finish()), (Docs{2, 3, 1, 0}));
}

TEST(DocumentOrder, KeysThatCannotSortAreRefused) {
  EXPECT_THROW(check_sort({{.field = "f", .doc_values = DocValuesType::kBinary}}), InvalidArgument);
  EXPECT_THROW(check_sort({{.field = "f", .doc_values = DocValuesType::kNone}}), InvalidArgument);
  check_sort({{.field = "f", .doc_values = DocValuesType::kSorted}});
}

// Random columns of strings and numbers against a stable sort by plain comparison.
TEST(DocumentOrder, EqualsAStableSortByTheKeys) {
  std::mt19937 random(20261130);
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    const uint32_t documents = 1 + below(60);
    Column strings(DocValuesType::kSortedSet);
    Column numbers(DocValuesType::kSortedNumeric);
    // What is compared: the chosen value; nullopt for none.
    std::vector<std::optional<std::string>> string_keys(documents);
    std::vector<std::optional<int64_t>> number_keys(documents);
    const SortMode mode = below(2) != 0 ? SortMode::kMax : SortMode::kMin;
    for (uint32_t d = 0; d < documents; ++d) {
      for (uint32_t n = below(4); n > 0; --n) {
        const std::string v(1 + below(2), static_cast<char>('a' + below(4)));
        strings.add(d, v);
        auto& chosen = string_keys[d];
        if (!chosen || (mode == SortMode::kMax ? v > *chosen : v < *chosen)) chosen = v;
      }
      for (uint32_t n = below(3); n > 0; --n) {
        const int64_t v = int64_t{below(4)} - 2;
        numbers.add(d, v);
        auto& chosen = number_keys[d];
        if (!chosen || (mode == SortMode::kMax ? v > *chosen : v < *chosen)) chosen = v;
      }
    }
    const bool descending[] = {below(2) != 0, below(2) != 0};
    const SortMissing missing[] = {below(2) != 0 ? SortMissing::kFirst : SortMissing::kLast,
                                   below(2) != 0 ? SortMissing::kFirst : SortMissing::kLast};
    auto before = [&](const auto& a, const auto& b, int k) {  // -1, 0, 1
      if (!a || !b) {
        if (!a && !b) return 0;
        return !a == (missing[k] == SortMissing::kFirst) ? -1 : 1;
      }
      if (*a == *b) return 0;
      return (*a < *b) != descending[k] ? -1 : 1;
    };
    Docs expected(documents);
    for (uint32_t d = 0; d < documents; ++d) expected[d] = d;
    std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
      const int first = before(string_keys[a], string_keys[b], 0);
      return first != 0 ? first < 0 : before(number_keys[a], number_keys[b], 1) < 0;
    });
    const SortKey keys[] = {{.field = "s",
                             .doc_values = DocValuesType::kSortedSet,
                             .mode = mode,
                             .descending = descending[0],
                             .missing = missing[0]},
                            {.field = "n",
                             .doc_values = DocValuesType::kSortedNumeric,
                             .mode = mode,
                             .descending = descending[1],
                             .missing = missing[1]}};
    ASSERT_EQ(order_of({{keys[0], strings.finish()}, {keys[1], numbers.finish()}}, documents),
              expected)
        << round;
  }
}

}  // namespace
}  // namespace postern::index
