// A disk that is full for one write, whichever it is, and has room again afterwards: the error says
// so, the last commit stands, nothing else is left, and the next writer goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "codec/file_names.h"
#include "index/test_index.h"
#include "store/fault_directory.h"

namespace postern::index {
namespace {

using Ids = std::vector<std::string>;
using store::FaultPoint;

FieldType full_text() {
  FieldType type = text();
  type.index_options = IndexOptions::kOffsets;
  type.stored = true;
  type.term_vectors = {.enabled = true, .positions = true};
  return type;
}
FieldType number() {
  FieldType type;
  type.point_dimensions = type.point_index_dimensions = 1;
  type.point_bytes = 8;
  type.doc_values = DocValuesType::kNumeric;
  return type;
}

class DiskFullTest : public testing::TestWithParam<FaultPoint> {
 protected:
  // Two commits, with segments of three documents, one of them refused. Returns what was committed;
  // `error` is what ended it.
  Ids session(Directory& target, const WriterConfig& config, std::optional<IoError>& error) {
    Ids committed;
    Ids added;
    try {
      IndexWriter writer(target, config);
      for (int i = 0; i < 8; ++i) {
        const std::string id = "d" + std::to_string(i);
        add(writer, id, i);
        added.push_back(id);
        if (i == 1) add_refused(writer);
        if (i == 4) {
          writer.commit();
          committed = added;
        }
      }
      writer.close();
      committed = added;
    } catch (const IoError& e) {
      error = e;
    }
    return committed;
  }

  void add(IndexWriter& writer, const std::string& id, int64_t n) {
    const std::string body = "some words of document " + id;
    Document document;
    document.add_text(id_, id);
    document.add_text(body_, body);
    document.add_long(n_, -n);
    writer.add_document(document);
  }
  void add_refused(IndexWriter& writer) {
    const std::string immense(32767, 'x');
    Document document;
    document.add_text(id_, "refused");
    document.add_text(id_, immense);
    EXPECT_THROW(writer.add_document(document), InvalidDocument);
  }

  // Only files of the newest commit.
  void expect_no_leftovers(const Directory& directory) {
    std::vector<std::string> expected;
    if (codec::latest_generation(directory)) expected = newest_commit(directory).files();
    std::vector<std::string> found = directory.list();
    std::erase(found, codec::kWriteLockName);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_EQ(expected, found);
  }

  static Ids sorted(Ids ids) {
    std::ranges::sort(ids);
    return ids;
  }

  FieldDefinition id_{"id", stored_keyword()};
  FieldDefinition body_{"body", full_text(), standard_analyzer()};
  FieldDefinition n_{"n", number()};
};

TEST_P(DiskFullTest, TheLastCommitStandsAndTheNextWriterGoesOn) {
  for (const bool compound : {false, true}) {
    for (const bool with_sort : {false, true}) {
      SCOPED_TRACE(testing::Message() << "compound " << compound << " sorted " << with_sort);
      WriterConfig config{.ram_buffer_mb = 0, .max_buffered_documents = 3};
      config.use_compound_file = compound;
      if (with_sort)
        config.index_sort = {SortKey{.field = "n", .doc_values = DocValuesType::kNumeric}};
      uint64_t faults = 0;
      for (uint64_t nth = 1;; ++nth) {
        SCOPED_TRACE(nth);
        const auto base = memory_directory();
        store::FaultDirectory disk(*base);
        disk.fail(GetParam(), nth, ENOSPC);
        std::optional<IoError> error;
        const Ids committed = sorted(session(disk, config, error));
        if (!disk.failed()) break;
        ++faults;
        ASSERT_TRUE(error);
        EXPECT_EQ(ENOSPC, error->error_number());
        EXPECT_NE(std::string::npos, std::string(error->what()).find("No space left on device"));
        EXPECT_NE(std::string::npos, std::string(error->what()).find('/')) << error->what();
        ASSERT_EQ(committed, sorted(live_ids(disk)));
        expect_no_leftovers(disk);
        IndexWriter again(disk, config);
        add(again, "later", 99);
        again.close();
        Ids more = committed;
        more.emplace_back("later");
        ASSERT_EQ(sorted(more), sorted(live_ids(disk)));
        expect_no_leftovers(disk);
      }
      EXPECT_GT(faults, 10u);
    }
  }
}

// A disk without room refuses a file (no inode), its bytes, or, with bytes that are allocated late,
// only their fsync.
INSTANTIATE_TEST_SUITE_P(Operations, DiskFullTest,
                         testing::Values(FaultPoint::kCreate, FaultPoint::kAppend,
                                         FaultPoint::kClose, FaultPoint::kSync));

}  // namespace
}  // namespace postern::index
