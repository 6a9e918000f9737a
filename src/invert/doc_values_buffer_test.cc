#include "invert/doc_values_buffer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "postern/error.h"

namespace postern::invert {
namespace {

FieldValue number(int64_t v) { return {.kind = ValueKind::kLong, .integer = v}; }
FieldValue real(ValueKind kind, double v) { return {.kind = kind, .number = v}; }
FieldValue word(std::string_view v) { return {.kind = ValueKind::kText, .bytes = v}; }
FieldValue bytes(std::string_view v) { return {.kind = ValueKind::kBytes, .bytes = v}; }

template <class T>
std::vector<T> list(std::span<const T> values) {
  return {values.begin(), values.end()};
}
std::vector<std::string> terms(const DocValuesBuffer& buffer) {
  std::vector<std::string> out;
  for (uint32_t ord = 0; ord < buffer.term_count(); ++ord)
    out.emplace_back(buffer.term(ord).begin(), buffer.term(ord).end());
  return out;
}

class DocValuesBufferTest : public ::testing::Test {
 protected:
  DocValuesBuffer& make(DocValuesType type) {
    buffer = std::make_unique<DocValuesBuffer>(memory, limits, "price", type);
    return *buffer;
  }
  // The message, for a test of its parts.
  std::string refusal(uint32_t doc, const FieldValue& value) {
    try {
      buffer->add(doc, value);
    } catch (const InvalidDocument& e) {
      return e.what();
    }
    return "not refused";
  }

  Limits limits;
  BufferMemory memory{PoolLayout::kInline, limits};
  std::unique_ptr<DocValuesBuffer> buffer;
};

TEST_F(DocValuesBufferTest, DocumentsAreListedOnlyOnceOneIsMissing) {
  make(DocValuesType::kNumeric);
  for (uint32_t doc : {0u, 1u, 2u}) buffer->add(doc, number(doc * 10));
  EXPECT_TRUE(buffer->dense());
  buffer->add(4, number(40));
  buffer->finish();
  EXPECT_FALSE(buffer->dense());
  EXPECT_EQ(list(buffer->docs()), (std::vector<uint32_t>{0, 1, 2, 4}));
  EXPECT_EQ(list(buffer->numbers()), (std::vector<int64_t>{0, 10, 20, 40}));
  EXPECT_TRUE(buffer->counts().empty());
}

TEST_F(DocValuesBufferTest, FirstDocumentMayBeMissing) {
  make(DocValuesType::kSorted);
  buffer->add(3, word("x"));
  buffer->finish();
  EXPECT_EQ(list(buffer->docs()), (std::vector<uint32_t>{3}));
}

TEST_F(DocValuesBufferTest, SortedNumericKeepsDuplicatesInOrder) {
  make(DocValuesType::kSortedNumeric);
  buffer->add(0, number(7));
  for (int64_t v : {5, -1, 5}) buffer->add(1, number(v));
  buffer->add(3, number(0));
  buffer->finish();
  EXPECT_EQ(list(buffer->numbers()), (std::vector<int64_t>{7, -1, 5, 5, 0}));
  EXPECT_EQ(list(buffer->counts()), (std::vector<uint32_t>{1, 3, 1}));
}

TEST_F(DocValuesBufferTest, SortedSetDropsDuplicatesAndCountsNothingIfNoneHasTwo) {
  make(DocValuesType::kSortedSet);
  for (const char* v : {"b", "b"}) buffer->add(0, word(v));
  buffer->add(1, word("a"));
  buffer->finish();
  EXPECT_TRUE(buffer->counts().empty());
  EXPECT_EQ(terms(*buffer), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(list(buffer->ords()), (std::vector<uint32_t>{1, 0}));
}

TEST_F(DocValuesBufferTest, OrdinalsOfADocumentAscend) {
  make(DocValuesType::kSortedSet);
  for (const char* v : {"z", "a", "m", "a"}) buffer->add(0, word(v));
  for (const char* v : {"\xff", ""}) buffer->add(1, bytes(v));
  buffer->finish();
  EXPECT_EQ(terms(*buffer), (std::vector<std::string>{"", "a", "m", "z", "\xff"}));
  EXPECT_EQ(list(buffer->ords()), (std::vector<uint32_t>{1, 2, 3, 0, 4}));
  EXPECT_EQ(list(buffer->counts()), (std::vector<uint32_t>{3, 2}));
}

TEST_F(DocValuesBufferTest, BinaryValuesLieEndToEnd) {
  make(DocValuesType::kBinary);
  const std::string large(100'000, 'x');  // beyond the limit of terms
  for (const std::string& v : {std::string("ab"), std::string(), large})
    buffer->add(buffer->doc_count(), bytes(v));
  buffer->finish();
  EXPECT_EQ(list(buffer->counts()), (std::vector<uint32_t>{2, 0, 100'000}));
  EXPECT_EQ(std::string(buffer->bytes().begin(), buffer->bytes().end()), "ab" + large);
}

// tests/java/README.md, "What the values become"; the bits of Java's Float and Double.
TEST_F(DocValuesBufferTest, RealNumbersBecomeTheirBits) {
  const double nan = -std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  struct Row {
    ValueKind kind;
    double value;
    int64_t raw, sortable;
  } rows[] = {
      {ValueKind::kFloat, 1.0, 0x3f800000, 0x3f800000},
      {ValueKind::kFloat, 0.0, 0, 0},
      {ValueKind::kFloat, -0.0, -0x80000000ll, -1},
      {ValueKind::kFloat, -1.0, static_cast<int32_t>(0xbf800000), ~int64_t{0x3f800000}},
      {ValueKind::kFloat, nan, 0x7fc00000, 0x7fc00000},
      {ValueKind::kFloat, -infinity, static_cast<int32_t>(0xff800000), ~int64_t{0x7f800000}},
      {ValueKind::kDouble, 1.0, 0x3ff0000000000000, 0x3ff0000000000000},
      {ValueKind::kDouble, -0.0, std::numeric_limits<int64_t>::min(), -1},
      {ValueKind::kDouble, -1.0, static_cast<int64_t>(0xbff0000000000000),
       ~int64_t{0x3ff0000000000000}},
      {ValueKind::kDouble, nan, 0x7ff8000000000000, 0x7ff8000000000000},
  };
  for (const Row& row : rows) {
    make(DocValuesType::kNumeric).add(0, real(row.kind, row.value));
    EXPECT_EQ(buffer->numbers()[0], row.raw) << row.value;
    make(DocValuesType::kSortedNumeric).add(0, real(row.kind, row.value));
    EXPECT_EQ(buffer->numbers()[0], row.sortable) << row.value;
  }
}

TEST_F(DocValuesBufferTest, UnpairedSurrogatesOfTextAreReplaced) {
  make(DocValuesType::kSorted);
  buffer->add(0, word("a\xed\xa0\x80z"));
  buffer->add(1, bytes("a\xed\xa0\x80z"));
  buffer->finish();
  EXPECT_EQ(terms(*buffer), (std::vector<std::string>{"a\xed\xa0\x80z", "a\xef\xbf\xbdz"}));
}

TEST_F(DocValuesBufferTest, SecondValueOfASingleValuedFieldIsRefused) {
  for (auto type : {DocValuesType::kNumeric, DocValuesType::kBinary, DocValuesType::kSorted}) {
    make(type);
    const FieldValue value = type == DocValuesType::kNumeric ? number(1) : bytes("v");
    buffer->add(6, value);
    const std::string message = refusal(6, value);
    EXPECT_NE(message.find("price"), std::string::npos) << message;
    EXPECT_NE(message.find("a second value"), std::string::npos) << message;
    EXPECT_NE(message.find(type == DocValuesType::kNumeric ? "type sorted_numeric takes several"
                                                           : "type sorted_set takes several"),
              std::string::npos)
        << message;
    buffer->add(7, value);  // the buffer goes on
    buffer->finish();
    EXPECT_EQ(list(buffer->docs()), (std::vector<uint32_t>{6, 7}));
  }
}

TEST_F(DocValuesBufferTest, LongestTermIsTakenAndALongerOneRefused) {
  for (auto type : {DocValuesType::kSorted, DocValuesType::kSortedSet}) {
    make(type);
    const std::string longest(32'766, 'x');
    buffer->add(0, bytes(longest));
    const std::string message = refusal(1, bytes(longest + "x"));
    EXPECT_NE(message.find("32767"), std::string::npos) << message;
    EXPECT_NE(message.find("32766"), std::string::npos) << message;
    buffer->finish();
    EXPECT_EQ(buffer->doc_count(), 1u);
    EXPECT_EQ(terms(*buffer), (std::vector<std::string>{longest}));
  }
}

TEST_F(DocValuesBufferTest, WrongKindOfValueIsRefused) {
  make(DocValuesType::kNumeric);
  EXPECT_NE(refusal(0, word("7")).find("need a number"), std::string::npos);
  make(DocValuesType::kSortedSet);
  EXPECT_NE(refusal(0, number(7)).find("need text or bytes"), std::string::npos);
  EXPECT_EQ(buffer->doc_count(), 0u);
}

TEST_F(DocValuesBufferTest, FullPoolIsALimitAndChangesNothing) {
  Limits small;
  small.max_pool_bytes = 4096;
  BufferMemory little(PoolLayout::kInline, small);
  DocValuesBuffer field(little, small, "tag", DocValuesType::kSortedSet);
  const std::string value(3000, 'v');
  field.add(0, bytes(value));
  EXPECT_THROW(field.add(1, bytes(value + "w")), LimitExceeded);
  EXPECT_THROW(field.add(1, bytes(value)), LimitExceeded);  // no room is promised before looking
  field.finish();
  EXPECT_EQ(field.doc_count(), 1u);
  EXPECT_EQ(terms(field), (std::vector<std::string>{value}));
}

TEST_F(DocValuesBufferTest, EverythingIsCharged) {
  const uint64_t before = memory.counter().bytes();
  make(DocValuesType::kSortedSet);
  uint64_t text_bytes = 0;
  for (uint32_t doc = 0; doc < 10'000; ++doc) {
    const std::string value = "a value that is too long for the table " + std::to_string(doc);
    buffer->add(doc, bytes(value));
    text_bytes += value.size();
  }
  // Text, 32 bytes of state, the id.
  EXPECT_GT(memory.counter().bytes() - before, text_bytes + 10'000 * 36);
  buffer.reset();
  memory.reset();
  EXPECT_EQ(memory.counter().bytes(), before);
}

RC_GTEST_PROP(DocValuesBufferProperty, SetsAreWhatWasAdded, ()) {
  Limits limits;
  BufferMemory memory(PoolLayout::kInline, limits);
  DocValuesBuffer buffer(memory, limits, "f", DocValuesType::kSortedSet);
  const auto docs = *rc::gen::container<std::map<uint32_t, std::vector<std::string>>>(
      rc::gen::inRange<uint32_t>(0, 100),
      rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
          rc::gen::map(rc::gen::inRange(0, 40), [](int n) {
            return std::string(static_cast<size_t>(n), 'a') + std::to_string(n % 7);
          }))));
  std::set<std::string> all;
  for (const auto& [doc, values] : docs) {
    for (const std::string& value : values) buffer.add(doc, bytes(value));
    all.insert(values.begin(), values.end());
  }
  buffer.finish();
  RC_ASSERT(terms(buffer) == std::vector<std::string>(all.begin(), all.end()));
  size_t i = 0;
  size_t at = 0;
  for (const auto& [doc, values] : docs) {
    RC_ASSERT((buffer.dense() ? i : buffer.docs()[i]) == doc);
    std::vector<uint32_t> expected;
    for (const std::string& value : std::set<std::string>(values.begin(), values.end()))
      expected.push_back(static_cast<uint32_t>(std::distance(all.begin(), all.find(value))));
    const size_t count = buffer.counts().empty() ? 1 : buffer.counts()[i];
    RC_ASSERT(list(buffer.ords().subspan(at, count)) == expected);
    at += count;
    ++i;
  }
  RC_ASSERT(at == buffer.ords().size());
}

}  // namespace
}  // namespace postern::invert
