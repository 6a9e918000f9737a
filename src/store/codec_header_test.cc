#include "store/codec_header.h"

#include <gtest/gtest.h>

#include <set>

#include "store/test_files.h"

namespace postern::store {
namespace {

const ObjectId kId = {0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27,
                      0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f};

Bytes written(std::string_view codec, uint32_t version, std::string_view suffix,
              std::string_view body = "") {
  auto directory = memory_directory();
  IndexOutput out(*directory, "file");
  write_index_header(out, codec, version, kId, suffix);
  EXPECT_EQ(out.file_pointer(), index_header_length(codec, suffix));
  out.write_bytes(body);
  write_footer(out);
  out.close();
  return read_file(*directory, "file");
}

TEST(CodecHeader, HeaderBytesAreThoseOfTheSpecsExample) {
  Bytes file = written("segments", 10, "1");
  file.resize(file.size() - kFooterLength);
  EXPECT_EQ(to_hex(file),
            "3fd76c17087365676d656e7473"
            "0000000a202122232425262728292a2b2c2d2e2f0131");
}

// The spec's segments_1, whose checksum Lucene accepted.
TEST(CodecHeader, FooterChecksumCoversAllBytesBeforeIt) {
  Bytes file = from_hex(
      "3fd76c17087365676d656e74730000000a202122232425262728292a2b2c2d2e2f01310a04000a"
      "00000000000000070100000001"
      "0a0400025f30101112131415161718191a1b1c1d1e1f094c7563656e65313034ffffffffffffffff00000000"
      "ffffffffffffffffffffffffffffffff0000000001303132333435363738393a3b3c3d3e3f00000000000"
      "0c02893e8000000000000000016e44599");
  check_footer(file, "segments_1", true);
  EXPECT_EQ(footer_checksum(file), 0x16e44599u);
  auto directory = memory_directory();
  IndexOutput out(*directory, "copy");
  out.write_bytes(std::span(file).first(file.size() - kFooterLength));
  write_footer(out);
  out.close();
  EXPECT_EQ(read_file(*directory, "copy"), file);
}

TEST(CodecHeader, RefusesOtherCodecIdSuffixAndVersion) {
  Bytes file = written("Codec", 3, "a", "body");
  ObjectId other = kId;
  other[15] ^= 1;
  auto open = [&](HeaderCheck check) { open_whole(file, "_0.x", check); };
  EXPECT_NO_THROW(open({"Codec", 3, 3, &kId, "a"}));
  EXPECT_NO_THROW(open({"Codec", 0, 9, nullptr, "a"}));
  EXPECT_THROW(open({"Codex", 3, 3, &kId, "a"}), CorruptIndex);
  EXPECT_THROW(open({"Code", 3, 3, &kId, "a"}), CorruptIndex);
  EXPECT_THROW(open({"Codec", 3, 3, &other, "a"}), CorruptIndex);
  EXPECT_THROW(open({"Codec", 3, 3, &kId, ""}), CorruptIndex);
  EXPECT_THROW(open({"Codec", 3, 3, &kId, "ab"}), CorruptIndex);
  EXPECT_THROW(open({"Codec", 4, 9, &kId, "a"}), NotSupported);
  EXPECT_THROW(open({"Codec", 0, 2, &kId, "a"}), NotSupported);
}

TEST(CodecHeader, BytesBetweenBodyAndFooterAreRefused) {
  Bytes file = written("Codec", 0, "", "body");
  ByteReader in = open_whole(file, "_0.x", {"Codec", 0, 0, &kId, ""});
  in.skip(3);
  EXPECT_THROW(check_at_end(in), CorruptIndex);
  in.skip(1);
  EXPECT_NO_THROW(check_at_end(in));
}

TEST(CodecHeader, EveryFlippedBitAndEveryCutIsRefused) {
  auto directory = memory_directory();
  put_file(*directory, "_0.x", written("Codec", 1, "zz", "some body"));
  expect_damage_refused(*directory, "_0.x", [&] {
    auto file = directory->open("_0.x");
    ByteReader in = open_whole(file->bytes(), "_0.x", {"Codec", 1, 1, &kId, "zz"});
    in.skip(9);
    check_at_end(in);
  });
}

TEST(CodecHeader, StructureOfTheFooterIsCheckedWithoutReadingTheFile) {
  Bytes file = written("Codec", 0, "", "body");
  file[30] ^= 1;
  EXPECT_NO_THROW(check_footer(file, "_0.x", false));
  EXPECT_THROW(check_footer(file, "_0.x", true), CorruptIndex);
  Bytes wide = file;
  wide[wide.size() - 5] = 1;  // a checksum of more than 32 bits
  EXPECT_THROW(check_footer(wide, "_0.x", false), CorruptIndex);
  file.pop_back();
  EXPECT_THROW(check_footer(file, "_0.x", false), CorruptIndex);
}

TEST(ObjectIds, DoNotRepeat) {
  std::set<ObjectId> seen;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(new_object_id()).second);
}

}  // namespace
}  // namespace postern::store
