// Damaged postings and terms: an error that names the file, or an answer; never anything else.
#include <gtest/gtest.h>

#include <algorithm>

#include "codec/postings_test_util.h"

namespace postern::codec {
namespace {

using testing::field_info;
using testing::Posting;
using testing::Terms;
using testing::TestSegment;

// Fields with every part of the format: full blocks, tails, positions, payloads, offsets; blocks of
// terms of each compression, floor blocks and a trie.
TestSegment small_segment() {
  TestSegment segment(
      {{field_info(0, IndexOptions::kFreqs), field_info(1, IndexOptions::kOffsets, true),
        field_info(2, IndexOptions::kDocs)}},
      1000);
  PostingsFormatWriter writer(segment.context(), segment.infos);
  Terms freqs;
  Terms positions;
  Terms ids;
  for (uint32_t doc = 0; doc < 600; ++doc) {
    freqs["every"].push_back({doc, 1 + doc % 5, {}});
    if (doc % 3 == 0) freqs["third"].push_back({doc, 1, {}});
    std::string payload(doc % 4, 'p');
    positions["all"].push_back({doc, 2, {{doc, 1, 4, payload}, {doc + 7, 9, 12 + doc % 2, ""}}});
    ids[testing::numbered("identifier", 100000 + doc * 37)] = {{doc, 1, {}}};
  }
  for (char c = 'a'; c < 'z'; ++c) freqs[std::string("prefix") + c] = {{7, 2, {}}};
  for (uint32_t i = 0; i < 40; ++i)
    freqs[std::string("repeated").append(30 + i, 'x')] = {{i, 1, {}}};
  testing::write_field(writer, segment.infos.fields[0], freqs);
  testing::write_field(writer, segment.infos.fields[1], positions);
  testing::write_field(writer, segment.infos.fields[2], ids);
  writer.close();
  return segment;
}

std::string name_of(const std::string& extension) {
  return segment_file("_0", kPostingsSuffix, extension.c_str());
}

void replace(TestSegment& segment, const std::string& extension, std::span<const uint8_t> bytes) {
  segment.directory->remove(name_of(extension));
  auto out = segment.directory->create(name_of(extension));
  out->append(bytes);
  out->close();
}

// Reads everything; returns the error's message, empty if there was none.
std::string read_all(TestSegment& segment) {
  try {
    segment.open();
    for (const FieldTerms& field : segment.terms->fields()) {
      for (const auto& [term, postings] : testing::read_field(segment, field)) field.find(term);
    }
  } catch (const CorruptIndex& e) {
    return e.what();
  } catch (const NotSupported& e) {
    return e.what();
  }
  return {};
}

const char* const kExtensions[] = {"doc", "pos", "pay", "psm", "tim", "tip", "tmd"};

TEST(PostingsCorrupt, AnUndamagedSegmentHasNoError) {
  TestSegment segment = small_segment();
  EXPECT_EQ(read_all(segment), "");
}

TEST(PostingsCorrupt, AnyTruncatedFileIsRefusedByName) {
  for (const char* extension : kExtensions) {
    TestSegment segment = small_segment();
    std::vector<uint8_t> bytes = segment.bytes(extension);
    for (size_t cut : {size_t{1}, size_t{16}, bytes.size() / 2, bytes.size()}) {
      replace(segment, extension, std::span(bytes.data(), bytes.size() - cut));
      EXPECT_TRUE(read_all(segment).starts_with(name_of(extension))) << extension << " - " << cut;
    }
  }
}

TEST(PostingsCorrupt, AnyByteChangedInFilesReadWholeIsRefusedByName) {
  for (const char* extension : {"psm", "tmd"}) {
    TestSegment segment = small_segment();
    std::vector<uint8_t> bytes = segment.bytes(extension);
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (int flip : {0x01, 0x80}) {
        std::vector<uint8_t> damaged = bytes;
        damaged[at] = static_cast<uint8_t>(damaged[at] ^ flip);
        replace(segment, extension, damaged);
        EXPECT_TRUE(read_all(segment).starts_with(name_of(extension))) << extension << " " << at;
      }
    }
  }
}

TEST(PostingsCorrupt, AnyByteChangedEndsInAnAnswerOrAnError) {
  uint32_t refused = 0;
  uint32_t tried = 0;
  for (const char* extension : {"doc", "pos", "pay", "tim", "tip"}) {
    TestSegment segment = small_segment();
    std::vector<uint8_t> bytes = segment.bytes(extension);
    const size_t step = bytes.size() / 100 + 1;
    for (size_t at = 0; at < bytes.size(); at += step) {
      for (int flip : {0x01, 0xff}) {
        std::vector<uint8_t> damaged = bytes;
        damaged[at] = static_cast<uint8_t>(damaged[at] ^ flip);
        replace(segment, extension, damaged);
        ++tried;
        std::string error = read_all(segment);
        refused += !error.empty();
        EXPECT_TRUE(error.empty() || error.starts_with("_0_Lucene104_0.")) << error;
      }
    }
  }
  EXPECT_GT(refused, tried / 10);
  EXPECT_LT(refused, tried);
}

// The same in the summary, whose checksum otherwise hides it from the reader.
TEST(PostingsCorrupt, ASummaryWithAGoodChecksumIsNotTrusted) {
  TestSegment segment = small_segment();
  std::vector<uint8_t> bytes = segment.bytes("tmd");
  uint32_t refused = 0;
  const size_t body = (9 + 18 + 16 + 1 + 11) + (9 + 28 + 16 + 1 + 11);
  for (size_t at = body; at + 16 < bytes.size(); ++at) {
    for (int flip : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = bytes;
      damaged[at] = static_cast<uint8_t>(damaged[at] ^ flip);
      store_be64(damaged.data() + damaged.size() - 8,
                 store::crc32(0, std::span(damaged.data(), damaged.size() - 8)));
      replace(segment, "tmd", damaged);
      std::string error = read_all(segment);
      refused += !error.empty();
      EXPECT_TRUE(error.empty() || error.starts_with("_0_Lucene104_0.")) << error;
    }
  }
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace postern::codec
