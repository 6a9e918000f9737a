// Lucene's own postings, read with our readers and written anew with our writer, must come out as
// the same bytes: that compares every choice the formats leave open, and both directions at once.
// POSTERN_TEST_INDEX names a further index to do it with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "codec/compound.h"
#include "codec/field_infos.h"
#include "codec/norms_reader.h"
#include "codec/postings_format_writer.h"
#include "codec/postings_reader.h"
#include "codec/segment_commit.h"
#include "codec/terms_reader.h"
#include "test_paths/golden.h"

namespace postern::codec {
namespace {

namespace fs = std::filesystem;

// The norm bytes of a field, 1 where there is none; empty if it has none at all.
std::vector<uint8_t> norm_bytes(const NormsReader* norms, const FieldInfo& info, uint32_t max_doc) {
  if (norms == nullptr || !norms->has_field(info.number)) return {};
  std::vector<uint8_t> out(max_doc, 1);
  for (uint32_t doc = 0; doc < max_doc; ++doc) {
    int64_t norm = norms->norm(info.number, doc).value_or(1);
    if (norm != static_cast<int8_t>(norm))
      throw NotSupported("norms of more than a byte in field " + info.name);
    out[doc] = static_cast<uint8_t>(norm);
  }
  return out;
}

void copy_term(PostingsFormatWriter& writer, PostingsCursor docs, const PostingsParts& parts) {
  for (uint32_t doc = docs.next_doc(); doc != PostingsCursor::kNoMoreDocs; doc = docs.next_doc()) {
    writer.start_doc(doc);
    uint32_t position = 0;
    uint32_t offset = 0;
    for (uint32_t i = 0; parts.positions && i < docs.freq(); ++i) {
      uint32_t next = docs.next_position();
      if (parts.pay()) {
        writer.add_position(next - position, docs.payload(), docs.start_offset() - offset,
                            docs.end_offset() - docs.start_offset());
      } else {
        writer.add_position(next - position);
      }
      position = next;
      offset = docs.start_offset();
    }
    writer.finish_doc(docs.freq());
  }
}

void expect_same_file(const Directory& expected, const Directory& actual, const std::string& name) {
  auto a = expected.open(name);
  auto b = actual.open(name);
  auto bytes_a = a->bytes();
  auto bytes_b = b->bytes();
  EXPECT_EQ(bytes_a.size(), bytes_b.size()) << name;
  auto [at, unused] = std::ranges::mismatch(bytes_a, bytes_b);
  if (at != bytes_a.end())
    ADD_FAILURE() << name << " differs from byte " << at - bytes_a.begin() << " on";
}

// Returns the number of terms.
uint64_t reencode_segment(const Directory& index, const SegmentInfo& segment) {
  std::unique_ptr<Directory> inside;
  if (segment.compound) inside = std::make_unique<CompoundReader>(index, segment.name, segment.id);
  const Directory& core = inside ? *inside : index;
  FieldInfos infos = read_field_infos(core, segment.name, segment.id, "");
  if (!has_postings_files(infos)) return 0;
  TermsReader terms(core, segment.name, segment.id, infos, segment.max_doc);
  PostingsReader postings(core, segment.name, segment.id, infos, segment.max_doc);
  std::unique_ptr<NormsReader> norms;
  if (infos.any_norms())
    norms = std::make_unique<NormsReader>(core, segment.name, segment.id, segment.max_doc);

  auto copy = memory_directory();
  PostingsFormatWriter writer({*copy, segment.name, segment.id, segment.max_doc}, infos);
  uint64_t count = 0;
  for (const FieldTerms& field : terms.fields()) {
    const FieldInfo& info = *infos.by_number(field.number());
    std::vector<uint8_t> norm = norm_bytes(norms.get(), info, segment.max_doc);
    writer.start_field(info, norm);
    TermsCursor cursor = field.terms();
    uint64_t of_field = 0;
    while (cursor.next()) {
      copy_term(writer, postings.postings(field.parts(), cursor.state()), field.parts());
      writer.finish_term(cursor.term());
      if (of_field++ % 17 == 0) {
        auto found = field.find(cursor.term());
        EXPECT_TRUE(found && found->doc_start == cursor.state().doc_start &&
                    found->total_term_freq == cursor.state().total_term_freq)
            << field.name() << ": a look-up finds another term than iteration";
      }
    }
    EXPECT_EQ(of_field, field.term_count());
    count += of_field;
    EXPECT_TRUE(writer.finish_field(field.doc_count()));
  }
  writer.close();
  EXPECT_EQ(writer.files().size(), copy->list().size());
  for (const std::string& name : copy->list()) expect_same_file(core, *copy, name);
  return count;
}

uint64_t reencode_index(const fs::path& path) {
  SCOPED_TRACE(path.string());
  auto index = open_directory(path);
  Commit commit = read_commit(*index, latest_generation(*index).value());
  uint64_t terms = 0;
  for (const SegmentCommitInfo& segment : commit.segments)
    terms += reencode_segment(*index, segment.info);
  return terms;
}

TEST(PostingsReencode, LuceneIndexesComeOutByteIdentical) {
  fs::path golden = POSTERN_GOLDEN_FOLDER;
  uint64_t terms = 0;
  for (const auto& entry : fs::directory_iterator(golden)) {
    if (fs::exists(entry.path() / "index")) terms += reencode_index(entry.path() / "index");
  }
  EXPECT_GT(terms, 10000u);
}

TEST(PostingsReencode, AnyOtherIndexComesOutByteIdentical) {
  const char* path = std::getenv("POSTERN_TEST_INDEX");
  if (path == nullptr) GTEST_SKIP() << "POSTERN_TEST_INDEX is not set";
  EXPECT_GT(reencode_index(path), 0u);
}

}  // namespace
}  // namespace postern::codec
