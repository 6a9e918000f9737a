#include "codec/segment_commit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codec/file_names.h"
#include "codec/golden_index.h"
#include "store/fault_directory.h"
#include "store/test_files.h"

namespace postern::codec {
namespace {

using store::Bytes;

// A commit of Lucene 10.4: two segments, the first with a deleted document, an update of doc
// values and so a field-infos file of its own; user data.
const char kUpdated[] =
    "3fd76c17087365676d656e74730000000afeedf553ab6596a9fd4c548bf43ff4d501320a04000a00000000000000"
    "0a02000000020a0400025f30feedf553ab6596a9fd4c548bf43ff4cb094c7563656e653130340000000000000001"
    "00000001000000000000000100000000000000010000000001feedf553ab6596a9fd4c548bf43ff4d401085f305f"
    "312e666e6d000000010000000202135f305f315f4c7563656e6539305f302e64766d135f305f315f4c7563656e65"
    "39305f302e647664025f31feedf553ab6596a9fd4c548bf43ff4ce094c7563656e65313034ffffffffffffffff00"
    "000000ffffffffffffffffffffffffffffffff0000000001feedf553ab6596a9fd4c548bf43ff4d0000000000002"
    "016b06c3a9f09f988006736f757263650474657374c02893e8000000000000000083a40433";

// docs/formats/11 §7.
const char kExample[] =
    "3fd76c17087365676d656e74730000000a202122232425262728292a2b2c2d2e2f01310a04000a"
    "000000000000000701000000010a0400025f30101112131415161718191a1b1c1d1e1f"
    "094c7563656e65313034ffffffffffffffff00000000ffffffffffffffffffffffffffffffff00000000"
    "01303132333435363738393a3b3c3d3e3f000000000000c02893e8000000000000000016e44599";

store::ObjectId id_from(const std::string& hex) {
  store::ObjectId id;
  std::ranges::copy(store::from_hex(hex), id.begin());
  return id;
}

SegmentInfo segment(const std::string& name, const store::ObjectId& id, uint32_t max_doc) {
  SegmentInfo info;
  info.name = name;
  info.id = id;
  info.max_doc = max_doc;
  info.files = {name + ".si", name + ".fnm"};
  info.attributes = {{kStoredFieldsModeKey, "BEST_SPEED"}};
  return info;
}

const store::ObjectId kExampleSegment = id_from("101112131415161718191a1b1c1d1e1f");

std::unique_ptr<Directory> example_index() {
  auto directory = memory_directory();
  write_segment_info(*directory, segment("_0", kExampleSegment, 2));
  store::put_file(*directory, "segments_1", store::from_hex(kExample));
  return directory;
}

// The commit's bytes as it would be published, under the given id instead of a fresh one.
Bytes encoded(Commit commit, const store::ObjectId& id) {
  auto directory = memory_directory();
  std::string name = write_pending_commit(*directory, commit);
  Bytes bytes = store::read_file(*directory, name);
  std::ranges::copy(id, bytes.begin() + 17);
  store::reseal(bytes);
  return bytes;
}

// What the reader says of the example's commit after a change.
std::string message(const std::function<void(Commit&)>& change) {
  auto directory = example_index();
  Commit commit = read_commit(*directory, 1);
  change(commit);
  store::put_file(*directory, "segments_1", encoded(commit, commit.id));
  return store::refusal([&] { read_commit(*directory, 1); });
}

TEST(SegmentCommit, ReadsAndWritesTheSpecsExample) {
  Commit commit = read_commit(*example_index(), 1);
  EXPECT_EQ(commit.generation, 1u);
  EXPECT_EQ(commit.id, id_from("202122232425262728292a2b2c2d2e2f"));
  EXPECT_EQ(commit.version, 7u);
  EXPECT_EQ(commit.counter, 1u);
  EXPECT_EQ(commit.created_major, 10u);
  ASSERT_EQ(commit.segments.size(), 1u);
  EXPECT_EQ(commit.segments[0].info.name, "_0");
  EXPECT_EQ(commit.segments[0].info.max_doc, 2u);
  EXPECT_EQ(commit.segments[0].del_gen, -1);
  EXPECT_EQ(commit.segments[0].commit_id, id_from("303132333435363738393a3b3c3d3e3f"));
  EXPECT_TRUE(commit.user_data.empty());
  EXPECT_EQ(commit.files(), (std::vector<std::string>{"_0.fnm", "_0.si", "segments_1"}));
  EXPECT_EQ(store::to_hex(encoded(commit, commit.id)), kExample);
}

TEST(SegmentCommit, ReadsAndWritesWhatLuceneWroteAfterUpdates) {
  auto directory = memory_directory();
  write_segment_info(*directory, segment("_0", id_from("feedf553ab6596a9fd4c548bf43ff4cb"), 3));
  write_segment_info(*directory, segment("_1", id_from("feedf553ab6596a9fd4c548bf43ff4ce"), 1));
  store::put_file(*directory, "segments_2", store::from_hex(kUpdated));
  Commit commit = read_commit(*directory, 2);
  ASSERT_EQ(commit.segments.size(), 2u);
  EXPECT_EQ(commit.counter, 2u);
  EXPECT_EQ(commit.version, 10u);
  EXPECT_EQ(commit.total_documents(), 4u);
  EXPECT_EQ(commit.user_data, (StringPairs{{"k", "é😀"}, {"source", "test"}}));
  const SegmentCommitInfo& first = commit.segments[0];
  EXPECT_EQ(first.del_gen, 1);
  EXPECT_EQ(first.del_count, 1u);
  EXPECT_EQ(first.field_infos_gen, 1);
  EXPECT_EQ(first.doc_values_gen, 1);
  EXPECT_EQ(first.field_infos_files, std::vector<std::string>{"_0_1.fnm"});
  ASSERT_EQ(first.doc_values_updates.size(), 1u);
  EXPECT_EQ(first.doc_values_updates[0].field_number, 2u);
  EXPECT_EQ(first.files(),
            (std::vector<std::string>{"_0.fnm", "_0.si", "_0_1.fnm", "_0_1.liv",
                                      "_0_1_Lucene90_0.dvd", "_0_1_Lucene90_0.dvm"}));
  EXPECT_EQ(store::to_hex(encoded(commit, commit.id)), kUpdated);
}

TEST(SegmentCommit, GoldenIndexesAreReadAndRewrittenAsLuceneWroteThem) {
  for (const std::string& name : golden_names()) {
    auto directory = open_directory(golden_index(name));
    std::optional<Commit> commit = read_latest_commit(*directory);
    ASSERT_TRUE(commit) << name;
    Bytes lucenes = store::read_file(*directory, commit_file_name(commit->generation));
    EXPECT_EQ(store::to_hex(encoded(*commit, commit->id)), store::to_hex(lucenes)) << name;
    auto present = directory->list();
    std::erase(present, "write.lock");
    auto files = commit->files();
    std::ranges::sort(files);
    EXPECT_EQ(files, present) << name;
    for (const SegmentCommitInfo& s : commit->segments) {
      auto copy = memory_directory();
      std::string file = write_segment_info(*copy, s.info);
      EXPECT_EQ(store::to_hex(store::read_file(*copy, file)),
                store::to_hex(store::read_file(*directory, file)))
          << name;
    }
  }
}

TEST(SegmentCommit, AnIndexWithoutSegmentsIsLegal) {
  auto directory = memory_directory();
  Commit commit;
  commit.generation = 36;
  commit.user_data = {{"a", "b"}};
  EXPECT_EQ(write_pending_commit(*directory, commit), "pending_segments_10");
  EXPECT_EQ(latest_generation(*directory), std::nullopt);
  EXPECT_FALSE(read_latest_commit(*directory));
  directory->rename("pending_segments_10", "segments_10");
  Commit again = read_latest_commit(*directory).value();
  EXPECT_EQ(again.generation, 36u);
  EXPECT_EQ(again.id, commit.id);
  EXPECT_EQ(again.user_data, commit.user_data);
  EXPECT_TRUE(again.segments.empty());
}

TEST(SegmentCommit, EachCommitHasAFreshId) {
  auto directory = memory_directory();
  Commit commit;
  commit.generation = 1;
  write_pending_commit(*directory, commit);
  store::ObjectId first = commit.id;
  commit.generation = 2;
  write_pending_commit(*directory, commit);
  EXPECT_NE(commit.id, first);
  commit.generation = 0;
  EXPECT_THROW(write_pending_commit(*directory, commit), InvalidArgument);
}

TEST(SegmentCommit, DamageIsRefused) {
  auto directory = example_index();
  store::expect_damage_refused(*directory, "segments_1", [&] { read_commit(*directory, 1); });
}

TEST(SegmentCommit, TheNewestGenerationCountsAndThereIsNoFallback) {
  auto directory = example_index();
  Commit commit = read_commit(*directory, 1);
  commit.generation = 11;
  write_pending_commit(*directory, commit);
  directory->rename("pending_segments_b", "segments_b");
  EXPECT_EQ(latest_generation(*directory), 11u);
  Bytes cut = store::read_file(*directory, "segments_b");
  cut.resize(cut.size() / 2);
  store::put_file(*directory, "segments_b", cut);
  EXPECT_THROW(read_latest_commit(*directory), CorruptIndex);
}

TEST(SegmentCommit, NamesLikeACommitThatAreNoneBreakOpening) {
  for (const char* name : {"segments_bad!", "segments", "segments_0", "segments.gen"}) {
    auto directory = example_index();
    store::put_file(*directory, name, Bytes{});
    EXPECT_NE(store::refusal([&] { latest_generation(*directory); }).find(name), std::string::npos);
  }
}

TEST(SegmentCommit, AMissingSegmentInfoIsAnErrorThatNamesIt) {
  auto directory = example_index();
  directory->remove("_0.si");
  try {
    read_latest_commit(*directory);
    ADD_FAILURE();
  } catch (const IoError& e) {
    EXPECT_NE(std::string(e.what()).find("_0.si"), std::string::npos);
  }
}

TEST(SegmentCommit, ChecksItsCounts) {
  using C = Commit;
  EXPECT_NE(message([](C& c) { c.segments[0].del_count = 1; }).find("without a .liv"),
            std::string::npos);
  EXPECT_NE(message([](C& c) {
              c.segments[0].del_gen = 1, c.segments[0].del_count = 3;
            }).find("3 deleted and 0 soft-deleted of 2"),
            std::string::npos);
  EXPECT_NE(message([](C& c) {
              auto& s = c.segments[0];
              s.del_gen = 1, s.del_count = 1, s.soft_del_count = 2;
            }).find("1 deleted and 2 soft-deleted of 2"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.segments[0].soft_del_count = 0xffffffff; }).find("soft-deleted"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.segments[0].del_gen = -2; }).find("generation is -2"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.version = uint64_t{1} << 63; }).find("negative"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.segments.push_back(c.segments[0]); }).find("_0 twice"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.created_major = 11; }).find("created by Lucene 11"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.created_major = 8; }).find("created by Lucene 8"),
            std::string::npos);
  EXPECT_NE(message([](C& c) {
              c.segments[0].info.version = {10, 9, 0};
            }).find("older than"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.segments[0].field_infos_files = {"_1_1.fnm"}; }).find("_1_1.fnm"),
            std::string::npos);
  EXPECT_NE(message([](C& c) { c.segments[0].info.name = "_../x"; }).find("impossible segment"),
            std::string::npos);
}

TEST(SegmentCommit, TooManyDocumentsAreRefused) {
  auto directory = memory_directory();
  Commit commit;
  commit.generation = 1;
  for (const char* name : {"_0", "_1"}) {
    SegmentCommitInfo s;
    s.info = segment(name, store::new_object_id(), 1'500'000'000);
    write_segment_info(*directory, s.info);
    commit.segments.push_back(s);
  }
  write_pending_commit(*directory, commit);
  directory->rename("pending_segments_1", "segments_1");
  EXPECT_NE(store::refusal([&] { read_commit(*directory, 1); }).find("3000000000 documents"),
            std::string::npos);
}

TEST(SegmentCommit, CodecsAndVersionsOfOthersAreNamed) {
  auto directory = example_index();
  const Bytes good = store::from_hex(kExample);
  auto patched = [&](const std::string& from, const std::string& to) {
    Bytes bytes = good;
    auto at = std::ranges::search(bytes, store::from_hex(from));
    EXPECT_FALSE(at.empty());
    std::ranges::copy(store::from_hex(to), at.begin());
    store::reseal(bytes);
    store::put_file(*directory, "segments_1", bytes);
    EXPECT_THROW(read_commit(*directory, 1), NotSupported);
    return store::refusal([&] { read_commit(*directory, 1); });
  };
  // "Lucene104" -> "Lucene103"
  EXPECT_NE(patched("094c7563656e65313034", "094c7563656e65313033")
                .find("segments_1: segment _0 has the codec 'Lucene103' "
                      "(commit written by Lucene 10.4.0); postern reads Lucene104"),
            std::string::npos);
  EXPECT_NE(patched("0a04000a", "0b04000a").find("written by Lucene 11.4.0"), std::string::npos);
  EXPECT_NE(patched("0000000a20", "0000000b20").find("version 11 of 'segments'"),
            std::string::npos);
}

TEST(SegmentCommit, AFailedWriteLeavesNoPendingFile) {
  auto base = memory_directory();
  store::FaultDirectory faulty(*base);
  for (auto point : {store::FaultPoint::kAppend, store::FaultPoint::kClose}) {
    Commit commit;
    commit.generation = 1;
    faulty.fail(point, 1, ENOSPC);
    EXPECT_THROW(write_pending_commit(faulty, commit), IoError);
    EXPECT_TRUE(base->list().empty());
  }
}

// A reader lists the folder, and the writer publishes a commit and deletes the old one before the
// reader opens it.
class RacingDirectory : public store::FaultDirectory {
 public:
  RacingDirectory(Directory& base, std::function<void()> writer)
      : FaultDirectory(base), writer_(std::move(writer)) {}
  std::vector<std::string> list() const override {
    auto names = FaultDirectory::list();
    if (auto writer = std::exchange(writer_, nullptr)) writer();
    return names;
  }

 private:
  mutable std::function<void()> writer_;
};

TEST(SegmentCommit, AReaderThatLostARaceFindsTheNewerCommit) {
  auto base = example_index();
  RacingDirectory directory(*base, [&] {
    Commit next = read_commit(*base, 1);
    next.generation = 2;
    write_pending_commit(*base, next);
    base->rename("pending_segments_2", "segments_2");
    base->remove("segments_1");
  });
  // The wrapper's constructor listed nothing through list(), so the race is still to come.
  EXPECT_EQ(read_latest_commit(directory).value().generation, 2u);
}

}  // namespace
}  // namespace postern::codec
