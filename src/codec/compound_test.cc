#include "codec/compound.h"

#include <gtest/gtest.h>

#include "codec/field_infos.h"
#include "codec/golden_index.h"
#include "codec/segment_commit.h"
#include "store/fault_directory.h"
#include "store/test_files.h"

namespace postern::codec {
namespace {

using store::Bytes;

const store::ObjectId kId = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

void write_part(Directory& directory, const std::string& name, size_t body,
                const store::ObjectId& id = kId) {
  store::IndexOutput out(directory, name);
  store::write_index_header(out, "Part", 0, id, "");
  out.write_bytes(std::string(body, 'x'));
  store::write_footer(out);
  out.close();
}

const std::vector<std::string> kNames = {"_0_Lucene104_0.doc", "_0.fdt", "_0.fnm"};

std::unique_ptr<Directory> parts() {
  auto directory = memory_directory();
  write_part(*directory, kNames[0], 300'000);
  write_part(*directory, kNames[1], 10);
  write_part(*directory, kNames[2], 1000);
  return directory;
}

TEST(Compound, HoldsEachFileAsItWasInOrderOfLengthAlignedTo64) {
  auto directory = parts();
  CompoundFiles files = write_compound(*directory, "_0", kId, kNames);
  EXPECT_EQ(files.data, "_0.cfs");
  EXPECT_EQ(files.entries, "_0.cfe");
  CompoundReader reader(*directory, "_0", kId);
  reader.check_integrity();
  EXPECT_EQ(reader.list(), (std::vector<std::string>{"_0.fdt", "_0.fnm", "_0_Lucene104_0.doc"}));
  const uint8_t* begin = directory->open("_0.cfs")->bytes().data();
  const uint8_t* before = begin;
  for (const char* name : {"_0.fdt", "_0.fnm", "_0_Lucene104_0.doc"}) {
    EXPECT_EQ(store::read_file(reader, name), store::read_file(*directory, name));
    EXPECT_EQ(reader.file_length(name), directory->file_length(name));
    auto inner = reader.open(name);
    EXPECT_EQ((inner->bytes().data() - begin) % 64, 0);
    EXPECT_GT(inner->bytes().data(), before);
    before = inner->bytes().data();
  }
}

TEST(Compound, GoldenFilesAreReadAndPackedAgain) {
  auto directory = open_directory(golden_index("mixed_compound"));
  Commit commit = read_latest_commit(*directory).value();
  ASSERT_EQ(commit.segments.size(), 3u);
  for (const SegmentCommitInfo& s : commit.segments) {
    ASSERT_TRUE(s.info.compound);
    CompoundReader reader(*directory, s.info.name, s.info.id);
    reader.check_integrity();
    EXPECT_FALSE(read_field_infos(reader, s.info.name, s.info.id, "").fields.empty());
    auto loose = memory_directory();
    for (const std::string& name : reader.list()) {
      Bytes bytes = store::read_file(reader, name);
      EXPECT_NO_THROW(store::check_footer(bytes, name, true));
      store::put_file(*loose, name, bytes);
    }
    auto names = loose->list();
    CompoundFiles files = write_compound(*loose, s.info.name, s.info.id, names);
    EXPECT_EQ(loose->file_length(files.data), directory->file_length(files.data));
    EXPECT_EQ(loose->file_length(files.entries), directory->file_length(files.entries));
    CompoundReader again(*loose, s.info.name, s.info.id);
    EXPECT_EQ(again.list(), reader.list());
    for (const std::string& name : names)
      EXPECT_EQ(store::read_file(again, name), store::read_file(reader, name));
  }
}

TEST(Compound, ADamagedOrForeignPartIsNotPacked) {
  struct Case {
    const char* what;
    std::function<void(Directory&)> damage;
  };
  const Case cases[] = {
      {"checksum",
       [](Directory& d) {
         Bytes bytes = store::read_file(d, "_0.fnm");
         bytes[500] ^= 1;
         store::put_file(d, "_0.fnm", bytes);
       }},
      {"truncated",
       [](Directory& d) {
         Bytes bytes = store::read_file(d, "_0.fnm");
         bytes.resize(700);
         store::put_file(d, "_0.fnm", bytes);
       }},
      {"ends too early", [](Directory& d) { store::put_file(d, "_0.fnm", Bytes{}); }},
      {"another segment",
       [](Directory& d) {
         d.remove("_0.fnm");
         write_part(d, "_0.fnm", 1000, store::ObjectId{9});
       }},
  };
  for (const Case& c : cases) {
    auto directory = parts();
    c.damage(*directory);
    std::string message = store::refusal([&] { write_compound(*directory, "_0", kId, kNames); });
    EXPECT_NE(message.find("_0.fnm"), std::string::npos) << message;
    EXPECT_NE(message.find(c.what), std::string::npos) << message;
    EXPECT_EQ(directory->list().size(), 3u) << "no half compound file is left";
  }
}

TEST(Compound, OnlyFilesOfTheSegmentArePacked) {
  auto directory = parts();
  write_part(*directory, "_1.fdt", 1);
  std::vector<std::string> names = {"_0.fdt", "_1.fdt"};
  EXPECT_THROW(write_compound(*directory, "_0", kId, names), InvalidArgument);
}

TEST(Compound, AFullDiskLeavesNoCompoundFile) {
  auto base = parts();
  store::FaultDirectory faulty(*base);
  uint64_t appends = 0;
  for (uint64_t n = 1;; ++n) {
    faulty.fail(store::FaultPoint::kAppend, n, ENOSPC);
    try {
      write_compound(faulty, "_0", kId, kNames);
      break;
    } catch (const IoError& e) {
      EXPECT_EQ(e.error_number(), ENOSPC);
      EXPECT_EQ(base->list().size(), 3u);
      ++appends;
    }
  }
  EXPECT_GE(appends, 3u);
}

TEST(Compound, DamageOfTheEntriesIsRefused) {
  auto directory = parts();
  write_compound(*directory, "_0", kId, kNames);
  store::expect_damage_refused(*directory, "_0.cfe",
                               [&] { CompoundReader(*directory, "_0", kId); });
}

TEST(Compound, DamageOfTheDataIsRefused) {
  auto directory = memory_directory();
  write_part(*directory, "_0.fdt", 10);
  write_part(*directory, "_0.fnm", 20);
  std::vector<std::string> names = {"_0.fdt", "_0.fnm"};
  write_compound(*directory, "_0", kId, names);
  store::expect_damage_refused(*directory, "_0.cfs", [&] {
    CompoundReader reader(*directory, "_0", kId);
    reader.check_integrity();
  });
}

// The .cfs is large, so opening it reads only its ends.
TEST(Compound, OpeningSeesWrongLengthsAndForeignData) {
  auto directory = parts();
  write_compound(*directory, "_0", kId, kNames);
  Bytes good = store::read_file(*directory, "_0.cfs");
  auto refused = [&](const Bytes& bytes) {
    store::put_file(*directory, "_0.cfs", bytes);
    return store::refusal([&] { CompoundReader(*directory, "_0", kId); });
  };
  Bytes longer(good.begin(), good.end() - store::kFooterLength);
  longer.insert(longer.end(), 64, 0);
  longer.insert(longer.end(), good.end() - store::kFooterLength, good.end());
  EXPECT_NE(refused(longer).find("_0.cfe says " + std::to_string(good.size())), std::string::npos);
  Bytes shorter(good.begin(), good.end() - 1000);
  shorter.insert(shorter.end(), good.end() - store::kFooterLength, good.end());
  EXPECT_NE(refused(shorter).find("beyond the end of _0.cfs"), std::string::npos);
  Bytes foreign = good;
  foreign[9 + 20] ^= 1;
  EXPECT_NE(refused(foreign).find("_0.cfs: belongs to another segment"), std::string::npos);
}

TEST(Compound, IsReadOnly) {
  auto directory = parts();
  write_compound(*directory, "_0", kId, kNames);
  CompoundReader reader(*directory, "_0", kId);
  EXPECT_THROW(reader.create("_0.x"), NotSupported);
  EXPECT_THROW(reader.remove("_0.fdt"), NotSupported);
  EXPECT_THROW(reader.rename("_0.fdt", "_0.x"), NotSupported);
  EXPECT_THROW(reader.sync(kNames), NotSupported);
  EXPECT_THROW(reader.sync_metadata(), NotSupported);
  EXPECT_THROW(reader.lock("write.lock"), NotSupported);
  try {
    reader.open("_0.none");
    ADD_FAILURE();
  } catch (const IoError& e) {
    EXPECT_EQ(e.error_number(), ENOENT);
    EXPECT_NE(std::string(e.what()).find("_0.cfs/_0.none"), std::string::npos) << e.what();
  }
}

TEST(Compound, OffsetsHave64Bits) {
  // A sparse file of 5 GB: its holes take no space on disk.
  store::TempFolder folder;
  auto directory = open_directory(folder.path());
  constexpr uint64_t kOffset = (uint64_t{5} << 30) + 64;
  write_part(*directory, "_0.fdt", 10);
  Bytes part = store::read_file(*directory, "_0.fdt");
  {
    auto memory = memory_directory();
    store::IndexOutput head(*memory, "head");
    store::write_index_header(head, "Lucene90CompoundData", 0, kId, "");
    head.close();
    Bytes bytes = store::read_file(*memory, "head");
    store::put_file(*directory, "_0.cfs", bytes);
    std::filesystem::resize_file(folder.path() / "_0.cfs", kOffset);
    std::FILE* file = std::fopen(folder.file("_0.cfs").c_str(), "ab");
    ASSERT_NE(file, nullptr);
    std::fwrite(part.data(), 1, part.size(), file);
    // A footer whose checksum is not that of the file; opening reads its structure only.
    std::fwrite(part.data() + part.size() - 16, 1, 16, file);
    std::fclose(file);
  }
  store::IndexOutput entries(*directory, "_0.cfe");
  store::write_index_header(entries, "Lucene90CompoundEntries", 0, kId, "");
  entries.write_vint(1);
  entries.write_string(".fdt");
  entries.write_le64(kOffset);
  entries.write_le64(part.size());
  store::write_footer(entries);
  entries.close();
  CompoundReader reader(*directory, "_0", kId);
  EXPECT_EQ(store::read_file(reader, "_0.fdt"), part);
}

}  // namespace
}  // namespace postern::codec
