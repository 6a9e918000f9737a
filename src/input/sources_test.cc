// Line documents, folders, gzip, reading in pieces, names of inputs, inferred schemas.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "input/folder_source.h"
#include "input/test_support.h"
#include "postern/error.h"

namespace postern::input {
namespace {

namespace fs = std::filesystem;

std::string gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(compressBound(text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "postern_input_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view bytes) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  Steps read(const std::string& path, Schema& schema, const SourceOptions& options = {}) {
    auto source = open_source(inspect_input(path), options);
    source->use_schema(schema);
    return drain(*source);
  }

  fs::path folder_;
};

std::unique_ptr<Schema> schema_of(std::initializer_list<const char*> fields) {
  return Schema::parse(fmt::format("{{\"fields\": [{}]}}", fmt::join(fields, ", ")), "s");
}

Steps read_lines(std::string_view text, std::initializer_list<const char*> fields,
                 const SourceOptions& options = {}) {
  const auto schema = schema_of(fields);
  return read_text(InputKind::kLineDocuments, *schema, text, options);
}

constexpr const char* kTitle = R"({"name": "title", "type": "text"})";
constexpr const char* kDate = R"({"name": "date", "type": "keyword"})";
constexpr const char* kBody = R"({"name": "body", "type": "text"})";

TEST(LineDocuments, ColumnsInTheOrderOfTheSchema) {
  EXPECT_EQ(
      read_lines("T\tD\tB with\ttab\nT2\t\t\n\nonly title\n", {kBody, kDate, kTitle}),
      (Steps{"body=B with<09>tab date=D title=T", "body= date= title=T2", "title=only title"}));
}

TEST(LineDocuments, SourcesAndLineNumbers) {
  EXPECT_EQ(read_lines("T\tD\tB\nU\tE\tC\n",
                       {R"({"name": "a", "type": "text", "source": "title"})",
                        R"({"name": "b", "type": "keyword", "source": "title"})",
                        R"({"name": "n", "type": "keyword", "source": "_line"})",
                        R"({"name": "m", "type": "long", "index": false, "source": "_line"})",
                        R"({"name": "none", "type": "text"})"},
                       {.first_document = 9}),
            (Steps{"a=T b=T n=9 m=long:9", "a=U b=U n=10 m=long:10"}));
}

TEST(LineDocuments, AHeaderNamesTheColumns) {
  const auto fields = {R"({"name": "id", "type": "int", "index": false})", kBody};
  EXPECT_EQ(
      read_lines("\nFIELDS_HEADER_INDICATOR###\tbody\tid\tx\t\nB\t7\tmore\tand more\nC\tseven\n",
                 fields),
      (Steps{"id=int:7 body=B", R"(refused in line 4, field "id": not an int: "seven")"}));
  // Only the first line can be one.
  EXPECT_EQ(read_lines("a\nFIELDS_HEADER_INDICATOR###\tid\n", {kTitle}),
            (Steps{"title=a", "title=FIELDS_HEADER_INDICATOR###"}));
  EXPECT_THROW(read_lines("FIELDS_HEADER_INDICATOR###\n", {kTitle}), InvalidArgument);
}

TEST(LineDocuments, BytesAreKeptExactly) {
  using namespace std::string_view_literals;
  EXPECT_EQ(read_lines("\xEF\xBB\xBFt\0x\td\tb\r\n"sv, {kTitle, kBody}),
            (Steps{"title=t<00>x body=b<0D>"}));
}

TEST(LineDocuments, BadLinesTakeANumberAndCostOnlyThemselves) {
  EXPECT_EQ(read_lines("a\nb\xC3(\n" + std::string(50, 'x') + "\nc",
                       {kTitle, R"({"name": "n", "type": "keyword", "source": "_line"})"},
                       {.longest_line = 40}),
            (Steps{"title=a n=0", "refused in line 2: not valid UTF-8 at byte 2",
                   "refused in line 3: the line is longer than 40 bytes", "title=c n=3"}));
}

TEST(LineDocuments, ASchemaThatTakesNothingIsAMistake) {
  EXPECT_THROW(read_lines("a\n", {R"({"name": "content", "type": "text"})"}), InvalidArgument);
  EXPECT_THROW(read_lines("a\n", {R"({"name": "title", "type": "binary"})"}), InvalidArgument);
}

TEST(LineDocuments, InferredSchema) {
  auto source =
      open_source(InputInfo{.path = "in", .kind = InputKind::kLineDocuments},
                  memory_byte_source("FIELDS_HEADER_INDICATOR###\tdoc_id\ttext\na\tb c\n"));
  const std::string json = source->infer_schema();
  EXPECT_EQ(json,
            "{\"fields\": [\n"
            "  {\"name\": \"doc_id\", \"type\": \"keyword\", \"store\": true},\n"
            "  {\"name\": \"text\", \"type\": \"text\", \"store\": true}\n"
            "]}\n");
  const auto schema = Schema::parse(json, "inferred");
  source->use_schema(*schema);
  EXPECT_EQ(drain(*source), Steps{"doc_id=a text=b c"});
}

std::string inferred(std::string_view lines) {
  auto source = open_source(InputInfo{.path = "in"}, memory_byte_source(lines));
  const std::string json = source->infer_schema();
  const auto schema = Schema::parse(json, "inferred");  // always a schema
  source->use_schema(*schema);
  drain(*source);
  return json;
}

TEST(InferredSchema, TypesFollowTheValues) {
  EXPECT_EQ(
      inferred("{\"id\": \"a1\", \"title\": \"x\", \"n\": 5, \"ok\": true}\n"
               "{\"id\": 7, \"body\": \"y z\", \"user_id\": \"has blank\", \"gone\": null}\n"
               "not json\n"
               "{\"op\": \"add\", \"doc\": {\"b\": {\"base64\": \"\"}, \"t\": {\"tokens\": []}}}\n"
               "{\"op\": \"commit\", \"user_data\": {\"x\": 1}}\n"
               "{\"tags\": [\"a\", \"b c\"], \"productId\": [\"p1\"], \"star*\": 1, \"n\": 1.5}\n"),
      "{\"fields\": [\n"
      "  {\"name\": \"id\", \"type\": \"keyword\", \"store\": true},\n"
      "  {\"name\": \"title\", \"type\": \"text\", \"store\": true},\n"
      "  {\"name\": \"n\", \"type\": \"keyword\", \"store\": true},\n"
      "  {\"name\": \"ok\", \"type\": \"keyword\", \"store\": true},\n"
      "  {\"name\": \"body\", \"type\": \"text\", \"store\": true},\n"
      "  {\"name\": \"user_id\", \"type\": \"text\", \"store\": true},\n"
      "  {\"name\": \"gone\", \"type\": \"text\", \"store\": true},\n"
      "  {\"name\": \"b\", \"type\": \"keyword\", \"store\": true},\n"
      "  {\"name\": \"t\", \"type\": \"text\", \"store\": true},\n"
      "  {\"name\": \"tags\", \"type\": \"text\", \"store\": true},\n"
      "  {\"name\": \"productId\", \"type\": \"keyword\", \"store\": true},\n"
      "  {\"name\": \"*\", \"type\": \"text\", \"store\": true}\n"
      "]}\n");
}

TEST(InferredSchema, WithoutDocumentsEverythingIsText) {
  EXPECT_EQ(inferred(""),
            "{\"fields\": [\n  {\"name\": \"*\", \"type\": \"text\", \"store\": true}\n]}\n");
}

TEST(InferredSchema, LooksAheadWithoutTakingAnything) {
  std::string text;
  for (int i = 0; i < 50000; ++i)
    text += fmt::format("{{\"id\": \"{}\", \"t\": \"two words\"}}\n", i);
  for (size_t piece : {1000u, 1u << 20}) {
    auto source = open_source(InputInfo{.path = "in"}, memory_byte_source(text, piece));
    const auto schema = Schema::parse(source->infer_schema(), "inferred");
    source->use_schema(*schema);
    const Steps steps = drain(*source);
    ASSERT_EQ(steps.size(), 50000u);
    EXPECT_EQ(steps[0], "id=0 t=two words");
    EXPECT_EQ(steps[49999], "id=49999 t=two words");
  }
}

TEST_F(Files, GzipIsRecognisedByItsBytes) {
  const auto schema = schema_of({R"({"name": "id", "type": "keyword"})"});
  const std::string two_members =
      gzip("{\"id\": 1}\n{\"id\"") + gzip(": 2}\n") + std::string(7, '\0');
  EXPECT_EQ(read(write("a.jsonl.gz", two_members), *schema), (Steps{"id=1", "id=2"}));
  EXPECT_EQ(read(write("b.jsonl", two_members), *schema), (Steps{"id=1", "id=2"}));
  EXPECT_EQ(read(write("c.jsonl.gz", gzip("")), *schema), Steps{});
  EXPECT_EQ(read(write("empty.jsonl.gz", ""), *schema), Steps{});
}

TEST_F(Files, DamagedGzipIsAnError) {
  const auto schema = schema_of({R"({"name": "id", "type": "keyword"})"});
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("{{\"id\": {}}}\n", i * 7919 % 1000);
  const std::string good = gzip(text);
  EXPECT_THROW(read(write("cut.jsonl.gz", good.substr(0, good.size() - 1)), *schema), IoError);
  EXPECT_THROW(read(write("half.jsonl.gz", good.substr(0, good.size() / 2)), *schema), IoError);
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(~flipped[good.size() / 2]);
  EXPECT_THROW(read(write("flipped.jsonl.gz", flipped), *schema), IoError);
  EXPECT_THROW(read(write("behind.jsonl.gz", good + "rubbish"), *schema), IoError);
  EXPECT_THROW(read(write("plain.jsonl.gz", "{\"id\": 1}\n"), *schema), IoError);
}

TEST_F(Files, NamesTellTheKindOfInput) {
  EXPECT_EQ(inspect_input(write("a.jsonl", "{}")).kind, InputKind::kJsonLines);
  EXPECT_EQ(inspect_input(write("a.ndjson.gz", "")).kind, InputKind::kJsonLines);
  EXPECT_EQ(inspect_input(write("a.txt", "")).kind, InputKind::kLineDocuments);
  EXPECT_EQ(inspect_input(write("a.tsv.gz", "")).kind, InputKind::kLineDocuments);
  EXPECT_EQ(inspect_input(folder_.string()).kind, InputKind::kFolder);
  EXPECT_EQ(inspect_input("/dev/null").kind, InputKind::kJsonLines);
  EXPECT_EQ(inspect_input(write("b.jsonl", "12345")).bytes, 5u);
  EXPECT_THROW(inspect_input(write("a.csv", "")), InvalidArgument);
  EXPECT_THROW(inspect_input((folder_ / "missing.jsonl").string()), InvalidArgument);
}

TEST_F(Files, AFolderIsADocumentPerFile) {
  write("b/two.text.md", "second\nfile");
  write("a/one.txt",
        "\xEF\xBB\xBF"
        "first");
  write("c.log.gz", gzip("packed"));
  write("bad.txt", "x\xFFy");
  write("empty.txt", "");
  write(".git/config", "hidden");
  write(".hidden", "hidden");
  fs::create_symlink(folder_ / "a", folder_ / "link_to_folder");
  fs::create_symlink(folder_ / "a/one.txt", folder_ / "link.txt");
  fs::create_symlink(folder_ / "nowhere", folder_ / "dangling.txt");
  struct timespec times[2] = {{1700000000, 0}, {1700000000, 123000000}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / "b/two.text.md").c_str(), times, 0), 0);

  const auto schema = schema_of({R"({"name": "path", "type": "keyword"})", kTitle, kBody,
                                 R"({"name": "size", "type": "long", "index": false})"});
  const std::string root = folder_.string();
  EXPECT_EQ(
      read(root, *schema),
      (Steps{fmt::format("path={}/a/one.txt title=one body=first size=long:8", root),
             fmt::format("path={}/b/two.text.md title=two.text body=second<0A>file size=long:11",
                         root),
             fmt::format(
                 "refused {}/bad.txt, field \"body\": the text is not valid UTF-8 at byte 2", root),
             fmt::format("path={}/c.log.gz title=c body=packed size=long:{}", root,
                         gzip("packed").size()),
             fmt::format("path={}/empty.txt title=empty body= size=long:0", root),
             fmt::format("path={}/link.txt title=link body=first size=long:8", root)}));

  const auto times_schema = schema_of({R"({"name": "modified", "type": "long", "index": false})"});
  EXPECT_EQ(read(root + "/b", *times_schema), Steps{"modified=long:1700000000123"});
}

TEST_F(Files, FilesOfAFolderHaveALimitToo) {
  write("a.txt", std::string(100, 'x'));
  write("b.txt", std::string(99, 'x'));
  const auto schema = schema_of({kTitle});
  EXPECT_EQ(read(folder_.string(), *schema, {.longest_line = 99}),
            (Steps{fmt::format("refused {}/a.txt, field \"body\": the file is larger than 99 bytes",
                               folder_.string()),
                   "title=b"}));
}

TEST_F(Files, FolderSchemaReadsAFolder) {
  write("x/a.txt", "text");
  auto source = open_source(inspect_input(folder_.string()));
  const auto schema = Schema::parse(source->infer_schema(), "inferred");
  source->use_schema(*schema);
  const Steps steps = drain(*source);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_TRUE(steps[0].ends_with("size=long:4")) << steps[0];
  EXPECT_EQ(source->bytes_taken(), 4u);
}

// A line of a hundred million bytes, and ordinary ones around it.
TEST(GiantLine, IsReadWhole) {
  const size_t length = size_t{100} << 20;
  std::string text = "{\"id\": 1}\n{\"id\": \"";
  text.append(length, 'x');
  text += "\"}\n{\"id\": 2}\n";
  const auto schema = schema_of({R"({"name": "id", "type": "keyword"})"});
  auto source = open_source(InputInfo{.path = "in"}, memory_byte_source(text));
  source->use_schema(*schema);
  source->next();
  source->next();
  ASSERT_EQ(source->documents().size(), 1u);
  const std::string_view value = source->documents()[0].values()[0].bytes;
  EXPECT_EQ(value.size(), length);
  EXPECT_EQ(value.find_first_not_of('x'), value.npos);
  source->next();
  EXPECT_EQ(render(source->documents()[0]), "id=2");
  EXPECT_EQ(source->next(), Event::kEnd);
}

}  // namespace
}  // namespace postern::input
