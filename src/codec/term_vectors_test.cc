// Writer and reader of term vectors together: the worked example of the format, chunks, Lucene's
// own files, damaged files.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "codec/segment_info.h"
#include "codec/term_vectors_reader.h"
#include "codec/term_vectors_writer.h"
#include "codec/test_files.h"
#include "postern/error.h"

namespace postern::codec {
namespace {

using testing::Bytes;
using testing::test_id;
using testing::to_hex;

struct Occurrence {
  uint32_t position = 0;
  uint32_t start = 0;
  uint32_t end = 0;
  std::string payload{};
  bool operator==(const Occurrence&) const = default;
};
struct Term {
  std::string text;
  uint32_t freq = 1;
  std::vector<Occurrence> occurrences{};
  bool operator==(const Term&) const = default;
};
struct Field {
  uint32_t number = 0;
  TermVectors flags{};
  std::vector<Term> terms{};
  bool operator==(const Field&) const = default;
};
using Document = std::vector<Field>;

std::span<const uint8_t> bytes_of(const std::string& s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}

void write(TermVectorsWriter& writer, uint32_t doc, const Document& document) {
  writer.start_document(doc);
  for (const Field& field : document) {
    writer.start_field(field.number, field.flags);
    for (const Term& term : field.terms) {
      writer.start_term(bytes_of(term.text), term.freq);
      Occurrence last;
      for (const Occurrence& o : term.occurrences) {
        writer.add_occurrence(o.position - last.position, o.start - last.start, o.end - o.start,
                              bytes_of(o.payload));
        last = o;
      }
    }
  }
  writer.finish_document();
}

void write(Directory& directory, const std::vector<Document>& documents) {
  TermVectorsWriter writer({directory, "_0", test_id()});
  for (uint32_t doc = 0; doc < documents.size(); ++doc) write(writer, doc, documents[doc]);
  writer.finish(static_cast<uint32_t>(documents.size()));
}

// Takes what a reader gives.
class Collector {
 public:
  void start_field(uint32_t number, const TermVectors& flags) {
    document.push_back({number, flags, {}});
  }
  void start_term(std::span<const uint8_t> text, uint32_t freq) {
    document.back().terms.push_back({std::string(text.begin(), text.end()), freq, {}});
    now_ = {};
  }
  void add_occurrence(uint32_t position, uint32_t start, uint32_t length,
                      std::span<const uint8_t> payload) {
    now_.position += position;
    now_.start += start;
    now_.end = now_.start + length;
    now_.payload.assign(payload.begin(), payload.end());
    document.back().terms.back().occurrences.push_back(now_);
  }
  Document document;

 private:
  Occurrence now_;
};

Document read(TermVectorsReader& reader, uint32_t doc) {
  Collector collector;
  reader.visit(doc, collector);
  return collector.document;
}

constexpr TermVectors kPlain{true, false, false, false};
constexpr TermVectors kPositionsOffsets{true, true, true, false};

Document plain(uint32_t number, std::vector<Term> terms) {
  return {{number, kPlain, std::move(terms)}};
}

// docs/formats/13 §6, which Lucene wrote.
TEST(TermVectors, WorkedExampleOfTheFormat) {
  const auto directory = memory_directory();
  write(*directory, {{}, {}, {{1, kPositionsOffsets, {{"a", 1, {{0, 0, 1}}}}}}, {}});
  EXPECT_EQ(
      to_hex(testing::body_of(testing::read_file(*directory, "_0.tvd"), kTermVectorsDataCodec)),
      "00 09 03 20 01 80 01 00 00 01 03 01 01 01 01 00 01 01 01 00 00 00 00 01 01 10 61");
}

TEST(TermVectors, NoFilesBeforeTheFirstDocument) {
  const auto directory = memory_directory();
  TermVectorsWriter writer({*directory, "_0", test_id()});
  writer.finish(7);
  EXPECT_FALSE(writer.open());
  EXPECT_TRUE(writer.files().empty());
  EXPECT_EQ(writer.ram_bytes(), 0u);
  EXPECT_TRUE(directory->list().empty());
}

TEST(TermVectors, DocumentsLeftOutAreEmpty) {
  const auto directory = memory_directory();
  const Document document = plain(3, {{"", 1}, {"x", 70000}});
  TermVectorsWriter writer({*directory, "_0", test_id()});
  write(writer, 300, document);
  write(writer, 302, {});
  EXPECT_EQ(writer.documents(), 303u);
  writer.finish(1000);
  EXPECT_EQ(writer.files(), (std::vector<std::string>{"_0.tvd", "_0.tvx", "_0.tvm"}));
  TermVectorsReader reader(*directory, "_0", test_id(), 1000);
  EXPECT_EQ(reader.chunk_count(), 8u);
  EXPECT_EQ(reader.dirty_chunk_count(), 1u);
  EXPECT_EQ(reader.dirty_document_count(), 1000u - 7 * 128);
  for (uint32_t doc = 0; doc < 1000; ++doc)
    ASSERT_EQ(read(reader, doc), doc == 300 ? document : Document{}) << doc;
}

// 4096 bytes end a chunk with their document, which then is not dirty.
TEST(TermVectors, ChunksEndAtTheirSize) {
  const auto directory = memory_directory();
  const std::string a(4095, 'a');
  const std::string payload(4095, 'p');
  const Document with_payload = {
      {9, {true, true, false, true}, {{"t", 2, {{4, 0, 0}, {5, 0, 0, payload}}}}}};
  // The last term shares 4094 bytes, so that 4095 + 1 are stored.
  write(*directory,
        {plain(0, {{a, 1}}), plain(0, {{"b", 1}}), with_payload,
         plain(0, {{a, 1}, {a.substr(1) + "b", 1}}), plain(0, {{"c", 1}}), plain(1, {{"", 1}})});
  TermVectorsReader reader(*directory, "_0", test_id(), 6);
  EXPECT_EQ(reader.chunk_count(), 4u);  // {0, 1}, {2}, {3}, {4, 5}
  EXPECT_EQ(reader.dirty_document_count(), 2u);
  EXPECT_EQ(read(reader, 2), with_payload);
  EXPECT_EQ(read(reader, 3), plain(0, {{a, 1}, {a.substr(1) + "b", 1}}));
  EXPECT_EQ(read(reader, 5), plain(1, {{"", 1}}));
}

TEST(TermVectors, MemoryDoesNotGrowWithTheSegment) {
  const auto directory = memory_directory();
  TermVectorsWriter writer({*directory, "_0", test_id()});
  uint32_t doc = 0;
  auto add = [&](uint32_t terms) {
    Document document = {{0, kPositionsOffsets, {}}};
    for (uint32_t i = 0; i < terms; ++i)
      document[0].terms.push_back({std::to_string(1000000 + i), 1, {{i, i, i}}});
    write(writer, doc++, document);
  };
  for (int i = 0; i < 10; ++i) add(1000);
  const uint64_t warm = writer.ram_bytes();
  EXPECT_LT(warm, 500u << 10);
  for (int i = 0; i < 300; ++i) add(1000);
  EXPECT_LT(writer.ram_bytes(), warm + 8192);
  add(300'000);  // gives its memory back
  add(1000);
  EXPECT_LT(writer.ram_bytes(), warm + 8192);
}

rc::Gen<Document> any_document() {
  return rc::gen::exec([] {
    Document document;
    const auto fields = *rc::gen::element(0, 0, 1, 1, 2, 12);
    for (int f = 0; f < fields; ++f) {
      Field field;
      field.number = *rc::gen::element(0u, 1u, 2u, 3u, 7u, 8u, 100u, 70000u, 0x7fffffffu);
      field.flags = {true, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), false};
      field.flags.payloads = field.flags.positions && *rc::gen::arbitrary<bool>();
      const auto texts = *rc::gen::arbitrary<std::map<std::string, bool>>();
      for (const auto& [text, many] : texts) {
        Term term{text, *rc::gen::inRange(1u, many ? 70u : 3u), {}};
        Occurrence now;
        const bool flat = !field.flags.positions && !field.flags.offsets;
        for (uint32_t i = 0; !flat && i < term.freq; ++i) {
          if (field.flags.positions) now.position += *rc::gen::element(0u, 1u, 3u, 40u, 1u << 20);
          if (field.flags.offsets) {
            now.start += *rc::gen::element(0u, 1u, 5u, 200u, 1u << 23);
            now.end = now.start + *rc::gen::element(0u, 1u, 4u, 3000u, 1u << 30);
          }
          if (field.flags.payloads) now.payload = *rc::gen::arbitrary<std::string>();
          term.occurrences.push_back(now);
        }
        field.terms.push_back(std::move(term));
      }
      if (!field.terms.empty()) document.push_back(std::move(field));
    }
    return document;
  });
}

RC_GTEST_PROP(TermVectors, EveryDocumentComesBack, ()) {
  const auto documents =
      *rc::gen::container<std::vector<Document>>(rc::gen::scale(0.2, any_document()));
  std::vector<Document> all;
  const size_t copies = *rc::gen::element(1, 1, 20);
  for (size_t i = 0; i < copies; ++i) all.insert(all.end(), documents.begin(), documents.end());
  all.push_back({});
  const auto directory = memory_directory();
  write(*directory, all);
  const auto max_doc = static_cast<uint32_t>(all.size());
  TermVectorsReader reader(*directory, "_0", test_id(), max_doc);
  for (uint32_t doc = 0; doc < max_doc; ++doc) RC_ASSERT(read(reader, doc) == all[doc]);
  for (uint32_t doc = max_doc; doc-- > 0 && max_doc - doc < 50;)
    RC_ASSERT(read(reader, doc) == all[doc]);
}

struct GoldenVectors {
  std::unique_ptr<Directory> directory;
  std::string segment;
  store::ObjectId id;
  uint32_t max_doc;
};

GoldenVectors golden_vectors() {
  const auto segment = testing::golden_segments(".tvd").at(0);
  auto directory = open_directory(segment.folder);
  const Bytes data = testing::read_file(*directory, segment.name + ".tvd");
  store::ObjectId id;
  std::copy_n(data.begin() + 9 + std::string_view(kTermVectorsDataCodec).size(), id.size(),
              id.begin());
  const auto info = read_segment_info(*directory, segment.name, id);
  return {std::move(directory), segment.name, id, info.max_doc};
}

// What Lucene wrote, read and written again, must be the same bytes in all three files.
TEST(TermVectors, LucenesFilesComeOutByteForByte) {
  const GoldenVectors golden = golden_vectors();
  TermVectorsReader reader(*golden.directory, golden.segment, golden.id, golden.max_doc);
  EXPECT_GT(reader.chunk_count(), 8u);
  const auto directory = memory_directory();
  TermVectorsWriter writer({*directory, golden.segment, golden.id});
  for (uint32_t doc = 0; doc < golden.max_doc; ++doc) {
    writer.start_document(doc);
    reader.visit(doc, writer);
    writer.finish_document();
  }
  writer.finish(golden.max_doc);
  for (const std::string& name : writer.files())
    EXPECT_EQ(to_hex(testing::read_file(*directory, name)),
              to_hex(testing::read_file(*golden.directory, name)))
        << name;
}

// Every single byte of Lucene's files damaged: an error or other values, never a crash; damage that
// the metadata's checksums cover is always seen.
TEST(TermVectors, DamagedFilesAreRefusedOrRead) {
  const GoldenVectors golden = golden_vectors();
  const auto directory = memory_directory();
  std::map<std::string, Bytes> files;
  for (const char* extension : {".tvd", ".tvx", ".tvm"}) {
    const std::string name = golden.segment + extension;
    files[name] = testing::read_file(*golden.directory, name);
    testing::write_file(*directory, name, files[name]);
  }
  auto read_all = [&] {
    TermVectorsReader reader(*directory, golden.segment, golden.id, golden.max_doc);
    for (uint32_t doc = 0; doc < golden.max_doc; ++doc) {
      Collector collector;
      try {
        reader.visit(doc, collector);
      } catch (const CorruptIndex& e) {
        EXPECT_NE(std::string(e.what()).find(golden.segment + ".tv"), std::string::npos);
        doc += 40;
      }
    }
  };
  auto replace = [&](const std::string& name, const Bytes& bytes) {
    directory->remove(name);
    testing::write_file(*directory, name, bytes);
  };
  for (const auto& [name, bytes] : files) {
    const bool data = name.ends_with("d");
    for (size_t at = 0; at < bytes.size(); at += data ? 97 : 1) {
      Bytes damaged = bytes;
      damaged[at] ^= static_cast<uint8_t>(1 + at % 255);
      replace(name, damaged);
      if (!data) {
        EXPECT_THROW(read_all(), Error) << name << " " << at;
      }
      if (at < bytes.size() - 16) testing::fix_checksum(damaged);
      replace(name, damaged);
      try {
        read_all();
      } catch (const CorruptIndex&) {
      } catch (const NotSupported&) {
      }
    }
    for (size_t size = 0; size < bytes.size(); size += bytes.size() / 20 + 1) {
      replace(name, {bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size)});
      EXPECT_THROW(read_all(), CorruptIndex) << name << " cut to " << size;
    }
    replace(name, bytes);
  }
}

}  // namespace
}  // namespace postern::codec
