#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <random>

#include "input/json_tree.h"
#include "input/test_support.h"
#include "input/text_values.h"

namespace postern::input {
namespace {

constexpr const char* kSchema = R"({"fields": [
  {"name": "id", "type": "keyword", "store": true},
  {"name": "t", "type": "text"},
  {"name": "ts", "type": "text", "store": true},
  {"name": "b", "type": "binary", "store": true},
  {"name": "i", "type": "int", "index": false, "store": true},
  {"name": "l", "type": "long", "index": false, "store": true},
  {"name": "f", "type": "float", "index": false, "store": true},
  {"name": "d", "type": "double", "index": false, "store": true},
  {"name": "k_*", "type": "keyword"},
  {"name": "op", "type": "keyword"}
]})";

class JsonLines : public testing::Test {
 protected:
  Steps read(std::string_view text, const SourceOptions& options = {}) {
    return read_text(InputKind::kJsonLines, *schema_, text, options);
  }
  // The only step of one line.
  std::string one(std::string_view line) {
    const Steps steps = read(line);
    return steps.size() == 1 ? steps[0] : fmt::format("{} steps", steps.size());
  }

  std::unique_ptr<Schema> schema_ = Schema::parse(kSchema, "schema");
};

TEST_F(JsonLines, FieldsKeepTheirOrderAndRepetitions) {
  EXPECT_EQ(one(R"({"t": "x", "id": "1", "t": ["y", "z"], "id": "2"})"), "t=x id=1 t=y t=z id=2");
}

TEST_F(JsonLines, NullsAndEmptyArraysAddNothing) {
  EXPECT_EQ(one(R"({"t": null, "id": [], "k_a": [null, "x", null]})"), "k_a=x");
  EXPECT_EQ(read("{}\n"), Steps{""});
}

TEST_F(JsonLines, TextTakesNumbersAndBooleansAsSpelled) {
  EXPECT_EQ(one(R"({"t": [1, -0.0, 1E+05, true, 12345678901234567890], "id": false})"),
            "t=1 t=-0.0 t=1E+05 t=true t=12345678901234567890 id=false");
}

TEST_F(JsonLines, EmptyValuesAreValues) {
  EXPECT_EQ(one(R"({"t": ["", "..."], "id": ""})"), "t= t=... id=");
}

TEST_F(JsonLines, NumbersNeedTheirSpellingAndRange) {
  EXPECT_EQ(one(R"({"i": [2147483647, "-5"], "l": -9223372036854775808})"),
            "i=int:2147483647 i=int:-5 l=long:-9223372036854775808");
  EXPECT_EQ(one(R"({"f": [0.1, 1e40], "d": ["NaN", -0.0, 1e400]})"),
            "f=float:0.10000000149011612 f=float:inf d=double:nan d=double:-0 d=double:inf");
  EXPECT_EQ(one(R"({"i": 2147483648})"),
            R"(refused in line 1, field "i": not an int: "2147483648")");
  EXPECT_EQ(one(R"({"i": 1.0})"), R"(refused in line 1, field "i": not an int: "1.0")");
  EXPECT_EQ(one(R"({"d": "abc"})"), R"(refused in line 1, field "d": not a double: "abc")");
  EXPECT_EQ(one(R"({"d": "nan"})"),
            R"(refused in line 1, field "d": not a double: "nan"; write "NaN")");
  EXPECT_EQ(one(R"({"d": "-inf"})"),
            R"(refused in line 1, field "d": not a double: "-inf"; write "-Infinity")");
  EXPECT_EQ(one(R"({"d": NaN})"),
            R"(refused in line 1, field "d": JSON has no number NaN; write "NaN" in quotes)");
  EXPECT_EQ(one(R"({"d": true})"), R"(refused in line 1, field "d": not a number: true)");
  EXPECT_EQ(one(R"({"l": {}})"), R"(refused in line 1, field "l": not a long but an object)");
}

// An escape in a string does not make a number field take text.
TEST_F(JsonLines, NumbersMayBeSpelledWithEscapes) {
  EXPECT_EQ(one(R"({"i": "\u0031\u0032", "l": "-\u0037", "f": "\u004eaN", "d": "0x1\u002e8p1"})"),
            "i=int:12 l=long:-7 f=float:nan d=double:3");
  EXPECT_EQ(one(R"({"i": "1\u005f0"})"), R"(refused in line 1, field "i": not an int: "1_0")");
  EXPECT_EQ(one(R"({"d": "\n"})"), R"(refused in line 1, field "d": not a double: "\u000a")");
}

TEST_F(JsonLines, AFieldWithoutANameIsNamed) {
  const auto schema = Schema::parse(R"({"fields": [{"name": "", "type": "binary"}]})", "schema");
  EXPECT_EQ(read_text(InputKind::kJsonLines, *schema, R"({"": 5})"),
            Steps{R"(refused in line 1, field "": not a base64 string: 5)"});
}

TEST_F(JsonLines, BytesAreBase64) {
  EXPECT_EQ(one(R"({"b": ["AP8=", "\/\/8"], "id": {"base64": "gICA"}})"),
            "b=bytes:<00><FF> b=bytes:<FF><FF> id=bytes:<80><80><80>");
  EXPECT_EQ(one(R"({"b": "x"})"),
            R"(refused in line 1, field "b": bad base64 (wrong length): "x")");
  EXPECT_EQ(one(R"({"b": 5})"), R"(refused in line 1, field "b": not a base64 string: 5)");
  EXPECT_EQ(one(R"({"id": {"base65": ""}})"),
            R"(refused in line 1, field "id": unknown key "base65" in a bytes value)");
}

TEST_F(JsonLines, ReadyTokens) {
  EXPECT_EQ(one(R"({"ts": {"str": "a €𝄞", "tokens": [{"t": "a", "s": 0, "e": 1}, )"
                R"({"b": "/w==", "t": "x", "i": 0, "p": "AQI="}, {"e": 5, "f": 7, "t": "c"}], )"
                R"("end_inc": 2}})"),
            "ts=a <E2><82><AC><F0><9D><84><9E>|(a 0-1 i1 f1 p)(<FF> 1-1 i0 f1 p<01><02>)"
            "(c 1-5 i1 f7 p)end 5 2");
  EXPECT_EQ(one(R"({"t": {"tokens": [{"t": "a", "e": 3}, {}], "v": "1"}})"),
            "t=|(a 0-3 i1 f1 p)( 3-3 i1 f1 p)end 3 0");
  EXPECT_EQ(one(R"({"t": {"tokens": [], "end": 9, "str": "abc"}})"), "t=abc|end 9 0");
  EXPECT_EQ(one(R"({"ts": {"tokens": []}})"),
            R"(refused in line 1, field "ts": a stored token value needs "str")");
  EXPECT_EQ(one(R"({"t": {"str": ""}})"),
            R"(refused in line 1, field "t": an object without "tokens")");
  EXPECT_EQ(one(R"({"id": {"tokens": []}})"),
            R"(refused in line 1, field "id": ready tokens need type text)");
  EXPECT_EQ(one(R"({"t": {"tokens": [{"s": "1"}]}})"),
            R"(refused in line 1, field "t": "s" must be an integer)");
  EXPECT_EQ(one(R"({"t": {"tokens": [{"x": 1}]}})"),
            R"(refused in line 1, field "t": unknown key "x" in a token)");
}

TEST_F(JsonLines, Operations) {
  EXPECT_EQ(
      read("{\"op\": \"add\", \"doc\": {\"id\": \"1\"}}\n"
           "{\"op\": \"add\", \"docs\": [{\"id\": 2}, {\"id\": 3}]}\n"
           "{\"op\": \"flush\"}\n"
           "{\"\\u006fp\": \"commit\", \"user_data\": {\"b\": 1.50, \"a\": \"x\", \"c\": null}}\n"
           "{\"op\": \"commit\"}\n"
           "{\"op\": \"add\", \"docs\": []}\n"
           "{\"id\": \"4\", \"op\": \"flush\"}\n"),
      (Steps{"id=1", "[id=2][id=3]", "flush", "commit a=x b=1.50 c=null", "commit", "",
             "id=4 op=flush"}));
}

TEST_F(JsonLines, OperationsThatAreNone) {
  EXPECT_EQ(one(R"({"op": "force_merge"})"),
            R"(refused in line 1: "op": "force_merge" is not supported yet; known operations: )"
            "add, update, delete, update_doc_values, delete_all, flush, commit");
  EXPECT_EQ(one(R"({"op": "upsert"})"),
            R"(refused in line 1: unknown "op" "upsert"; known: )"
            "add, update, delete, update_doc_values, delete_all, flush, commit");
  EXPECT_EQ(one(R"({"op": 5})"), R"(refused in line 1: "op" must be a string)");
  EXPECT_EQ(one(R"({"op": "add"})"), R"(refused in line 1: "op": "add" needs "doc" or "docs")");
  EXPECT_EQ(one(R"({"op": "flush", "x": 1})"),
            R"(refused in line 1: unknown key "x" in "op": "flush")");
  EXPECT_EQ(one(R"({"op": "add", "doc": [1]})"), R"(refused in line 1: "doc" must be an object)");
  EXPECT_EQ(one(R"({"op": "add", "docs": {}})"), R"(refused in line 1: "docs" must be an array)");
}

TEST_F(JsonLines, ABlockIsRefusedWhole) {
  EXPECT_EQ(read("{\"op\": \"add\", \"docs\": [{\"id\": 2}, {\"nope\": 3}]}\n{\"id\": 1}\n"),
            (Steps{R"(refused in line 1, field "nope": not in the schema)", "id=1"}));
}

TEST_F(JsonLines, UnknownFieldsAreRefused) {
  EXPECT_EQ(one(R"({"id": 1, "color": "red"})"),
            R"(refused in line 1, field "color": not in the schema)");
  EXPECT_EQ(one(R"({"color": null})"), R"(refused in line 1, field "color": not in the schema)");
}

TEST_F(JsonLines, NestingIsRefused) {
  EXPECT_EQ(one(R"({"t": [["x"]]})"), R"(refused in line 1, field "t": an array inside an array)");
  EXPECT_EQ(one(R"({"t": {"a": 1}})"),
            R"(refused in line 1, field "t": unknown key "a" in a token value)");
  const std::string deep(100000, '[');
  EXPECT_EQ(one("{\"t\": " + deep + std::string(100000, ']') + "}"),
            R"(refused in line 1, field "t": an array inside an array)");
  EXPECT_EQ(one(deep), "refused in line 1: a line must be a JSON object");
}

TEST_F(JsonLines, MalformedLinesCostOnlyThemselves) {
  const Steps steps =
      read("{\"id\": 1}\n{\"id\": \n{\"id\": 2}\nnonsense\n[]\n{\"id\": 3}x\n{\"id\": 4}");
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0], "id=1");
  EXPECT_EQ(steps[1], "refused in line 2: malformed JSON: it ends too early");
  EXPECT_EQ(steps[2], "id=2");
  EXPECT_EQ(steps[3], "refused in line 4: a line must be a JSON object");
  EXPECT_EQ(steps[4], "refused in line 5: a line must be a JSON object");
  EXPECT_TRUE(steps[5].starts_with("refused in line 6: malformed JSON")) << steps[5];
  EXPECT_EQ(steps[6], "id=4");
}

TEST_F(JsonLines, StrictJsonOnly) {
  for (const char* line : {R"({"id": 01})",
                           R"({"id": 1.})",
                           R"({"id": tru})",
                           R"({"id": nul})",
                           R"({"id": 'a'})",
                           R"({"id": "a" "t": "b"})",
                           R"({"id": "a",})",
                           R"({,"id": "a"})",
                           R"({"id" "a"})",
                           R"({"id": "a":"b", "t": "c"})",
                           R"({"id": ["a",]})",
                           R"({"id": ["a" "b"]})",
                           R"({"id": ["a"}, "t": 1})",
                           R"({id: 1})",
                           R"({"id": 1}})",
                           R"({"id": 1} {"id": 2})",
                           R"({"id": "a\q"})",
                           R"({"id": "\u12"})",
                           R"({"a\q": 1})",
                           R"({"id": NaN})",
                           R"({"id": +1})",
                           R"({"id": "abc)",
                           R"({"id": "a)"
                           "\t"
                           R"("})",
                           R"({"id": 1 2})",
                           R"({"id": true false})",
                           R"({1: 1})",
                           R"({"id": })",
                           R"({"id"})",
                           R"({)",
                           R"(})",
                           R"({"id": "x"]})",
                           R"("id": 1)",
                           R"({"id": [1})",
                           R"({"id": {"base64": "AA"})",
                           R"({"id": {"base64": "AA"]})"}) {
    const std::string step = one(line);
    EXPECT_TRUE(step.starts_with("refused in line 1")) << line << " -> " << step;
    EXPECT_THROW(parse_json(line), BadValue) << line;
  }
}

TEST_F(JsonLines, InvalidUtf8NamesTheByteAndCostsOnlyItsLine) {
  EXPECT_EQ(
      read("{\"id\": \"ok\"}\n{\"id\": \"a\xFFz\"}\n{\"id\": \"\xED\xA0\x80\"}\n{\"id\": 5}\n"),
      (Steps{"id=ok", "refused in line 2: not valid UTF-8 at byte 10",
             "refused in line 3: not valid UTF-8 at byte 9", "id=5"}));
}

// docs/bug_reports.md, row 4.
TEST_F(JsonLines, LoneSurrogatesReachAnalyzersButNotTermsNorNames) {
  EXPECT_EQ(one(R"({"t": "a \uDDFD", "id": "\uDDFD", "k_\ud800": "\uFFFD"})"),
            "t=a <ED><B7><BD> id=<EF><BF><BD> k_<EF><BF><BD>=<EF><BF><BD>");
  EXPECT_EQ(schema_->find("k_\xED\xA0\x80"), schema_->find("k_\xEF\xBF\xBD"));
  EXPECT_EQ(one(R"({"t": "\uD83D\uDE00", "k_\u0061": 1})"), "t=<F0><9F><98><80> k_a=1");
}

// docs/bug_reports.md, row 1: whether a term is too long is for the writer to decide, so that the
// outcome is Lucene's; the reader hands on every byte.
TEST_F(JsonLines, LongKeywordsArriveWhole) {
  for (size_t length : {32766u, 32767u, 98301u}) {
    const std::string ascii(length, 'x');
    EXPECT_EQ(one("{\"id\": \"" + ascii + "\"}"), "id=" + ascii);
  }
  std::string euros;
  for (int i = 0; i < 32767; ++i) euros += "€";
  EXPECT_EQ(one("{\"id\": \"" + euros + "\"}"), "id=" + render_bytes(euros));
}

// docs/bug_reports.md, row 32.
TEST_F(JsonLines, AHundredThousandFields) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += fmt::format("{{\"k_{}\": {}}}\n", i, i);
  const Steps steps = read(text);
  ASSERT_EQ(steps.size(), 100000u);
  EXPECT_EQ(steps[99999], "k_99999=99999");
}

TEST_F(JsonLines, WhiteSpaceMarksAndMissingLineFeed) {
  EXPECT_EQ(read("\xEF\xBB\xBF{\"id\": 1}\r\n\r\n   \t\n\n {\"id\" :\t2 } \r\n{\"id\": 3}"),
            (Steps{"id=1", "id=2", "id=3"}));
  EXPECT_EQ(read(""), Steps{});
  EXPECT_EQ(read("\n"), Steps{});
}

TEST_F(JsonLines, NulBytes) {
  EXPECT_EQ(one(R"({"id": "a\u0000b"})"), "id=a<00>b");
  EXPECT_EQ(one(std::string_view("{\"id\": \"a\0b\"}", 13)),
            "refused in line 1: malformed JSON: control character in a string");
  EXPECT_TRUE(one(std::string_view("{\"id\": 1\0}", 10)).starts_with("refused in line 1"));
}

TEST_F(JsonLines, LinesBeyondTheLimitAreRefusedAlone) {
  const std::string text =
      "{\"id\": 1}\n{\"id\": \"" + std::string(100, 'x') + "\"}\n{\"id\": 2}\n";
  EXPECT_EQ(read(text, {.longest_line = 50}),
            (Steps{"id=1", "refused in line 2: the line is longer than 50 bytes", "id=2"}));
}

TEST_F(JsonLines, PlacesCountLinesAndDocuments) {
  auto source = open_source(
      InputInfo{.path = "in"},
      memory_byte_source("{\"id\":1}\n\n{\"op\":\"add\",\"docs\":[{},{}]}\nx\n{\"id\":2}\n"),
      {.first_document = 10});
  source->use_schema(*schema_);
  source->next();
  EXPECT_EQ(source->place().document, 10u);
  source->next();
  EXPECT_EQ(source->place().line, 3u);
  EXPECT_EQ(source->place().document, 11u);
  EXPECT_THROW(source->next(), RefusedInput);
  EXPECT_EQ(source->place().document, 13u);
  source->next();
  EXPECT_EQ(source->place().document, 14u);
  EXPECT_EQ(source->text_bytes(), source->bytes_taken());
}

TEST_F(JsonLines, ASeriesOfSmallReadsGivesTheSame) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text +=
        fmt::format("{{\"id\": \"{}\", \"t\": \"{}\\n€\"}}\n", i, std::string(size_t(i) * 7, 'w'));
  }
  const Steps whole = read(text);
  for (size_t piece : {1u, 2u, 7u, 1000u}) {
    EXPECT_EQ(read_text(InputKind::kJsonLines, *schema_, text, {}, piece), whole) << piece;
  }
}

// The reader against the tree parser: the same lines are JSON, and their values are the same.
class AgainstTree {
 public:
  // What a document of keywords must look like, "refused" if it cannot be one.
  static std::string expected(std::string_view line) {
    Scratch scratch;
    try {
      const JsonNode node = parse_json(line);
      if (!node.is_object() || (!node.keys.empty() && node.keys[0] == "op")) return "refused";
      std::string out;
      for (size_t i = 0; i < node.keys.size(); ++i) {
        const std::string name(without_surrogates(node.keys[i], scratch));
        if (node.items[i].is_array()) {
          for (const JsonNode& element : node.items[i].items) add(out, name, element);
        } else {
          add(out, name, node.items[i]);
        }
      }
      return out;
    } catch (const BadValue&) {
      return "refused";
    }
  }

 private:
  static void add(std::string& out, const std::string& name, const JsonNode& value) {
    if (value.type == JsonNode::Type::kNull) return;
    if (value.is_array()) throw BadValue("nested");
    Scratch scratch;
    std::string text;
    if (value.is_object()) {
      std::string_view base64;
      if (value.keys.size() > 1 || (value.keys.size() == 1 && value.keys[0] != "base64")) {
        throw BadValue("object");
      }
      if (!value.keys.empty()) {
        if (!value.items[0].is_string()) throw BadValue("object");
        base64 = value.items[0].text;
      }
      text = fmt::format("bytes:{}", render_bytes(decode_base64(base64, scratch)));
    } else {
      text = render_bytes(without_surrogates(value.text, scratch));
    }
    if (!out.empty()) out += ' ';
    out += fmt::format("{}={}", render_bytes(name), text);
  }
};

rc::Gen<std::string> json_piece() {
  return rc::gen::element<std::string>(
      "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\t", "\"a\"", "\"b\\n\"", "\"\\ud83d\"",
      "\"\\ud83d\\ude00\"", "\"\"", "\"base64\"", "\"QUI=\"", "\"op\"", "0", "-1.5e3", "12", "true",
      "false", "null", "\"x y\"", "é", "\"é\"", "\xFF", std::string(1, '\0'),
      "{\"base64\": \"QQ\"}", "\"k\": 1, ", "\"k\": [1, \"a\"]", "x");
}

RC_GTEST_PROP(JsonLinesProperty, AgreesWithTheTreeParserOnSoups, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(json_piece());
  std::string line = "{";
  for (const std::string& piece : pieces) line += piece;
  if (*rc::gen::arbitrary<bool>()) line += "}";
  const auto schema = Schema::parse(R"({"fields": [{"name": "*", "type": "keyword"}]})", "s");
  const Steps steps = read_text(InputKind::kJsonLines, *schema, line);
  RC_ASSERT(steps.size() == 1u);
  const std::string got = steps[0].starts_with("refused") ? "refused" : steps[0];
  RC_ASSERT(got == AgainstTree::expected(line));
}

TEST(JsonLinesDamaged, AgreesWithTheTreeParserOnDamagedLines) {
  const std::string good =
      R"({"id": "17", "tags": ["x", "y\u00e9\n", null, true], "n": -1.5e3, "b": {"base64": "QUJD"}, )"
      R"("empty": "", "s": "\ud83d\ude00 \ud83d", "last": [0, 12, false]})";
  std::mt19937 random(7);
  const std::string_view alphabet = "{}[],:\"\\ \t0123456789eE+-.truefalsn/u\x01\xC3\xA9\xED\xFF";
  // All in one run, so that a refused line is also seen to leave the next one alone.
  std::vector<std::string> lines;
  for (int round = 0; round < 30000; ++round) {
    std::string line = good;
    for (auto n = random() % 3 + 1; n > 0; --n) {
      const size_t at = random() % line.size();
      const char c = alphabet[random() % alphabet.size()];
      if (random() % 3 == 0) {
        line.erase(at, 1);
      } else if (random() % 2 == 0) {
        line.insert(at, 1, c);
      } else {
        line[at] = c;
      }
    }
    lines.push_back(std::move(line));
  }
  const auto schema = Schema::parse(R"({"fields": [{"name": "*", "type": "keyword"}]})", "s");
  const Steps steps =
      read_text(InputKind::kJsonLines, *schema, fmt::format("{}", fmt::join(lines, "\n")));
  ASSERT_EQ(steps.size(), lines.size());
  size_t accepted = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string got = steps[i].starts_with("refused") ? "refused" : steps[i];
    ASSERT_EQ(got, AgainstTree::expected(lines[i])) << lines[i];
    accepted += got != "refused";
  }
  EXPECT_GT(accepted, 3000u);
}

}  // namespace
}  // namespace postern::input
