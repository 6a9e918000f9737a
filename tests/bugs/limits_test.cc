// Reports about pools, limits and memory (docs/bug_reports.md, section C), with limits lowered.
#include <gtest/gtest.h>

#include "codec/field_infos.h"
#include "index/test_index.h"

namespace postern {
namespace {

using index::core_of;
using index::live_ids;
using index::newest_commit;

constexpr PoolLayout kLayouts[] = {PoolLayout::kInline, PoolLayout::kSeparate, PoolLayout::kShared};

// `count` words that no other call with another `first` has.
std::string words(uint64_t first, uint64_t count) {
  std::string text;
  for (uint64_t i = 0; i < count; ++i) text += "word" + std::to_string(first + i) + " ";
  return text;
}

// Row 25: the 32-bit address space of a pool ran out and wrapped.
TEST(PoolLimitReports, ABufferIsFlushedBeforeAPoolIsFull) {
  for (PoolLayout pools : kLayouts) {
    index::TestFields fields;
    auto directory = memory_directory();
    std::vector<std::string> reasons;
    WriterConfig config{.ram_buffer_mb = 1000, .pools = pools};
    config.limits.max_pool_bytes = 1 << 20;
    config.on_flush = [&](const FlushEvent& event) { reasons.push_back(event.reason); };
    IndexWriter writer(*directory, config);
    std::vector<std::string> ids;
    for (uint64_t i = 0; i < 300; ++i) {
      ids.push_back("doc" + std::to_string(i));
      const std::string body = words(i * 1000, 1000);
      Document document;
      document.add_text(fields.id, ids.back());
      document.add_text(fields.body, body);
      writer.add_document(document);
    }
    writer.close();
    EXPECT_GE(std::count(reasons.begin(), reasons.end(), "pool"), 1);
    EXPECT_EQ(live_ids(*directory), ids);
  }
}

// Row 26: the check for the above came in the middle of a document and failed the shard.
TEST(PoolLimitReports, ADocumentLargerThanAPoolIsRefusedWhole) {
  for (PoolLayout pools : kLayouts) {
    index::TestFields fields;
    auto directory = memory_directory();
    WriterConfig config{.ram_buffer_mb = 1000, .pools = pools};
    config.limits.max_pool_bytes = 1 << 20;
    IndexWriter writer(*directory, config);
    const std::string endless = words(0, 400000);
    for (const char* id : {"before", "endless", "after"}) {
      const bool is_endless = std::string_view(id) == "endless";
      Document document;
      document.add_text(fields.id, id);
      document.add_text(fields.body, is_endless ? std::string_view(endless) : "a few words");
      if (is_endless) {
        EXPECT_THROW(writer.add_document(document), Error);
      } else {
        writer.add_document(document);
      }
    }
    writer.close();
    EXPECT_EQ(live_ids(*directory), (std::vector<std::string>{"before", "after"}));
  }
}

// Row 28: memory grew with every flush.
TEST(PoolLimitReports, FlushesGiveTheirMemoryBack) {
  for (PoolLayout pools : kLayouts) {
    index::TestFields fields;
    auto directory = memory_directory();
    IndexWriter writer(*directory, {.pools = pools, .use_compound_file = false});
    uint64_t after_second = 0;
    for (uint64_t round = 0; round < 200; ++round) {
      const std::string body = words(round * 500, 500);
      Document document;
      document.add_text(fields.id, "id");
      document.add_text(fields.body, body);
      writer.add_document(document);
      EXPECT_GT(writer.ram_bytes_used(), body.size() / 2);
      writer.flush();
      if (round == 1) after_second = writer.ram_bytes_used();
    }
    EXPECT_LE(writer.ram_bytes_used(), after_second);
    writer.close();
  }
}

// Row 32: thousands of fields took gigabytes, and a large field-infos file.
TEST(ManyFieldsReports, AHundredThousandFieldsOfOneDocumentEach) {
  constexpr uint64_t kFields = 100000;
  FieldType type;
  type.index_options = IndexOptions::kPositions;
  const auto analyzer = standard_analyzer();
  std::vector<std::unique_ptr<FieldDefinition>> fields;
  auto directory = memory_directory();
  uint64_t most = 0;
  WriterConfig config{.ram_buffer_mb = 2000, .use_compound_file = false};
  config.on_memory = [&](uint64_t bytes) { most = std::max(most, bytes); };
  IndexWriter writer(*directory, config);
  for (uint64_t i = 0; i < kFields; ++i) {
    fields.push_back(
        std::make_unique<FieldDefinition>("field_" + std::to_string(i), type, analyzer));
    Document document;
    document.add_text(*fields.back(), "a value");
    writer.add_document(document);
  }
  EXPECT_LT(most / kFields, 8192u) << "bytes of memory for each field";
  writer.close();
  const codec::Commit commit = newest_commit(*directory);
  ASSERT_EQ(commit.segments.size(), 1u);
  const codec::SegmentInfo& info = commit.segments[0].info;
  EXPECT_LT(directory->file_length(info.name + ".fnm"), 20u << 20);
  const codec::FieldInfos infos = codec::read_field_infos(*directory, info.name, info.id, "");
  ASSERT_EQ(infos.fields.size(), kFields);
  EXPECT_EQ(infos.fields[kFields - 1].name, "field_99999");
}

}  // namespace
}  // namespace postern
