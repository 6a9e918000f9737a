#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "codec/doc_values_reader.h"
#include "codec/doc_values_writer.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::test_id;
using testing::to_hex;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// The values of the documents that have any. Strings compare as unsigned bytes.
using Numbers = std::map<uint32_t, std::vector<int64_t>>;
using Strings = std::map<uint32_t, std::vector<std::string>>;

struct Segment {
  explicit Segment(uint32_t docs) : max_doc(docs), writer({*directory, "_0", test_id(), docs}) {}

  const FieldInfo& field(DocValuesType type, bool skip_index = false) {
    FieldInfo info;
    info.number = static_cast<uint32_t>(infos.fields.size());
    info.name = "field" + std::to_string(info.number);
    info.doc_values = type;
    info.doc_values_skip_index = skip_index;
    infos.fields.push_back(info);
    return infos.fields.back();
  }
  template <class T>
  ColumnDocs docs_of(const std::map<uint32_t, T>& values) {
    docs.clear();
    for (const auto& [doc, of_doc] : values) docs.push_back(doc);
    return {docs, docs.size() == max_doc};
  }
  void add(const Numbers& values, DocValuesType type, bool skip_index = false) {
    const ColumnDocs column = docs_of(values);
    std::vector<int64_t> flat;
    std::vector<uint32_t> counts;
    for (const auto& [doc, of_doc] : values) {
      flat.insert(flat.end(), of_doc.begin(), of_doc.end());
      counts.push_back(static_cast<uint32_t>(of_doc.size()));
    }
    if (type == DocValuesType::kNumeric) {
      writer.add_numeric(field(type, skip_index), column, flat);
    } else {
      writer.add_sorted_numeric(field(type, skip_index), column, counts, flat);
    }
  }
  void add(const Strings& values, DocValuesType type, bool skip_index = false) {
    const ColumnDocs column = docs_of(values);
    std::set<std::string> terms;
    for (const auto& [doc, of_doc] : values) terms.insert(of_doc.begin(), of_doc.end());
    std::vector<uint32_t> ords, counts;
    std::string bytes;
    for (const auto& [doc, of_doc] : values) {
      for (const std::string& value : of_doc) {
        ords.push_back(static_cast<uint32_t>(std::distance(terms.begin(), terms.find(value))));
        bytes += value;
      }
      counts.push_back(
          static_cast<uint32_t>(type == DocValuesType::kBinary ? of_doc[0].size() : of_doc.size()));
    }
    switch (type) {
      case DocValuesType::kBinary:
        writer.add_binary(field(type), column, counts, as_bytes(bytes));
        return;
      case DocValuesType::kSorted:
        writer.add_sorted(field(type, skip_index), column, ords);
        break;
      default:
        writer.add_sorted_set(field(type, skip_index), column, counts, ords);
    }
    for (const std::string& term : terms) writer.add_term(as_bytes(term));
    writer.finish_terms();
  }
  static std::span<const uint8_t> as_bytes(const std::string& s) {
    return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
  }

  DocValuesReader reader() { return {*directory, "_0", test_id(), infos, max_doc}; }
  Bytes body(const char* extension, std::string_view codec) {
    const Bytes file = testing::read_file(*directory, std::string("_0_Lucene90_0.") + extension);
    const Bytes behind_id = testing::body_of(file, codec);  // for an empty suffix
    return {behind_id.begin() + 10, behind_id.end()};
  }

  uint32_t max_doc;
  std::unique_ptr<Directory> directory = memory_directory();
  FieldInfos infos;
  std::vector<uint32_t> docs;
  DocValuesWriter writer;
};

Numbers numbers_of(const DocValuesReader& reader, uint32_t field) {
  Numbers out;
  reader.visit_numbers(field, [&](uint32_t doc, int64_t v) { out[doc].push_back(v); });
  return out;
}
std::string text(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }
std::vector<std::string> terms_of(const DocValuesReader& reader, uint32_t field) {
  std::vector<std::string> out;
  reader.visit_terms(field, [&](uint64_t ord, std::span<const uint8_t> term) {
    EXPECT_EQ(ord, out.size());
    out.push_back(text(term));
  });
  return out;
}
Strings strings_of(const DocValuesReader& reader, uint32_t field) {
  Strings out;
  reader.visit_bytes(field, [&](uint32_t doc, std::span<const uint8_t> value) {
    out[doc].push_back(text(value));
  });
  const std::vector<std::string> terms = terms_of(reader, field);
  if (terms.empty()) return out;
  reader.visit_numbers(field, [&](uint32_t doc, int64_t ord) {
    out[doc].push_back(terms.at(static_cast<size_t>(ord)));
  });
  return out;
}

// docs/formats/22 §8.
TEST(DocValues, WorkedExampleOfTheFormat) {
  Segment segment(5);
  segment.add(Strings{{0, {"fourteen bytes"}}}, DocValuesType::kBinary);  // 26 bytes of data
  segment.add(Strings{{0, {"banana"}}, {1, {"apple"}}, {2, {"bandana"}}, {4, {"apple"}}},
              DocValuesType::kSorted);
  segment.writer.close();
  const std::string data = to_hex(segment.body("dvd", "Lucene90DocValuesData"));
  EXPECT_TRUE(
      data.ends_with("00 00 03 00 00 00 01 00 02 00 04 00 ff 7f 00 00 ff ff "
                     "21 05 61 70 70 6c 65 0c c0 50 62 61 6e 61 6e 61 33 64 61 6e 61"))
      << data;
  const std::string meta = to_hex(segment.body("dvm", "Lucene90DocValuesMetadata"));
  EXPECT_TRUE(
      meta.ends_with("01 00 00 00 02 "
                     "53 00 00 00 00 00 00 00 12 00 00 00 00 00 00 00 00 00 09 "
                     "04 00 00 00 00 00 00 00 ff ff ff ff 02 00 00 00 00 00 00 00 00 "
                     "01 00 00 00 00 00 00 00 65 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 "
                     "ff ff ff ff ff ff ff ff "
                     "03 10 00 00 00 "
                     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                     "07 00 00 00 0c 00 00 00 "
                     "66 00 00 00 00 00 00 00 14 00 00 00 00 00 00 00 "
                     "7a 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 0a 00 00 00 "
                     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                     "7a 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                     "7a 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                     "ff ff ff ff"))
      << meta;
}

TEST(DocValues, FieldsWithoutDocumentsComeBackEmpty) {
  Segment segment(3);
  for (auto type : {DocValuesType::kNumeric, DocValuesType::kSortedNumeric})
    segment.add(Numbers{}, type, true);
  for (auto type : {DocValuesType::kBinary, DocValuesType::kSorted, DocValuesType::kSortedSet})
    segment.add(Strings{}, type, type != DocValuesType::kBinary);
  segment.writer.close();
  const DocValuesReader reader = segment.reader();
  for (uint32_t field = 0; field < 5; ++field) {
    ASSERT_NE(reader.find(field), nullptr);
    EXPECT_TRUE(numbers_of(reader, field).empty());
    EXPECT_TRUE(strings_of(reader, field).empty());
  }
  // docs/formats/22 §7.
  const SkipIndexEntry& skip = *reader.find(0)->skip_index;
  EXPECT_EQ(skip.range.length, 0u);
  EXPECT_EQ(skip.max_value, kMin);
  EXPECT_EQ(skip.min_value, kMax);
  EXPECT_EQ(skip.doc_count, 0u);
  EXPECT_EQ(skip.max_doc, -1);
}

// Which encoding a column gets, by the rules of docs/formats/22 §2.1.
TEST(DocValues, EncodingsFollowTheRules) {
  struct Case {
    const char* what;
    uint32_t count;
    int64_t (*value)(uint32_t i);
    uint32_t table, block_shift, width;
    int64_t min;
    uint64_t gcd;
  };
  const Case cases[] = {
      {"constant", 100, [](uint32_t) -> int64_t { return -3; }, 0, 0, 0, -3, 0},
      {"extreme constant", 9, [](uint32_t) { return kMin; }, 0, 0, 0, kMin, 1},
      {"two far values", 9, [](uint32_t i) { return i % 2 ? kMin : kMax; }, 2, 0, 1, 0, 1},
      {"256 far values", 999,
       [](uint32_t i) {
         return int64_t{i % 256} * i % 256 * 1'000'003 + i % 256 * int64_t{7'777'777'777};
       },
       256, 0, 8, 0, 1},
      {"gcd", 9999, [](uint32_t i) { return -5 + int64_t{i} * 1000; }, 0, 0, 16, -5, 1000},
      {"from zero", 256, [](uint32_t i) -> int64_t { return i % 250 + 1; }, 0, 0, 8, 0, 1},
      {"min needed", 200, [](uint32_t i) -> int64_t { return i + 1000; }, 0, 0, 8, 1000, 1},
      {"blocks", 40'000,
       [](uint32_t i) -> int64_t { return i < 20'000 ? i % 300 : i * int64_t{99'991}; }, 0, 14,
       0xff, 0, 1},
      {"too few for blocks", 16'384,
       [](uint32_t i) -> int64_t { return i < 9000 ? i % 300 : i * int64_t{99'991}; }, 0, 0, 32, 0,
       1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Segment segment(c.count);
    Numbers values;
    for (uint32_t i = 0; i < c.count; ++i) values[i] = {c.value(i)};
    segment.add(values, DocValuesType::kNumeric);
    segment.writer.close();
    const DocValuesReader reader = segment.reader();
    const NumbersEntry& entry = reader.find(0)->numbers;
    EXPECT_EQ(entry.table.size(), c.table);
    EXPECT_EQ(entry.block_shift, c.block_shift);
    EXPECT_EQ(entry.width, c.width);
    EXPECT_EQ(entry.min, c.min);
    EXPECT_EQ(entry.gcd, c.gcd);
    EXPECT_EQ(numbers_of(reader, 0), values);
  }
}

// Numbers of one of many shapes, so that every encoding comes up.
rc::Gen<int64_t> number_gen() {
  return rc::gen::exec([] {
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return *rc::gen::elementOf(std::vector<int64_t>{kMin, kMin + 1, -1, 0, 1, kMax, kMin / 2,
                                                        kMax / 2, kMin / 2 - 1, kMax / 2 + 1});
      case 1:
        return *rc::gen::inRange<int64_t>(-20, 20) * 3600;
      case 2:
        return *rc::gen::inRange<int64_t>(1, 100);
      default:
        return *rc::gen::arbitrary<int64_t>();
    }
  });
}
rc::Gen<std::string> string_gen() {
  return rc::gen::exec([] {
    std::string s(*rc::gen::inRange<size_t>(0, 20), 'p');
    for (int n = *rc::gen::inRange(0, 30); n > 0; --n)
      s += static_cast<char>(*rc::gen::elementOf(std::vector<int>{0, 1, 'a', 'b', 0x7f, 0xff}));
    return s;
  });
}
template <class T>
std::map<uint32_t, std::vector<T>> column_gen(uint32_t max_doc, const rc::Gen<T>& value,
                                              bool several) {
  std::map<uint32_t, std::vector<T>> out;
  const auto pool = *rc::gen::nonEmpty(rc::gen::container<std::vector<T>>(value));
  const int share = *rc::gen::elementOf(std::vector<int>{1, 50, 100});
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    if (*rc::gen::inRange(0, 100) >= share) continue;
    for (int n = several ? *rc::gen::inRange(1, 4) : 1; n > 0; --n)
      out[doc].push_back(*rc::gen::elementOf(pool));
  }
  return out;
}

RC_GTEST_PROP(DocValues, NumbersComeBack, ()) {
  const auto max_doc = *rc::gen::inRange<uint32_t>(1, 60);
  Segment segment(max_doc);
  const Numbers single = column_gen(max_doc, number_gen(), false);
  Numbers several = column_gen(max_doc, number_gen(), true);
  for (auto& [doc, values] : several) std::ranges::sort(values);
  segment.add(single, DocValuesType::kNumeric, true);
  segment.add(several, DocValuesType::kSortedNumeric, true);
  segment.writer.close();
  const DocValuesReader reader = segment.reader();
  RC_ASSERT(numbers_of(reader, 0) == single);
  RC_ASSERT(numbers_of(reader, 1) == several);
}

RC_GTEST_PROP(DocValues, BytesComeBack, ()) {
  const auto max_doc = *rc::gen::inRange<uint32_t>(1, 60);
  Segment segment(max_doc);
  const Strings single = column_gen(max_doc, string_gen(), false);
  Strings several = column_gen(max_doc, string_gen(), true);
  for (auto& [doc, values] : several) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  segment.add(single, DocValuesType::kBinary);
  segment.add(single, DocValuesType::kSorted, true);
  segment.add(several, DocValuesType::kSortedSet, true);
  segment.writer.close();
  const DocValuesReader reader = segment.reader();
  RC_ASSERT(strings_of(reader, 0) == single);
  RC_ASSERT(strings_of(reader, 1) == single);
  RC_ASSERT(strings_of(reader, 2) == several);
}

TEST(DocValues, IndexKeysTellEvery1024thTermFromTheOneBefore) {
  constexpr uint32_t kDocs = 5000;
  Segment segment(kDocs);
  Strings values;
  for (uint32_t doc = 0; doc < kDocs; ++doc)
    values[doc] = {std::string(doc % 7, 'x') + std::to_string(doc * 7919)};
  segment.add(values, DocValuesType::kSorted);
  segment.writer.close();
  const DocValuesReader reader = segment.reader();
  EXPECT_EQ(strings_of(reader, 0), values);
  const std::vector<std::string> terms = terms_of(reader, 0);
  uint64_t keys = 0;
  reader.visit_term_index(0, [&](uint64_t key, std::span<const uint8_t> bytes) {
    ++keys;
    EXPECT_TRUE(terms[key * 1024].starts_with(text(bytes)));
    if (key == 0) {
      EXPECT_TRUE(bytes.empty());
    } else {
      EXPECT_GT(text(bytes), terms[key * 1024 - 1]);
      EXPECT_LE(text(bytes).substr(0, bytes.size() - 1), terms[key * 1024 - 1]);
    }
  });
  EXPECT_EQ(keys, 5u);
}

// Every interval, at every level, against the column (docs/formats/22 §7).
TEST(DocValues, SkipIntervalsDescribeTheirDocuments) {
  constexpr uint32_t kDocs = 300'000;
  Segment segment(kDocs);
  Numbers values;
  for (uint32_t doc = 0; doc < kDocs; ++doc) {
    if (doc % 50'000 == 17) continue;
    const int64_t v = doc > 200'000 && doc < 220'000 ? 5 : int64_t{doc} * 7919 % 100'003 - 50'000;
    values[doc] = {v};
    if (doc % 9999 == 3) values[doc].push_back(v + 1'000'000);
  }
  segment.add(values, DocValuesType::kSortedNumeric, true);
  segment.writer.close();
  const DocValuesReader reader = segment.reader();
  uint64_t documents = 0;
  std::array<uint32_t, kSkipLevels> levels{};
  uint32_t longest = 0;
  reader.visit_skip_index(0, [&](const SkipInterval& interval) {
    ++levels[interval.level];
    if (interval.level == 0) documents += interval.doc_count;
    if (interval.level == 0) longest = std::max(longest, interval.doc_count);
    SkipInterval expected{interval.level, interval.max_doc, interval.min_doc, kMin, kMax, 0};
    for (auto it = values.find(interval.min_doc);
         it != values.end() && it->first <= interval.max_doc; ++it) {
      expected.max_value = std::max(expected.max_value, it->second.back());
      expected.min_value = std::min(expected.min_value, it->second.front());
      ++expected.doc_count;
    }
    EXPECT_EQ(interval, expected);
  });
  EXPECT_EQ(documents, values.size());
  EXPECT_GT(longest, kSkipIntervalDocs);  // a run of one value
  EXPECT_EQ(levels[1], levels[0] / 8);
  EXPECT_EQ(levels[2], levels[0] / 64);
}

// Everything that a caller can ask a reader.
void read_all(const DocValuesReader& reader, uint32_t fields) {
  uint64_t seen = 0;
  auto count = [&](auto&&...) {
    if (++seen > 100'000) throw CorruptIndex("more than there can be");
  };
  for (uint32_t field = 0; field < fields; ++field) {
    reader.visit_numbers(field, count);
    reader.visit_bytes(field, count);
    reader.visit_terms(field, count);
    reader.visit_term_index(field, count);
    reader.visit_skip_index(field, count);
  }
}

TEST(DocValues, DamagedFilesAreRefusedNotFollowed) {
  Segment segment(200);
  Numbers table, several;
  Strings strings, sets;
  for (uint32_t doc = 0; doc < 200; ++doc) {
    table[doc] = {doc % 3 * int64_t{1'000'000'007}};
    if (doc % 2 == 0) several[doc] = {-5, int64_t{doc} * 77};
    if (doc % 3 != 0) strings[doc] = {"string " + std::to_string(doc * doc)};
    sets[doc] = {"a" + std::to_string(doc % 70), "b" + std::to_string(doc)};
  }
  segment.add(table, DocValuesType::kNumeric);
  segment.add(several, DocValuesType::kSortedNumeric, true);
  segment.add(strings, DocValuesType::kBinary);
  segment.add(strings, DocValuesType::kSorted);
  segment.add(sets, DocValuesType::kSortedSet, true);
  segment.writer.close();
  const Bytes meta = testing::read_file(*segment.directory, "_0_Lucene90_0.dvm");
  const Bytes data = testing::read_file(*segment.directory, "_0_Lucene90_0.dvd");
  size_t refused = 0;
  auto try_files = [&](const Bytes& dvm, const Bytes& dvd) {
    const auto directory = memory_directory();
    testing::write_file(*directory, "_0_Lucene90_0.dvm", dvm);
    testing::write_file(*directory, "_0_Lucene90_0.dvd", dvd);
    try {
      read_all(DocValuesReader(*directory, "_0", test_id(), segment.infos, 200), 5);
    } catch (const CorruptIndex&) {
      ++refused;
    } catch (const NotSupported&) {
      ++refused;
    }
  };
  try_files(meta, data);
  ASSERT_EQ(refused, 0u);
  for (size_t at = 0; at < meta.size(); ++at) {
    for (int flip : {0x01, 0x80, 0xff}) {
      Bytes bad = meta;
      bad[at] = static_cast<uint8_t>(bad[at] ^ flip);
      if (at + 8 < bad.size()) testing::fix_checksum(bad);
      try_files(bad, data);
    }
  }
  EXPECT_GT(refused, meta.size());
  for (size_t at = 0; at < data.size(); ++at) {
    for (int flip : {0x01, 0x80, 0xff}) {
      Bytes bad = data;
      bad[at] = static_cast<uint8_t>(bad[at] ^ flip);
      try_files(meta, bad);
    }
  }
  const size_t before = refused;
  for (size_t length = 0; length < meta.size(); ++length)
    try_files(Bytes(meta.begin(), meta.begin() + static_cast<ptrdiff_t>(length)), data);
  for (size_t length = 0; length < data.size(); length += 7)
    try_files(meta, Bytes(data.begin(), data.begin() + static_cast<ptrdiff_t>(length)));
  EXPECT_EQ(refused - before, meta.size() + (data.size() + 6) / 7);
}

TEST(DocValues, ErrorsNameTheFile) {
  Segment segment(1);
  segment.add(Numbers{{0, {7}}}, DocValuesType::kNumeric);
  segment.writer.close();
  segment.infos.fields[0].doc_values = DocValuesType::kBinary;
  try {
    segment.reader();
    FAIL();
  } catch (const CorruptIndex& e) {
    EXPECT_NE(std::string(e.what()).find("_0_Lucene90_0.dvm"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("field0"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace postern::codec
