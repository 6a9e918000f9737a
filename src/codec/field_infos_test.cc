#include "codec/field_infos.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "codec/compound.h"
#include "codec/golden_index.h"
#include "codec/segment_commit.h"
#include "store/test_files.h"

namespace postern::codec {
namespace {

using store::Bytes;

// A field-infos file that Lucene 10.4 wrote after an update of doc values (generation 1), with
// fields of every kind.
const char kEveryKind[] =
    "3fd76c17124c7563656e6539344669656c64496e666f7300000002feedf553ab6596a9fd4c548bf43ff4cb013107"
    "0269640002010000ffffffffffffffff021d5065724669656c64506f7374696e6773466f726d61742e666f726d61"
    "74094c7563656e653130341d5065724669656c64506f7374696e6773466f726d61742e7375666669780130000001"
    "0001730100040301ffffffffffffffff041d5065724669656c64506f7374696e6773466f726d61742e666f726d61"
    "74094c7563656e653130341e5065724669656c64446f6356616c756573466f726d61742e666f726d6174084c7563"
    "656e6539301d5065724669656c64506f7374696e6773466f726d61742e73756666697801301e5065724669656c64"
    "446f6356616c756573466f726d61742e737566666978013000000100016e02000001000100000000000000021e50"
    "65724669656c64446f6356616c756573466f726d61742e666f726d6174084c7563656e6539301e5065724669656c"
    "64446f6356616c756573466f726d61742e73756666697801300000010001700307030000ffffffffffffffff021d"
    "5065724669656c64506f7374696e6773466f726d61742e666f726d6174094c7563656e653130341d506572466965"
    "6c64506f7374696e6773466f726d61742e7375666669780130000001000270740400000000ffffffffffffffff00"
    "03020400010001760500000000ffffffffffffffff021f5065724669656c644b6e6e566563746f7273466f726d61"
    "742e666f726d6174194c7563656e653939486e7377566563746f7273466f726d61741f5065724669656c644b6e6e"
    "566563746f7273466f726d61742e73756666697801300002000001770600000000ffffffffffffffff021f506572"
    "4669656c644b6e6e566563746f7273466f726d61742e666f726d6174194c7563656e653939486e7377566563746f"
    "7273466f726d61741f5065724669656c644b6e6e566563746f7273466f726d61742e737566666978013000030103"
    "c02893e8000000000000000011f31f9b";

const store::ObjectId kId = {0xfe, 0xed, 0xf5, 0x53, 0xab, 0x65, 0x96, 0xa9,
                             0xfd, 0x4c, 0x54, 0x8b, 0xf4, 0x3f, 0xf4, 0xcb};

FieldInfos read(const Directory& directory) { return read_field_infos(directory, "_0", kId, "1"); }

std::unique_ptr<Directory> every_kind() {
  auto directory = memory_directory();
  store::put_file(*directory, "_0_1.fnm", store::from_hex(kEveryKind));
  return directory;
}

Bytes encoded(const FieldInfos& infos) {
  auto directory = memory_directory();
  EXPECT_EQ(write_field_infos(*directory, "_0", kId, "1", infos), "_0_1.fnm");
  return store::read_file(*directory, "_0_1.fnm");
}

TEST(FieldInfos, ReadsWhatLuceneWrote) {
  FieldInfos infos = read(*every_kind());
  std::vector<std::string> names;
  for (const FieldInfo& f : infos.fields) names.push_back(f.name);
  EXPECT_EQ(names, (std::vector<std::string>{"id", "s", "n", "p", "pt", "v", "w"}));

  const FieldInfo& s = *infos.by_name("s");
  EXPECT_EQ(s.index_options, IndexOptions::kOffsets);
  EXPECT_EQ(s.doc_values, DocValuesType::kSorted);
  EXPECT_TRUE(s.doc_values_skip_index);
  EXPECT_TRUE(s.has_norms());
  EXPECT_EQ(s.attributes.size(), 4u);

  const FieldInfo& n = *infos.by_number(2);
  EXPECT_EQ(n.doc_values, DocValuesType::kNumeric);
  EXPECT_EQ(n.doc_values_generation, 1);
  EXPECT_FALSE(n.indexed());

  const FieldInfo& p = *infos.by_name("p");
  EXPECT_TRUE(p.term_vectors && p.payloads && p.omit_norms);
  EXPECT_EQ(p.doc_values_generation, -1);

  const FieldInfo& pt = *infos.by_name("pt");
  EXPECT_EQ(pt.point_dimensions, 3u);
  EXPECT_EQ(pt.point_index_dimensions, 2u);
  EXPECT_EQ(pt.point_bytes, 4u);

  const FieldInfo& v = *infos.by_name("v");
  EXPECT_EQ(v.vector_dimension, 2u);
  EXPECT_EQ(v.vector_encoding, VectorEncoding::kByte);
  EXPECT_EQ(v.vector_similarity, VectorSimilarity::kEuclidean);
  EXPECT_EQ(infos.by_name("w")->vector_similarity, VectorSimilarity::kMaxInnerProduct);
  EXPECT_TRUE(infos.any_positions() && infos.any_offsets_or_payloads() && infos.any_norms());
  EXPECT_EQ(infos.by_name("x"), nullptr);
  EXPECT_EQ(infos.by_number(7), nullptr);
}

TEST(FieldInfos, WritesLucenesBytesFromSortedAttributesToo) {
  FieldInfos infos = read(*every_kind());
  EXPECT_EQ(store::to_hex(encoded(infos)), kEveryKind);
  for (FieldInfo& f : infos.fields) std::ranges::sort(f.attributes);
  EXPECT_EQ(store::to_hex(encoded(infos)), kEveryKind);
}

TEST(FieldInfos, GoldenFilesAreRewrittenByteForByte) {
  size_t files = 0;
  for (const std::string& name : golden_names()) {
    auto directory = open_directory(golden_index(name));
    Commit commit = read_latest_commit(*directory).value();
    for (const SegmentCommitInfo& s : commit.segments) {
      std::optional<CompoundReader> compound;
      if (s.info.compound) compound.emplace(*directory, s.info.name, s.info.id);
      const Directory& core = compound ? static_cast<const Directory&>(*compound) : *directory;
      FieldInfos infos = read_field_infos(core, s.info.name, s.info.id, "");
      EXPECT_FALSE(infos.fields.empty()) << name;
      for (FieldInfo& f : infos.fields) std::ranges::sort(f.attributes);
      auto copy = memory_directory();
      std::string file = write_field_infos(*copy, s.info.name, s.info.id, "", infos);
      EXPECT_EQ(store::read_file(*copy, file), store::read_file(core, file)) << name;
      ++files;
    }
  }
  EXPECT_GE(files, 11u);
}

// docs/formats/11 §7: two stored-only fields.
TEST(FieldInfos, WritesTheSpecsExample) {
  FieldInfos infos;
  infos.fields.resize(2);
  infos.fields[0].name = "s";
  infos.fields[1].name = "i";
  infos.fields[1].number = 1;
  auto directory = memory_directory();
  EXPECT_EQ(write_field_infos(*directory, "_0", kId, "", infos), "_0.fnm");
  Bytes file = store::read_file(*directory, "_0.fnm");
  Bytes body(file.begin() + 44, file.end() - store::kFooterLength);
  EXPECT_EQ(store::to_hex(body),
            "02"
            "01730000000000ffffffffffffffff0000000100"
            "01690100000000ffffffffffffffff0000000100");
}

TEST(FieldInfos, DamageIsRefused) {
  auto directory = every_kind();
  store::expect_damage_refused(*directory, "_0_1.fnm", [&] { read(*directory); });
}

// Each change of an otherwise good field breaks one rule of docs/formats/11 §4.
TEST(FieldInfos, InconsistentFieldsAreRefusedByName) {
  struct Case {
    const char* what;
    std::function<void(FieldInfo&)> change;
  };
  const Case cases[] = {
      {"payloads but no positions",
       [](FieldInfo& f) { f.index_options = IndexOptions::kFreqs, f.payloads = true; }},
      {"not indexed", [](FieldInfo& f) { f.term_vectors = true; }},
      {"not indexed", [](FieldInfo& f) { f.payloads = true; }},
      {"skip index", [](FieldInfo& f) { f.doc_values_skip_index = true; }},
      {"skip index",
       [](FieldInfo& f) { f.doc_values = DocValuesType::kBinary, f.doc_values_skip_index = true; }},
      {"generation but no doc values", [](FieldInfo& f) { f.doc_values_generation = 1; }},
      {"doc values generation -2",
       [](FieldInfo& f) { f.doc_values = DocValuesType::kNumeric, f.doc_values_generation = -2; }},
      {"point dimensions", [](FieldInfo& f) { f.point_dimensions = f.point_index_dimensions = 1; }},
      {"point dimensions",
       [](FieldInfo& f) {
         f.point_dimensions = 1, f.point_index_dimensions = 2, f.point_bytes = 4;
       }},
      {"both the soft-deletes and the parent",
       [](FieldInfo& f) { f.soft_deletes = f.parent = true; }},
      {"unknown code 5", [](FieldInfo& f) { f.index_options = static_cast<IndexOptions>(5); }},
      {"unknown code 6", [](FieldInfo& f) { f.doc_values = static_cast<DocValuesType>(6); }},
      {"negative", [](FieldInfo& f) { f.number = 0x80000000; }},
  };
  for (const Case& c : cases) {
    FieldInfos infos;
    infos.fields.resize(1);
    infos.fields[0].name = "culprit";
    c.change(infos.fields[0]);
    auto directory = memory_directory();
    store::put_file(*directory, "_0_1.fnm", encoded(infos));
    std::string message = store::refusal([&] { read(*directory); });
    EXPECT_NE(message.find("_0_1.fnm: field 'culprit'"), std::string::npos) << message;
    EXPECT_NE(message.find(c.what), std::string::npos) << message;
  }
}

FieldInfo field(const char* name, uint32_t number) {
  FieldInfo f;
  f.name = name;
  f.number = number;
  return f;
}

TEST(FieldInfos, NamesNumbersAndRolesAreUnique) {
  auto refused = [](const FieldInfo& a, const FieldInfo& b) {
    auto directory = memory_directory();
    store::put_file(*directory, "_0_1.fnm", encoded({{a, b}}));
    return store::refusal([&] { read(*directory); });
  };
  EXPECT_NE(refused(field("x", 0), field("x", 1)).find("twice"), std::string::npos);
  EXPECT_NE(refused(field("a", 3), field("b", 3)).find("share the number 3"), std::string::npos);
  for (bool FieldInfo::*role : {&FieldInfo::parent, &FieldInfo::soft_deletes}) {
    FieldInfo a = field("a", 0);
    FieldInfo b = field("b", 1);
    a.*role = b.*role = true;
    EXPECT_NE(refused(a, b).find("several"), std::string::npos);
  }
}

TEST(FieldInfos, FieldsOutOfOrderAreReadInOrder) {
  auto directory = memory_directory();
  store::put_file(*directory, "_0_1.fnm", encoded({{field("a", 5), field("b", 2)}}));
  FieldInfos infos = read(*directory);
  EXPECT_EQ(infos.fields[0].name, "b");
  EXPECT_EQ(infos.by_number(5)->name, "a");
}

}  // namespace
}  // namespace postern::codec
