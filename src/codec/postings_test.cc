// Postings lists of every shape: written, compared with the specification's bytes, read back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "codec/pfor.h"
#include "codec/postings_test_util.h"

namespace postern::codec {
namespace {

using testing::field_info;
using testing::Occurrence;
using testing::Posting;
using testing::Terms;
using testing::TestSegment;

class Random {
 public:
  explicit Random(uint64_t seed) : x_(seed) {}
  uint32_t below(uint64_t n) {
    x_ = x_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((x_ >> 33) % n);
  }

 private:
  uint64_t x_;
};

struct Column {
  IndexOptions options;
  bool payloads;
};
// The columns of docs/formats/32 §5, payloads with and without offsets.
const Column kColumns[] = {
    {IndexOptions::kDocs, false},      {IndexOptions::kFreqs, false},
    {IndexOptions::kPositions, false}, {IndexOptions::kPositions, true},
    {IndexOptions::kOffsets, false},   {IndexOptions::kOffsets, true},
};

void add_occurrences(Posting& posting, const PostingsParts& parts, uint32_t count,
                     uint32_t max_payload, Random& random) {
  Occurrence o;
  for (uint32_t i = 0; i < count; ++i) {
    o.position += random.below(random.below(50) == 0 ? 1000000 : 4);
    o.payload.clear();
    if (parts.payloads && random.below(3) != 0) {
      o.payload.resize(random.below(max_payload + 1));
      for (char& c : o.payload) c = static_cast<char>(random.below(256));
    }
    if (parts.offsets) {
      o.start_offset += random.below(random.below(30) == 0 ? 100000 : 9);
      o.end_offset = o.start_offset + (random.below(20) == 0 ? random.below(5000) : 5);
    }
    posting.occurrences.push_back(o);
  }
}

// A list of `count` documents with gaps of up to max_gap.
std::vector<Posting> make_list(const PostingsParts& parts, uint32_t count, uint32_t max_gap,
                               uint32_t max_freq, uint32_t max_payload, Random& random) {
  std::vector<Posting> out;
  uint32_t doc = random.below(max_gap);
  for (uint32_t i = 0; i < count; ++i, doc += 1 + random.below(max_gap)) {
    Posting posting{doc, 1, {}};
    if (parts.freqs && random.below(2) == 0) posting.freq += random.below(max_freq);
    if (parts.positions) add_occurrences(posting, parts, posting.freq, max_payload, random);
    out.push_back(std::move(posting));
  }
  return out;
}

void expect_round_trip(const Column& column, const Terms& terms, uint32_t max_doc = INT32_MAX) {
  TestSegment segment({{field_info(3, column.options, column.payloads)}}, max_doc);
  PostingsFormatWriter writer(segment.context(), segment.infos);
  testing::write_field(writer, segment.infos.fields[0], terms);
  writer.close();
  segment.open();
  ASSERT_EQ(segment.terms->fields().size(), 1u);
  const FieldTerms& field = segment.terms->fields()[0];
  ASSERT_TRUE(testing::read_field(segment, field) == terms);
  for (const auto& [term, postings] : terms) {
    auto state = field.find(term);
    ASSERT_TRUE(state);
    ASSERT_EQ(state->doc_freq, postings.size());
  }
}

RC_GTEST_PROP(Postings, EveryColumnOfOptionsReadsBackWhatWasWritten, ()) {
  const Column column =
      *rc::gen::elementOf(std::vector<Column>(std::begin(kColumns), std::end(kColumns)));
  Random random(*rc::gen::arbitrary<uint64_t>());
  PostingsParts parts(field_info(0, column.options, column.payloads));
  Terms terms;
  for (uint32_t i = *rc::gen::inRange(1u, 30u); i > 0; --i) {
    uint32_t docs = 1 + random.below(random.below(3) == 0 ? 1000 : 20);
    uint32_t gap = 1 + random.below(uint64_t{1} << random.below(20));
    terms[testing::numbered("t", random.below(1000))] =
        make_list(parts, docs, gap, 1 + random.below(12), 300, random);
  }
  expect_round_trip(column, terms);
}

TEST(Postings, ListsAroundTheBlockAndGroupSizesReadBack) {
  for (const Column& column : kColumns) {
    Random random(7);
    PostingsParts parts(field_info(0, column.options, column.payloads));
    Terms terms;
    for (uint32_t docs : {1u, 2u, 255u, 256u, 257u, 511u, 512u, 513u, 8191u, 8192u, 8193u, 8448u,
                          16384u, 16390u, 25000u})
      terms[testing::numbered("n", docs)] = make_list(parts, docs, 1 + docs % 5, 3, 4, random);
    expect_round_trip(column, terms);
  }
}

TEST(Postings, PositionsAroundTheBlockSizeReadBack) {
  for (const Column& column : kColumns) {
    PostingsParts parts(field_info(0, column.options, column.payloads));
    if (!parts.positions) continue;
    Random random(8);
    Terms terms;
    for (uint32_t freq : {255u, 256u, 257u, 512u, 5000u}) {
      Posting one{17, freq, {}};
      add_occurrences(one, parts, freq, 20, random);
      Posting next{20, 1, {}};
      add_occurrences(next, parts, 1, 20, random);
      terms[testing::numbered("one", freq)] = {one};
      terms[testing::numbered("two", freq)] = {one, next};
    }
    expect_round_trip(column, terms);
  }
}

TEST(Postings, TheLargestFrequenciesReadBack) {
  Terms terms;
  terms["one"] = {{5, INT32_MAX, {}}};
  terms["tail"] = {{5, INT32_MAX, {}}, {6, 1, {}}, {7, INT32_MAX - 1, {}}};
  for (uint32_t i = 0; i < 300; ++i)
    terms["block"].push_back({i, i % 2 ? uint32_t{INT32_MAX} - i : i + 1, {}});
  expect_round_trip({IndexOptions::kFreqs, false}, terms);
}

// Bug report row 21: a delta of 2^30 and more takes all 32 bits of the tail's code.
TEST(Postings, DocumentsFarApartWithFrequenciesReadBack) {
  Terms terms;
  terms["far"] = {{0, 2, {}}, {1u << 30, 3, {}}, {0x7ffffffd, 1, {}}};
  terms["first"] = {{0x7ffffffc, 7, {}}, {0x7ffffffd, 9, {}}};
  for (uint32_t i = 0; i < 260; ++i)
    terms["block"].push_back({i < 200 ? i : 0x7fffff00 + i - 200, i, {}});
  for (Posting& posting : terms["block"]) posting.freq = posting.doc % 3 + 1;
  expect_round_trip({IndexOptions::kFreqs, false}, terms);
}

TEST(Postings, APayloadFieldMayHaveOccurrencesWithout) {
  Terms terms;
  for (uint32_t doc = 0; doc < 700; ++doc)
    terms["p"].push_back({doc, 1, {{doc, 0, 0, doc == 300 ? "x" : ""}}});
  terms["q"] = {{3, 1, {{9, 0, 0, ""}}}};
  expect_round_trip({IndexOptions::kPositions, true}, terms);
}

TEST(Postings, PositionsThatAreNotAskedForArePassedBy) {
  Random random(3);
  Column column{IndexOptions::kOffsets, true};
  TestSegment segment({{field_info(0, column.options, column.payloads)}});
  PostingsParts parts(segment.infos.fields[0]);
  Terms terms;
  terms["t"] = make_list(parts, 2000, 3, 9, 10, random);
  PostingsFormatWriter writer(segment.context(), segment.infos);
  testing::write_field(writer, segment.infos.fields[0], terms);
  writer.close();
  segment.open();
  auto cursor = segment.postings->postings(parts, *segment.terms->fields()[0].find("t"));
  for (size_t i = 0; i < terms["t"].size(); ++i) {
    const Posting& expected = terms["t"][i];
    ASSERT_EQ(cursor.next_doc(), expected.doc);
    if (i % 97 != 0 && i % 98 != 0) continue;
    uint32_t wanted = i % 97 == 0 ? expected.freq : (expected.freq + 1) / 2;
    for (uint32_t k = 0; k < wanted; ++k) {
      ASSERT_EQ(cursor.next_position(), expected.occurrences[k].position);
      ASSERT_EQ(cursor.start_offset(), expected.occurrences[k].start_offset);
      ASSERT_EQ(testing::as_string(cursor.payload()), expected.occurrences[k].payload);
    }
  }
  EXPECT_EQ(cursor.next_doc(), PostingsCursor::kNoMoreDocs);
  EXPECT_EQ(cursor.next_doc(), PostingsCursor::kNoMoreDocs);
}

// What a segment's file holds between its header and its footer.
std::vector<uint8_t> body(const TestSegment& segment, const std::string& extension,
                          std::string_view codec) {
  std::vector<uint8_t> bytes = segment.bytes(extension);
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(26 + codec.size() + 11));
  bytes.resize(bytes.size() - store::kFooterLength);
  return bytes;
}

TEST(Postings, TheTailOfTheSpecificationIsWrittenAsThere) {
  TestSegment segment({{field_info(0, IndexOptions::kFreqs)}});
  PostingsFormatWriter writer(segment.context(), segment.infos);
  testing::write_field(writer, segment.infos.fields[0], {{"t", {{7, 1, {}}, {11, 3, {}}}}});
  writer.close();
  EXPECT_EQ(body(segment, "doc", kPostingsDocCodec), (std::vector<uint8_t>{0x11, 0x08, 0x03}));
}

// docs/formats/30 §5.1 and 32 §3, worked out by hand: 256 consecutive documents of frequency 1.
TEST(Postings, ABlockOfConsecutiveDocumentsIsWrittenAsSpecified) {
  TestSegment segment({{field_info(0, IndexOptions::kFreqs)}});
  PostingsFormatWriter writer(segment.context(), segment.infos);
  std::vector<uint8_t> norms(256, 5);
  writer.start_field(segment.infos.fields[0], norms);
  for (uint32_t doc = 0; doc < 256; ++doc) {
    writer.start_doc(doc);
    writer.finish_doc(1);
  }
  writer.finish_term(testing::as_bytes("t"));
  writer.finish_field(256);
  writer.close();
  const std::vector<uint8_t> expected{
      7,              // the skip entry's length
      0x00, 0x01,     // 256 documents on
      6,    0x00,     // the block's length
      2,    1,    8,  // impacts: two bytes, (1, 5)
      0,              // consecutive
      0,    1,        // all frequencies are 1
  };
  EXPECT_EQ(body(segment, "doc", kPostingsDocCodec), expected);
  std::vector<uint8_t> meta = body(segment, "psm", kPostingsMetaCodec);
  ASSERT_EQ(meta.size(), 24u);
  EXPECT_EQ(load_le<uint32_t>(meta.data()), 1u);
  EXPECT_EQ(load_le<uint32_t>(meta.data() + 4), 2u);
  EXPECT_EQ(load_le<uint64_t>(meta.data() + 8), 0u);
  EXPECT_EQ(load_le<uint64_t>(meta.data() + 16), segment.bytes("doc").size());
}

TEST(Postings, FilesExistByTheFieldInfosOfTheWholeSegment) {
  FieldInfos infos{{field_info(0, IndexOptions::kDocs), field_info(1, IndexOptions::kPositions),
                    field_info(2, IndexOptions::kNone)}};
  TestSegment segment(infos);
  PostingsFormatWriter writer(segment.context(), segment.infos);
  testing::write_field(writer, infos.fields[0], {{"id", {{0, 1, {}}}}});
  writer.start_field(infos.fields[1], {});
  EXPECT_FALSE(writer.finish_field(0));
  writer.close();
  std::vector<std::string> files = writer.files();
  std::ranges::sort(files);
  EXPECT_EQ(files, segment.directory->list());
  EXPECT_EQ(files, (std::vector<std::string>{"_0_Lucene104_0.doc", "_0_Lucene104_0.pos",
                                             "_0_Lucene104_0.psm", "_0_Lucene104_0.tim",
                                             "_0_Lucene104_0.tip", "_0_Lucene104_0.tmd"}));
  EXPECT_TRUE(body(segment, "pos", kPostingsPosCodec).empty());
  segment.open();
  EXPECT_EQ(segment.terms->fields().size(), 1u);
  EXPECT_EQ(segment.terms->field("f1"), nullptr);
}

TEST(Postings, ASegmentWithoutTermsHasNoFiles) {
  TestSegment segment({{field_info(0, IndexOptions::kOffsets, true)}});
  PostingsFormatWriter writer(segment.context(), segment.infos);
  writer.start_field(segment.infos.fields[0], {});
  writer.finish_term(testing::as_bytes("without documents"));
  EXPECT_FALSE(writer.finish_field(0));
  writer.close();
  EXPECT_TRUE(writer.files().empty());
  EXPECT_TRUE(segment.directory->list().empty());
}

TEST(Postings, ADocumentBeyondTheSegmentIsCorrupt) {
  TestSegment segment({{field_info(0, IndexOptions::kFreqs)}});
  PostingsFormatWriter writer(segment.context(), segment.infos);
  testing::write_field(writer, segment.infos.fields[0],
                       {{"one", {{50, 1, {}}}}, {"two", {{1, 1, {}}, {50, 2, {}}}}});
  writer.close();
  segment.max_doc = 50;
  segment.open();
  const FieldTerms& field = segment.terms->fields()[0];
  for (const char* term : {"one", "two"}) {
    auto cursor = segment.postings->postings(field.parts(), *field.find(term));
    EXPECT_THROW(
        {
          while (cursor.next_doc() != PostingsCursor::kNoMoreDocs) {
          }
        },
        CorruptIndex);
  }
}

}  // namespace
}  // namespace postern::codec
