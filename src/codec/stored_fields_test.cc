// Writer and reader of stored fields together: chunks, the worked example of the format, Lucene's
// own files, damaged files.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "codec/stored_fields_reader.h"
#include "codec/stored_fields_writer.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::test_id;
using testing::to_hex;

constexpr StoredFieldsMode kModes[] = {StoredFieldsMode::kBestSpeed,
                                       StoredFieldsMode::kBestCompression};

// A value that owns its bytes.
struct Value {
  uint32_t field = 0;
  StoredType type = StoredType::kString;
  std::string bytes{};
  int64_t integer = 0;
  double number = 0;
};
using Document = std::vector<Value>;

bool same(const Value& a, const Value& b) {
  const bool numbers_equal =
      std::isnan(a.number) ? std::isnan(b.number)
                           : std::bit_cast<uint64_t>(a.number) == std::bit_cast<uint64_t>(b.number);
  return a.field == b.field && a.type == b.type && a.bytes == b.bytes && a.integer == b.integer &&
         numbers_equal;
}

void add(StoredFieldsWriter& writer, const Value& v) {
  switch (v.type) {
    case StoredType::kString:
      return writer.add_string(v.field, v.bytes);
    case StoredType::kBytes:
      return writer.add_bytes(v.field, v.bytes);
    case StoredType::kInt:
      return writer.add_int(v.field, static_cast<int32_t>(v.integer));
    case StoredType::kLong:
      return writer.add_long(v.field, v.integer);
    case StoredType::kFloat:
      return writer.add_float(v.field, static_cast<float>(v.number));
    case StoredType::kDouble:
      return writer.add_double(v.field, v.number);
  }
}

void write(Directory& directory, StoredFieldsMode mode, const std::vector<Document>& documents,
           uint32_t max_doc) {
  StoredFieldsWriter writer({directory, "_0", test_id()}, mode);
  for (const Document& document : documents) {
    writer.start_document();
    for (const Value& v : document) add(writer, v);
    writer.finish_document();
  }
  writer.finish(max_doc);
}

Document read(StoredFieldsReader& reader, uint32_t doc) {
  Document out;
  reader.visit(doc, [&](const StoredValue& v) {
    out.push_back({v.field_number, v.type, std::string(v.bytes), v.integer, v.number});
  });
  return out;
}

bool holds(StoredFieldsReader& reader, uint32_t doc, const Document& expected) {
  const Document found = read(reader, doc);
  return found.size() == expected.size() &&
         std::equal(found.begin(), found.end(), expected.begin(), same);
}

Document text(uint32_t field, std::string bytes) {
  return {{.field = field, .type = StoredType::kString, .bytes = std::move(bytes)}};
}

// Text that compresses a little.
std::string words(size_t length, uint32_t seed) {
  std::string out;
  while (out.size() < length) {
    seed = seed * 1664525 + 1013904223;
    out += "word" + std::to_string(seed >> 22) + ' ';
  }
  out.resize(length);
  return out;
}

// docs/formats/12 §7, checked there against Lucene.
TEST(StoredFields, WorkedExampleOfTheFormat) {
  const auto directory = memory_directory();
  const std::vector<Document> documents = {
      {{.field = 0, .bytes = "hi"}, {.field = 1, .type = StoredType::kInt, .integer = 5}},
      {{.field = 0, .bytes = "yo"}}};
  write(*directory, StoredFieldsMode::kBestSpeed, documents, 2);
  const Bytes data = testing::read_file(*directory, "_0.fdt");
  EXPECT_EQ(data.size(), 0x60u + 16);
  EXPECT_EQ(to_hex(testing::body_of(data, "Lucene90StoredFieldsFastData")),
            "00 0a 08 02 01 08 06 04 00 01 01 02 02 02 02 02 02 02 02 02 02 00 "
            "10 00 10 02 10 68 10 69 10 0a 10 0a 10 00 10 02 10 79 10 6f");
  EXPECT_EQ(
      to_hex(testing::body_of(testing::read_file(*directory, "_0.fdm"), "Lucene90FieldsIndexMeta")),
      "80 80 05 02 00 00 00 0a 00 00 00 02 00 00 00 30 00 00 00 00 00 00 00 "
      "00 00 00 00 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00 00 30 00 00 00 00 00 00 00 "
      "36 00 00 00 00 00 00 00 00 00 28 42 00 00 00 00 00 00 00 00 00 30 00 00 00 00 00 00 00 "
      "60 00 00 00 00 00 00 00 01 01 02");
  EXPECT_TRUE(
      testing::body_of(testing::read_file(*directory, "_0.fdx"), "Lucene90FieldsIndexIdx").empty());
}

TEST(StoredFields, NoDocumentsAtAll) {
  const auto directory = memory_directory();
  write(*directory, StoredFieldsMode::kBestSpeed, {}, 0);
  StoredFieldsReader reader(*directory, "_0", test_id(), StoredFieldsMode::kBestSpeed, 0);
  EXPECT_EQ(reader.chunk_count(), 0u);
  EXPECT_THROW(read(reader, 0), InvalidArgument);
}

TEST(StoredFields, DocumentsWithoutValuesFillUp) {
  for (const auto mode : kModes) {
    const auto directory = memory_directory();
    write(*directory, mode, {{}, text(3, "x"), {}}, 9000);
    StoredFieldsReader reader(*directory, "_0", test_id(), mode, 9000);
    EXPECT_EQ(reader.chunk_count(), mode == StoredFieldsMode::kBestSpeed ? 9u : 3u);
    EXPECT_EQ(reader.dirty_chunk_count(), 1u);
    EXPECT_EQ(reader.dirty_document_count(), mode == StoredFieldsMode::kBestSpeed ? 808u : 808u);
    for (uint32_t doc = 0; doc < 9000; ++doc)
      ASSERT_TRUE(holds(reader, doc, doc == 1 ? text(3, "x") : Document{})) << doc;
  }
}

// A document that fills the chunk ends it, so none is cut off at the end and none is dirty.
TEST(StoredFields, ChunksEndAtTheirSize) {
  const auto directory = memory_directory();
  // 81,920 bytes: field header 1, length 3, text 81,916.
  write(
      *directory, StoredFieldsMode::kBestSpeed,
      {text(0, words(81916, 1)), text(0, words(81915, 2)), text(0, ""), text(0, words(300000, 3))},
      4);
  StoredFieldsReader reader(*directory, "_0", test_id(), StoredFieldsMode::kBestSpeed, 4);
  EXPECT_EQ(reader.chunk_count(), 3u);  // {0}, {1, 2}, {3}
  EXPECT_EQ(reader.dirty_chunk_count(), 0u);
  EXPECT_TRUE(holds(reader, 1, text(0, words(81915, 2))));
  EXPECT_TRUE(holds(reader, 2, text(0, "")));
}

TEST(StoredFields, LargeDocumentsAreSliced) {
  for (const auto mode : kModes) {
    const auto directory = memory_directory();
    const std::vector<Document> documents = {text(0, "small"), text(0, words(3'000'000, 7)),
                                             text(0, "after"), text(0, words(170'000, 9))};
    write(*directory, mode, documents, 4);
    StoredFieldsReader reader(*directory, "_0", test_id(), mode, 4);
    for (uint32_t doc : {3u, 1u, 0u, 2u, 1u})
      EXPECT_TRUE(holds(reader, doc, documents[doc])) << doc;
  }
}

TEST(StoredFields, MemoryDoesNotGrowWithTheSegment) {
  const auto directory = memory_directory();
  StoredFieldsWriter writer({*directory, "_0", test_id()}, StoredFieldsMode::kBestSpeed);
  const std::string value = words(50'000, 1);
  auto add_documents = [&](int n, std::string_view text) {
    for (int i = 0; i < n; ++i) {
      writer.start_document();
      writer.add_string(0, text);
      writer.finish_document();
    }
  };
  add_documents(10, value);
  const uint64_t warm = writer.ram_bytes();
  EXPECT_LT(warm, 600u << 10);
  add_documents(200, value);
  EXPECT_LT(writer.ram_bytes(), warm + 4096);
  add_documents(1, words(4'000'000, 2));  // gives its memory back
  EXPECT_LT(writer.ram_bytes(), warm + 4096);
}

TEST(StoredFields, DocumentOfTwoGigabytesIsRefusedWhole) {
  const auto directory = memory_directory();
  StoredFieldsWriter writer({*directory, "_0", test_id()}, StoredFieldsMode::kBestSpeed);
  writer.start_document();
  writer.add_int(4, 7);
  // The view is never read.
  const std::string_view huge("x", size_t{1} << 31);
  EXPECT_THROW(writer.add_bytes(12, huge), InvalidDocument);
  writer.finish_document();
  writer.finish(1);
  StoredFieldsReader reader(*directory, "_0", test_id(), StoredFieldsMode::kBestSpeed, 1);
  EXPECT_TRUE(holds(reader, 0, {{.field = 4, .type = StoredType::kInt, .integer = 7}}));
}

rc::Gen<Value> any_value() {
  return rc::gen::exec([] {
    Value v;
    v.field = *rc::gen::element(0u, 1u, 15u, 16u, 70000u);
    v.type = *rc::gen::element(StoredType::kString, StoredType::kBytes, StoredType::kInt,
                               StoredType::kFloat, StoredType::kLong, StoredType::kDouble);
    const double special = *rc::gen::element(0.0, -0.0, -1.0, 1.0, 124.0, 125.0, 126.0, 0.5, -2.5,
                                             HUGE_VAL, -HUGE_VAL, std::nan(""), 1e-40);
    const bool plain = *rc::gen::arbitrary<bool>();
    switch (v.type) {
      case StoredType::kString:
      case StoredType::kBytes:
        v.bytes = *rc::gen::arbitrary<std::string>();
        break;
      case StoredType::kInt:
        v.integer = *rc::gen::arbitrary<int32_t>();
        break;
      case StoredType::kLong:
        v.integer = *rc::gen::arbitrary<int64_t>();
        if (plain) v.integer = v.integer % 100'000 * *rc::gen::element(1000, 3'600'000, 86'400'000);
        break;
      case StoredType::kFloat:
        v.number =
            static_cast<double>(plain ? *rc::gen::arbitrary<float>() : static_cast<float>(special));
        break;
      case StoredType::kDouble:
        v.number = plain ? *rc::gen::arbitrary<double>() : special;
        break;
    }
    return v;
  });
}

RC_GTEST_PROP(StoredFields, EveryValueComesBack, ()) {
  const auto mode =
      *rc::gen::element(StoredFieldsMode::kBestSpeed, StoredFieldsMode::kBestCompression);
  auto documents =
      *rc::gen::container<std::vector<Document>>(rc::gen::container<Document>(any_value()));
  // Enough of them for several chunks now and then.
  const size_t copies = *rc::gen::element(1, 1, 30);
  std::vector<Document> all;
  for (size_t i = 0; i < copies; ++i) all.insert(all.end(), documents.begin(), documents.end());
  const auto max_doc = static_cast<uint32_t>(all.size()) + *rc::gen::inRange(0u, 5u);
  const auto directory = memory_directory();
  write(*directory, mode, all, max_doc);
  StoredFieldsReader reader(*directory, "_0", test_id(), mode, max_doc);
  for (uint32_t doc = 0; doc < max_doc; ++doc)
    RC_ASSERT(holds(reader, doc, doc < all.size() ? all[doc] : Document{}));
  for (uint32_t doc = max_doc; doc-- > 0 && max_doc - doc < 50;)
    RC_ASSERT(holds(reader, doc, doc < all.size() ? all[doc] : Document{}));
}

// What Lucene wrote, read and written again, must be the same bytes in all three files.
TEST(StoredFields, LucenesFilesComeOutByteForByte) {
  size_t tested = 0;
  for (const auto& segment : testing::golden_segments(".fdt")) {
    const auto golden = open_directory(segment.folder);
    const Bytes data = testing::read_file(*golden, segment.name + ".fdt");
    ByteReader header(data, ".fdt");
    header.skip(4);
    const auto mode = header.read_string() == "Lucene90StoredFieldsFastData"
                          ? StoredFieldsMode::kBestSpeed
                          : StoredFieldsMode::kBestCompression;
    header.skip(4);
    store::ObjectId id;
    const auto id_bytes = header.read_bytes(id.size());
    std::copy(id_bytes.begin(), id_bytes.end(), id.begin());
    const Bytes meta = testing::body_of(testing::read_file(*golden, segment.name + ".fdm"),
                                        "Lucene90FieldsIndexMeta");
    const auto max_doc = load_le<uint32_t>(meta.data() + 3);

    StoredFieldsReader reader(*golden, segment.name, id, mode, max_doc);
    const auto ours = memory_directory();
    StoredFieldsWriter writer({*ours, segment.name, id}, mode);
    for (uint32_t doc = 0; doc < max_doc; ++doc) {
      writer.start_document();
      for (const Value& v : read(reader, doc)) add(writer, v);
      writer.finish_document();
    }
    writer.finish(max_doc);
    for (const std::string& name : writer.files())
      EXPECT_TRUE(testing::read_file(*golden, name) == testing::read_file(*ours, name))
          << segment.folder << ' ' << name;
    ++tested;
  }
  EXPECT_GE(tested, 5u);
}

// Reads everything; whatever the bytes, it must end in a value or in one of our errors.
void read_all(const Directory& directory, StoredFieldsMode mode, uint32_t max_doc) {
  try {
    StoredFieldsReader reader(directory, "_0", test_id(), mode, max_doc);
    for (uint32_t doc = 0; doc < max_doc; ++doc) {
      try {
        read(reader, doc);
      } catch (const CorruptIndex&) {
      }
    }
  } catch (const CorruptIndex&) {
  } catch (const NotSupported&) {
  }
}

TEST(StoredFields, DamagedFilesAreRefusedNotFollowed) {
  for (const auto mode : kModes) {
    const auto good = memory_directory();
    std::vector<Document> documents;
    for (uint32_t i = 0; i < 7; ++i)
      documents.push_back({{.field = i, .bytes = words(i * 9, i)},
                           {.field = 1, .type = StoredType::kLong, .integer = i * 1000},
                           {.field = 2, .type = StoredType::kDouble, .number = i / 7.0}});
    write(*good, mode, documents, 7);
    for (const char* name : {"_0.fdt", "_0.fdm", "_0.fdx"}) {
      const Bytes original = testing::read_file(*good, name);
      for (size_t at = 0; at < original.size(); ++at) {
        for (int flip : {0x01, 0xff}) {
          Bytes bad = original;
          bad[at] = static_cast<uint8_t>(bad[at] ^ flip);
          if (at + 8 < bad.size()) testing::fix_checksum(bad);
          const auto directory = memory_directory();
          for (const char* other : {"_0.fdt", "_0.fdm", "_0.fdx"})
            testing::write_file(
                *directory, other,
                other == std::string_view(name) ? bad : testing::read_file(*good, other));
          read_all(*directory, mode, 7);
        }
      }
      for (size_t length = 0; length < original.size(); length += 3) {
        const auto directory = memory_directory();
        for (const char* other : {"_0.fdt", "_0.fdm", "_0.fdx"}) {
          const Bytes bytes = testing::read_file(*good, other);
          testing::write_file(
              *directory, other,
              std::span(bytes).first(other == std::string_view(name) ? length : bytes.size()));
        }
        EXPECT_THROW(StoredFieldsReader(*directory, "_0", test_id(), mode, 7), CorruptIndex);
      }
    }
  }
}

TEST(StoredFields, WrongSegmentIsRefused) {
  const auto directory = memory_directory();
  write(*directory, StoredFieldsMode::kBestSpeed, {text(0, "x")}, 1);
  const auto speed = StoredFieldsMode::kBestSpeed;
  store::ObjectId other = test_id();
  other[5] ^= 1;
  EXPECT_THROW(StoredFieldsReader(*directory, "_0", other, speed, 1), CorruptIndex);
  EXPECT_THROW(StoredFieldsReader(*directory, "_0", test_id(), speed, 2), CorruptIndex);
  EXPECT_THROW(
      StoredFieldsReader(*directory, "_0", test_id(), StoredFieldsMode::kBestCompression, 1),
      CorruptIndex);
}

}  // namespace
}  // namespace postern::codec
