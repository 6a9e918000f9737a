#include "index/doc_values_flush.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "codec/doc_values_reader.h"
#include "codec/test_files.h"
#include "index/doc_values_cases.h"
#include "index/field_order.h"

namespace postern::index {
namespace {

using codec::testing::Bytes;
using testing::CaseValue;
using testing::DocValuesCase;

struct Written {
  std::unique_ptr<Directory> directory = memory_directory();
  codec::FieldInfos infos;
  std::vector<std::string> files;

  Bytes file(size_t i) const { return codec::testing::read_file(*directory, files[i]); }
};

// Document `doc` of the segment gets the values of document order[doc] of the case.
Written write(const DocValuesCase& c, const std::vector<uint32_t>& order,
              std::span<const uint32_t> new_docs) {
  Written out;
  invert::BufferMemory memory(PoolLayout::kInline, Limits());
  std::vector<std::unique_ptr<invert::DocValuesBuffer>> buffers;
  for (const auto& field : c.fields) {
    codec::FieldInfo& info = out.infos.fields.emplace_back();
    info.number = static_cast<uint32_t>(buffers.size());
    info.name = field.name;
    info.doc_values = field.type;
    info.doc_values_skip_index = field.skip_index;
    buffers.push_back(
        std::make_unique<invert::DocValuesBuffer>(memory, Limits(), field.name, field.type));
    std::vector<CaseValue> values;
    for (uint32_t doc = 0; doc < order.size(); ++doc) {
      values.clear();
      field.values(order[doc], values);
      for (const CaseValue& value : values) buffers.back()->add(doc, value.view());
    }
  }
  std::vector<BufferedDocValues> fields;
  for (size_t i = 0; i < buffers.size(); ++i)
    fields.push_back({&out.infos.fields[i], buffers[i].get()});
  write_doc_values(
      {*out.directory, "_0", codec::testing::test_id(), static_cast<uint32_t>(order.size())},
      fields, out.files, new_docs);
  return out;
}

std::vector<uint32_t> natural_order(uint32_t documents) {
  std::vector<uint32_t> order(documents);
  for (uint32_t doc = 0; doc < documents; ++doc) order[doc] = doc;
  return order;
}

// Cases small enough to be held twice.
std::vector<DocValuesCase> some_cases() {
  std::vector<DocValuesCase> cases = testing::doc_values_cases();
  std::erase_if(cases, [](const DocValuesCase& c) { return c.documents > 50'000; });
  return cases;
}

// The numbers are those of the buffer, whose own test has the conversions.
TEST(DocValuesFlush, WhatIsReadIsWhatWasAdded) {
  for (const DocValuesCase& c : some_cases()) {
    SCOPED_TRACE(c.name);
    const Written written = write(c, natural_order(c.documents), {});
    const codec::DocValuesReader reader(*written.directory, "_0", codec::testing::test_id(),
                                        written.infos, c.documents);
    for (uint32_t f = 0; f < c.fields.size(); ++f) {
      const auto& field = c.fields[f];
      SCOPED_TRACE(field.name);
      std::vector<std::string> terms;
      reader.visit_terms(f, [&](uint64_t, std::span<const uint8_t> term) {
        terms.emplace_back(term.begin(), term.end());
      });
      std::map<uint32_t, std::vector<std::string>> strings;
      std::map<uint32_t, std::vector<int64_t>> numbers;
      reader.visit_bytes(f, [&](uint32_t doc, std::span<const uint8_t> value) {
        strings[doc].emplace_back(value.begin(), value.end());
      });
      reader.visit_numbers(f, [&](uint32_t doc, int64_t value) {
        if (terms.empty()) {
          numbers[doc].push_back(value);
        } else {
          strings[doc].push_back(terms.at(static_cast<size_t>(value)));
        }
      });
      std::vector<CaseValue> values;
      for (uint32_t doc = 0; doc < c.documents; ++doc) {
        values.clear();
        field.values(doc, values);
        std::vector<std::string> expected_strings;
        std::vector<int64_t> expected_numbers;
        for (const CaseValue& value : values) {
          expected_strings.push_back(value.bytes);
          expected_numbers.push_back(value.integer);
        }
        if (field.kind == ValueKind::kFloat || field.kind == ValueKind::kDouble) {
          ASSERT_EQ(numbers[doc].size(), values.size()) << doc;
        } else if (field.kind == ValueKind::kInt || field.kind == ValueKind::kLong) {
          std::ranges::sort(expected_numbers);
          ASSERT_EQ(numbers[doc], expected_numbers) << doc;
        } else {
          std::ranges::sort(expected_strings);
          if (field.type == DocValuesType::kSortedSet)
            expected_strings.erase(std::ranges::unique(expected_strings).begin(),
                                   expected_strings.end());
          ASSERT_EQ(strings[doc], expected_strings) << doc;
        }
      }
    }
  }
}

// A sorted segment is the one that documents added in that order would give; what order they were
// added in shows nowhere.
TEST(DocValuesFlush, SortedSegmentEqualsDocumentsAddedInOrder) {
  for (const DocValuesCase& c : some_cases()) {
    SCOPED_TRACE(c.name);
    // A multiplier without a common factor permutes.
    std::vector<uint32_t> old_docs(c.documents), new_docs(c.documents);
    const uint32_t step = c.documents % 7919 == 0 ? 7907 : 7919;
    for (uint32_t doc = 0; doc < c.documents; ++doc) {
      old_docs[doc] = static_cast<uint32_t>((uint64_t{doc} * step + 3) % c.documents);
      new_docs[old_docs[doc]] = doc;
    }
    const Written expected = write(c, old_docs, {});
    const Written sorted = write(c, natural_order(c.documents), new_docs);
    EXPECT_TRUE(sorted.file(0) == expected.file(0));
    EXPECT_TRUE(sorted.file(1) == expected.file(1));
  }
}

TEST(DocValuesFlush, AttributesNameTheFormatBesideOthers) {
  invert::BufferMemory memory(PoolLayout::kInline, Limits());
  invert::DocValuesBuffer values(memory, Limits(), "n", DocValuesType::kNumeric);
  values.add(0, {.kind = ValueKind::kLong, .integer = 7});
  codec::FieldInfo with, without;
  with.number = 1;
  with.doc_values = DocValuesType::kNumeric;
  with.attributes = {{"before", "1"}};
  const BufferedDocValues fields[] = {{&without, nullptr}, {&with, &values}};
  const auto directory = memory_directory();
  std::vector<std::string> files = {"_0.fdt"};
  write_doc_values({*directory, "_0", codec::testing::test_id(), 1}, fields, files);
  EXPECT_EQ(files, (std::vector<std::string>{"_0.fdt", "_0_Lucene90_0.dvd", "_0_Lucene90_0.dvm"}));
  EXPECT_TRUE(without.attributes.empty());
  // docs/formats/22 §1.
  EXPECT_EQ(with.attributes, (std::vector<std::pair<std::string, std::string>>{
                                 {"before", "1"},
                                 {"PerFieldDocValuesFormat.format", "Lucene90"},
                                 {"PerFieldDocValuesFormat.suffix", "0"}}));
}

TEST(DocValuesFlush, SegmentWithoutDocValuesHasNoFiles) {
  const auto directory = memory_directory();
  codec::FieldInfo info;
  const BufferedDocValues fields[] = {{&info, nullptr}};
  std::vector<std::string> files;
  write_doc_values({*directory, "_0", codec::testing::test_id(), 1}, fields, files);
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(directory->list().empty());
}

// The definition of java.lang.String.hashCode.
TEST(FieldOrder, HashIsJavas) {
  EXPECT_EQ(java_string_hash(""), 0u);
  EXPECT_EQ(java_string_hash("a"), 97u);
  EXPECT_EQ(java_string_hash("hello"), 99'162'322u);
  EXPECT_EQ(java_string_hash("Aa"), java_string_hash("BB"));
  EXPECT_EQ(java_string_hash("\xc3\xa9"), 0xe9u);
  EXPECT_EQ(java_string_hash("\xe2\x82\xac"), 0x20acu);
  EXPECT_EQ(java_string_hash("\xf0\x9f\x98\x80"), 31u * 0xd83d + 0xde00);
  EXPECT_EQ(java_string_hash("\xed\xa0\x80"), 0xd800u);
}

TEST(FieldOrder, FollowsTheTable) {
  // a, b, c: 97, 98, 99. The table has 8 buckets once the third has come.
  const std::vector<std::string_view> names = {"b", "a", "c"};
  EXPECT_EQ(bucket_order(names), (std::vector<uint32_t>{1, 0, 2}));
  EXPECT_TRUE(bucket_order({}).empty());
}

}  // namespace
}  // namespace postern::index
