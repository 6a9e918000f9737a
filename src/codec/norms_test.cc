#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "codec/norm_byte.h"
#include "codec/norms_reader.h"
#include "codec/norms_writer.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::test_id;
using testing::to_hex;

// The table of docs/formats/21 §2, checked there against Lucene.
TEST(NormByte, TableOfTheFormat) {
  struct Row {
    int norm;
    uint32_t length;
  } rows[] = {{0, 0},        {1, 1},          {39, 39},      {40, 40},      {41, 42},
              {47, 54},      {48, 56},        {56, 88},      {57, 96},      {60, 120},
              {67, 200},     {70, 248},       {78, 472},     {87, 984},     {95, 1944},
              {103, 3864},   {113, 9240},     {-128, 32792}, {-121, 61464}, {-116, 98328},
              {-89, 983064}, {-1, 2013265944}};
  for (const Row& row : rows) {
    const auto byte = static_cast<uint8_t>(row.norm);
    EXPECT_EQ(norm_length(byte), row.length) << row.norm;
    EXPECT_EQ(norm_value(byte), row.norm);
  }
}

TEST(NormByte, LongerFieldsHaveGreaterCodes) {
  for (uint32_t code = 1; code < 256; ++code)
    EXPECT_GT(norm_length(static_cast<uint8_t>(code)), norm_length(static_cast<uint8_t>(code - 1)));
}

struct FieldNorms {
  uint32_t number;
  std::vector<uint32_t> docs;
  std::vector<uint8_t> values;
};

void write(Directory& directory, uint32_t max_doc, const std::vector<FieldNorms>& fields) {
  NormsWriter writer({directory, "_0", test_id(), max_doc});
  for (const auto& field : fields) {
    FieldInfo info;
    info.number = field.number;
    writer.add_field(info, field.docs, field.values);
  }
  writer.close();
}

Bytes meta_of(const Directory& directory) {
  return testing::body_of(testing::read_file(directory, "_0.nvm"), "Lucene90NormsMetadata");
}
Bytes data_of(const Directory& directory) {
  return testing::body_of(testing::read_file(directory, "_0.nvd"), "Lucene90NormsData");
}

// docs/formats/21 §5.
TEST(Norms, WorkedExampleOfTheFormat) {
  const auto directory = memory_directory();
  write(*directory, 5, {{4, {}, {1, 13, 0, 37, 44}}});  // lengths 1, 13, 0, 37, 49
  EXPECT_EQ(to_hex(meta_of(*directory)),
            "04 00 00 00 ff ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 ff ff ff 05 00 00 00 01 "
            "2b 00 00 00 00 00 00 00 ff ff ff ff");
  EXPECT_EQ(to_hex(data_of(*directory)), "01 0d 00 25 2c");
}

// The set is the example of docs/formats/20 §3.5; equal norms stand in the entry.
TEST(Norms, SparseFieldWithOneValue) {
  const auto directory = memory_directory();
  write(*directory, 5, {{9, {0, 1, 2, 4}, {200, 200, 200, 200}}});
  EXPECT_EQ(to_hex(data_of(*directory)), "00 00 03 00 00 00 01 00 02 00 04 00 ff 7f 00 00 ff ff");
  EXPECT_EQ(to_hex(meta_of(*directory)),
            "09 00 00 00 2b 00 00 00 00 00 00 00 12 00 00 00 00 00 00 00 00 00 09 04 00 00 00 00 "
            "c8 ff ff ff ff ff ff ff ff ff ff ff");
  NormsReader reader(*directory, "_0", test_id(), 5);
  EXPECT_EQ(reader.norm(9, 4), int64_t{-56});
  EXPECT_EQ(reader.norm(9, 3), std::nullopt);
}

TEST(Norms, FieldWithoutDocuments) {
  const auto directory = memory_directory();
  write(*directory, 3, {{0, {}, {}}});
  EXPECT_EQ(to_hex(meta_of(*directory)),
            "00 00 00 00 fe ff ff ff ff ff ff ff 00 00 00 00 00 00 00 00 ff ff ff 00 00 00 00 00 "
            "ff ff ff ff ff ff ff 7f ff ff ff ff");
  NormsReader reader(*directory, "_0", test_id(), 3);
  EXPECT_TRUE(reader.has_field(0));
  EXPECT_EQ(reader.document_count(0), 0u);
  EXPECT_EQ(reader.norm(0, 1), std::nullopt);
}

// Lists, bit sets, full and absent ranges of 65,536 documents.
TEST(Norms, EveryKindOfBlockComesBack) {
  constexpr uint32_t kMaxDoc = 6 * 65536 + 100;
  auto make = [](auto&& in_set) {
    FieldNorms field{};
    for (uint32_t doc = 0; doc < kMaxDoc; ++doc) {
      if (!in_set(doc)) continue;
      field.docs.push_back(doc);
      field.values.push_back(static_cast<uint8_t>(doc * 7 >> 3));
    }
    return field;
  };
  std::vector<FieldNorms> fields;
  fields.push_back(make([](uint32_t d) {
    switch (d >> 16) {
      case 0:
        return d % 16 == 0 && d != 32;  // 4095: still a list
      case 1:
        return d % 16 == 0;  // 4096: bits
      case 2:
        return false;
      case 3:
        return true;
      case 4:
        return d % 3 != 0;
      default:
        return d == 5 * 65536 + 17 || d == kMaxDoc - 1;
    }
  }));
  fields.push_back(make([](uint32_t d) { return d >= 70'000 && d < 70'010; }));
  fields.push_back(make([](uint32_t d) { return d != 0; }));
  fields.push_back(make([](uint32_t) { return true; }));
  for (uint32_t i = 0; i < fields.size(); ++i) fields[i].number = 3 * i + 1;
  const auto directory = memory_directory();
  write(*directory, kMaxDoc, fields);
  NormsReader reader(*directory, "_0", test_id(), kMaxDoc);
  for (const auto& field : fields) {
    EXPECT_EQ(reader.document_count(field.number), field.docs.size());
    size_t next = 0;
    for (uint32_t doc = 0; doc < kMaxDoc; ++doc) {
      const auto norm = reader.norm(field.number, doc);
      if (next < field.docs.size() && field.docs[next] == doc) {
        ASSERT_EQ(norm, norm_value(field.values[next])) << field.number << ' ' << doc;
        ++next;
      } else {
        ASSERT_EQ(norm, std::nullopt) << field.number << ' ' << doc;
      }
    }
  }
  EXPECT_FALSE(reader.has_field(2));
}

// What Lucene wrote, read and written again, must be the same bytes in both files.
TEST(Norms, LucenesFilesComeOutByteForByte) {
  size_t tested = 0;
  for (const auto& segment : testing::golden_segments(".nvm")) {
    const auto golden = open_directory(segment.folder);
    const Bytes meta = testing::read_file(*golden, segment.name + ".nvm");
    store::ObjectId id;
    std::copy_n(meta.begin() + 9 + 21, id.size(), id.begin());  // behind "Lucene90NormsMetadata"
    const Bytes stored = testing::body_of(testing::read_file(*golden, segment.name + ".fdm"),
                                          "Lucene90FieldsIndexMeta");
    const auto max_doc = load_le<uint32_t>(stored.data() + 3);
    NormsReader reader(*golden, segment.name, id, max_doc);
    const auto ours = memory_directory();
    NormsWriter writer({*ours, segment.name, id, max_doc});
    for (uint32_t field = 0; field < 1000; ++field) {
      if (!reader.has_field(field)) continue;
      FieldInfo info;
      info.number = field;
      std::vector<uint32_t> docs;
      std::vector<uint8_t> values;
      for (uint32_t doc = 0; doc < max_doc; ++doc) {
        const auto norm = reader.norm(field, doc);
        if (!norm) continue;
        docs.push_back(doc);
        values.push_back(static_cast<uint8_t>(*norm));
      }
      EXPECT_EQ(docs.size(), reader.document_count(field));
      writer.add_field(info, docs, values);
    }
    writer.close();
    for (const std::string& name : writer.files())
      EXPECT_TRUE(testing::read_file(*golden, name) == testing::read_file(*ours, name))
          << segment.folder << ' ' << name;
    ++tested;
  }
  EXPECT_GE(tested, 6u);
}

TEST(Norms, DamagedFilesAreRefusedNotFollowed) {
  const auto good = memory_directory();
  write(*good, 20, {{1, {}, Bytes(20, 5)}, {2, {3, 5, 19}, {1, 2, 3}}});
  const Bytes meta = testing::read_file(*good, "_0.nvm"),
              data = testing::read_file(*good, "_0.nvd");
  size_t refused = 0;
  auto try_files = [&](const Bytes& nvm, const Bytes& nvd) {
    const auto directory = memory_directory();
    testing::write_file(*directory, "_0.nvm", nvm);
    testing::write_file(*directory, "_0.nvd", nvd);
    try {
      NormsReader reader(*directory, "_0", test_id(), 20);
      for (uint32_t field : {1u, 2u})
        for (uint32_t doc = 0; doc < 20; ++doc) reader.norm(field, doc);
    } catch (const CorruptIndex&) {
      ++refused;
    } catch (const NotSupported&) {
      ++refused;
    }
  };
  for (size_t at = 0; at < meta.size(); ++at) {
    for (int flip : {0x01, 0x80, 0xff}) {
      Bytes bad = meta;
      bad[at] = static_cast<uint8_t>(bad[at] ^ flip);
      if (at + 8 < bad.size()) testing::fix_checksum(bad);
      try_files(bad, data);
    }
  }
  EXPECT_GT(refused, meta.size());
  for (size_t at = 0; at < data.size(); ++at) {
    Bytes bad = data;
    bad[at] = static_cast<uint8_t>(~bad[at]);
    try_files(meta, bad);
  }
  const size_t before = refused;
  for (size_t length = 0; length < meta.size(); ++length)
    try_files(Bytes(meta.begin(), meta.begin() + static_cast<ptrdiff_t>(length)), data);
  EXPECT_EQ(refused - before, meta.size());
}

}  // namespace
}  // namespace postern::codec
