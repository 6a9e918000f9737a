// Lucene's own indexes, opened segment by segment. The expected values are those that
// tests/golden/make_inputs.py gives to Lucene (cases "updates" and "merged").
#include "read/segment_reader.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "codec/golden_index.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::read {
namespace {

struct OpenIndex {
  explicit OpenIndex(const std::string& name)
      : directory(open_directory(codec::golden_index(name))),
        commit(*codec::read_latest_commit(*directory)) {
    for (const auto& segment : commit.segments)
      segments.push_back(std::make_unique<SegmentReader>(*directory, segment));
  }
  std::unique_ptr<Directory> directory;
  codec::Commit commit;
  std::vector<std::unique_ptr<SegmentReader>> segments;
};

// The number in "c0123", the stored id of a document.
int number_of(SegmentReader& segment, uint32_t doc) {
  std::string id;
  segment.stored_fields().visit(doc, [&](const codec::StoredValue& value) {
    if (segment.fields().by_number(value.field_number)->name == "id") id = value.bytes;
  });
  return std::stoi(id.substr(1));
}

std::map<int, int64_t> live_numbers(OpenIndex& index, const std::string& field) {
  std::map<int, int64_t> out;
  for (auto& segment : index.segments) {
    const codec::FieldInfo* info = segment->fields().by_name(field);
    if (info == nullptr) continue;
    segment->doc_values(*info)->visit_numbers(info->number, [&](uint32_t doc, int64_t value) {
      if (segment->is_live(doc)) out[number_of(*segment, doc)] = value;
    });
  }
  return out;
}

TEST(SegmentReader, UpdatedNumbersAreThoseOfTheNewestGeneration) {
  OpenIndex index("updates");
  std::map<int, int64_t> expected;
  for (int i = 0; i < 240; ++i) {
    if (i % 9 == 0 || i == 1) continue;  // deleted
    if (i == 200) {
      expected[i] = int64_t{1} << 40;
    } else if (i % 4 == 0) {
      expected[i] = -i;
    } else if (i % 2 == 0) {
      expected[i] = i * 7919 % 5000;
    }
  }
  EXPECT_EQ(expected, live_numbers(index, "n"));
}

TEST(SegmentReader, UpdatedBytesAreThoseOfTheNewestGeneration) {
  OpenIndex index("updates");
  std::map<int, size_t> lengths;
  for (auto& segment : index.segments) {
    const codec::FieldInfo* info = segment->fields().by_name("blob");
    ASSERT_GE(info->doc_values_generation, 1);
    EXPECT_EQ(-1, segment->core_fields().by_name("blob")->doc_values_generation);
    segment->doc_values(*info)->visit_bytes(info->number,
                                            [&](uint32_t doc, std::span<const uint8_t> value) {
                                              lengths[number_of(*segment, doc)] = value.size();
                                            });
  }
  for (int i = 2; i < 200; i += 7) {
    if (i % 9 == 0) continue;  // deleted before
    EXPECT_EQ(static_cast<size_t>(i % 5), lengths.at(i)) << i;
  }
}

TEST(SegmentReader, ColumnsOfTheCoreStayReadableBesideUpdatedOnes) {
  OpenIndex index("updates");
  std::map<int, int64_t> skipped = live_numbers(index, "skipped");
  EXPECT_EQ(240u - 27 - 1, skipped.size());
  for (auto [i, value] : skipped) EXPECT_EQ(i * 3 - 100, value);
}

TEST(SegmentReader, DeletedDocumentsOfEveryGenerationAreNotLive) {
  OpenIndex index("updates");
  std::set<int> live;
  for (auto& segment : index.segments)
    for (uint32_t doc = 0; doc < segment->max_doc(); ++doc)
      if (segment->is_live(doc)) live.insert(number_of(*segment, doc));
  std::set<int> expected;
  for (int i = 0; i < 240; ++i)
    if (i % 9 != 0 && i != 1) expected.insert(i);
  EXPECT_EQ(expected, live);
}

TEST(SegmentReader, UpdatesBesideACompoundFile) {
  OpenIndex index("merged");
  ASSERT_EQ(2u, index.segments.size());
  for (auto& segment : index.segments) EXPECT_NE(nullptr, segment->compound());
  std::map<int, int64_t> numbers = live_numbers(index, "n");
  EXPECT_EQ(1, numbers.at(205));
  EXPECT_EQ(206 * 7919 % 5000, numbers.at(206));
  EXPECT_FALSE(numbers.contains(210));
  EXPECT_FALSE(numbers.contains(4));
  EXPECT_EQ(2 * 7919 % 5000, numbers.at(2));
}

TEST(SegmentReader, PartsThatASegmentLacksAreNull) {
  OpenIndex points("points");
  for (auto& segment : points.segments) {
    EXPECT_EQ(nullptr, segment->term_vectors());
    EXPECT_NE(nullptr, segment->points());
  }
  OpenIndex updates("updates");
  for (auto& segment : updates.segments) {
    EXPECT_NE(nullptr, segment->term_vectors());
    EXPECT_NE(nullptr, segment->terms());
    EXPECT_NE(nullptr, segment->postings());
    EXPECT_NE(nullptr, segment->norms());
    EXPECT_EQ(nullptr, segment->doc_values(*segment->fields().by_name("body")));
  }
}

TEST(SegmentReader, EveryGoldenIndexOpensWhole) {
  size_t segments = 0;
  for (const auto& golden : codec::testing::golden_segments(".si")) {
    OpenIndex index(golden.folder.parent_path().filename().string());
    for (auto& segment : index.segments) {
      segment->terms();
      segment->postings();
      segment->term_vectors();
      segment->norms();
      segment->points();
      for (const codec::FieldInfo& field : segment->fields().fields) segment->doc_values(field);
      for (uint32_t doc = 0; doc < segment->max_doc(); ++doc)
        segment->stored_fields().visit(doc, [](const codec::StoredValue&) {});
      ++segments;
    }
  }
  EXPECT_GT(segments, 15u);
}

TEST(SegmentReader, AnotherFormatOfAFieldIsNamed) {
  auto directory = memory_directory();
  codec::FieldInfos infos;
  codec::FieldInfo info;
  info.name = "price";
  info.doc_values = DocValuesType::kNumeric;
  info.attributes = {{"PerFieldDocValuesFormat.format", "Direct"},
                     {"PerFieldDocValuesFormat.suffix", "0"}};
  infos.fields.push_back(info);
  codec::SegmentCommitInfo commit;
  commit.info.name = "_0";
  commit.info.id = codec::testing::test_id();
  codec::write_field_infos(*directory, "_0", commit.info.id, "", infos);
  try {
    SegmentReader(*directory, commit);
    FAIL() << "must be refused";
  } catch (const NotSupported& e) {
    EXPECT_NE(std::string::npos, std::string(e.what()).find("'price'")) << e.what();
    EXPECT_NE(std::string::npos, std::string(e.what()).find("'Direct'")) << e.what();
  }
}

}  // namespace
}  // namespace postern::read
