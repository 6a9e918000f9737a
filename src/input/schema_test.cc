#include "input/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "input/errors.h"
#include "postern/error.h"

namespace postern::input {
namespace {

std::unique_ptr<Schema> one_field(std::string_view keys) {
  return Schema::parse(fmt::format(R"({{"fields": [{{"name": "f", {}}}]}})", keys), "s.json");
}

FieldType type_of(std::string_view keys) { return one_field(keys)->find("f")->definition.type(); }

std::string refusal(std::string_view json) {
  try {
    Schema::parse(json, "s.json");
  } catch (const NotSupported& e) {
    return fmt::format("later: {}", e.what());
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

std::string field_refusal(std::string_view keys) {
  return refusal(fmt::format(R"({{"fields": [{{"name": "f", {}}}]}})", keys));
}

TEST(Schema, DefaultsOfText) {
  const auto schema = one_field(R"("type": "text")");
  const FieldDefinition& f = schema->find("f")->definition;
  EXPECT_EQ(f.type().index_options, IndexOptions::kPositions);
  EXPECT_TRUE(f.type().tokenized);
  EXPECT_FALSE(f.type().stored);
  EXPECT_FALSE(f.type().omit_norms);
  EXPECT_NE(f.analyzer(), nullptr);
  EXPECT_EQ(f.position_increment_gap(), 0u);
  EXPECT_EQ(f.offset_gap(), 1u);
}

TEST(Schema, DefaultsOfKeyword) {
  const auto schema = one_field(R"("type": "keyword")");
  const FieldDefinition& f = schema->find("f")->definition;
  EXPECT_EQ(f.type().index_options, IndexOptions::kDocs);
  EXPECT_FALSE(f.type().tokenized);
  EXPECT_TRUE(f.type().omit_norms);
  EXPECT_EQ(f.analyzer(), nullptr);
}

TEST(Schema, EveryKeyOfInvertedFields) {
  const auto schema = one_field(
      R"("type": "text", "index_options": "offsets", "norms": false, "store": true,
         "position_increment_gap": 100, "offset_gap": 3, "analyzer": "whitespace",
         "max_token_length": 10, "term_vector": "no", "doc_values": false, "comment": {"any": [1]})");
  const FieldDefinition& f = schema->find("f")->definition;
  EXPECT_EQ(f.type().index_options, IndexOptions::kOffsets);
  EXPECT_TRUE(f.type().omit_norms);
  EXPECT_TRUE(f.type().stored);
  EXPECT_EQ(f.position_increment_gap(), 100u);
  EXPECT_EQ(f.offset_gap(), 3u);
}

TEST(Schema, IndexFalseStoresOnly) {
  EXPECT_FALSE(type_of(R"("type": "text", "index": false, "store": true)").indexed());
  EXPECT_FALSE(type_of(R"("type": "long", "index": false, "store": true)").indexed());
  EXPECT_TRUE(type_of(R"("type": "long", "index": false, "store": true)").stored);
  EXPECT_FALSE(type_of(R"("type": "binary", "store": true)").indexed());
  EXPECT_EQ(type_of(R"("type": "text", "index": false, "index_options": "freqs")").index_options,
            IndexOptions::kFreqs);
}

TEST(Schema, AnalyzersSplitAsTheirNamesSay) {
  struct Case {
    const char* keys;
    const char* terms;
  };
  for (const Case& c :
       {Case{R"("analyzer": "standard")", "the foxes don't x y"},
        Case{R"("analyzer": "standard", "stopwords": "_english_")", "foxes don't x y"},
        Case{R"("analyzer": "standard", "stopwords": ["x"])", "the foxes don't y"},
        Case{R"("analyzer": "standard", "max_token_length": 3)", "the fox es don t x y"},
        Case{R"("analyzer": "whitespace")", "The Foxes don't x|y"},
        Case{R"("analyzer": "whitespace", "max_token_length": 3)", "The Fox es don 't x|y"},
        Case{R"("analyzer": "keyword")", "The Foxes don't x|y"},
        Case{R"("analyzer": "simple")", "the foxes don t x y"},
        Case{R"("analyzer": "stop")", "foxes don t x y"},
        Case{R"("analyzer": "stop", "stopwords": "_none_")", "the foxes don t x y"},
        Case{R"("analyzer": "english")", "fox don't x y"},
        Case{R"("analyzer": "english", "stopwords": [])", "the fox don't x y"},
        Case{R"("analyzer": "delimited")", "The Foxes don't x"}}) {
    const auto schema = one_field(fmt::format(R"("type": "text", {})", c.keys));
    const auto stream = schema->find("f")->definition.analyzer()->token_stream();
    stream->reset("The Foxes don't x|y");
    std::string terms;
    Token tokens[16];
    while (const size_t n = stream->next(tokens)) {
      for (size_t i = 0; i < n; ++i) {
        if (!terms.empty()) terms += ' ';
        terms.append(reinterpret_cast<const char*>(tokens[i].term), tokens[i].term_length);
      }
    }
    EXPECT_EQ(terms, c.terms) << c.keys;
  }
}

// As Lucene's side counts: UTF-16 units, so that these two are equally long.
TEST(Schema, PatternsAreComparedByTheirCharacters) {
  const auto schema = Schema::parse(
      R"({"fields": [{"name": "*b", "type": "text"}, {"name": "名*", "type": "keyword"}]})", "s");
  EXPECT_EQ(schema->find("名b")->kind, FieldKind::kText);
}

TEST(Schema, ExactNameThenLongestPattern) {
  const auto schema = Schema::parse(
      R"({"fields": [{"name": "*", "type": "text"}, {"name": "a_*", "type": "keyword"},
          {"name": "a_*_x", "type": "int", "index": false}, {"name": "a_b_x", "type": "binary"},
          {"name": "*_long_tail", "type": "long", "index": false}]})",
      "s");
  EXPECT_EQ(schema->find("zzz")->kind, FieldKind::kText);
  EXPECT_EQ(schema->find("")->kind, FieldKind::kText);
  EXPECT_EQ(schema->find("a_")->kind, FieldKind::kKeyword);
  EXPECT_EQ(schema->find("a_q")->kind, FieldKind::kKeyword);
  EXPECT_EQ(schema->find("a_q_x")->kind, FieldKind::kInt);
  EXPECT_EQ(schema->find("a__x")->kind, FieldKind::kInt);
  EXPECT_EQ(schema->find("a_x")->kind, FieldKind::kKeyword);  // head and tail may not overlap
  EXPECT_EQ(schema->find("a_b_x")->kind, FieldKind::kBinary);
  EXPECT_EQ(schema->find("a_long_tail")->kind, FieldKind::kLong);
  EXPECT_EQ(schema->find("a_q")->definition.name(), "a_q");
  EXPECT_EQ(schema->find("a_q"), schema->find("a_q"));
  EXPECT_NE(schema->find("a_q"), schema->find("a_r"));
}

TEST(Schema, LoneSurrogatesInNamesAreReplacementCharacters) {
  const auto schema = Schema::parse(R"({"fields": [{"name": "a\ud800", "type": "text"}]})", "s");
  ASSERT_NE(schema->find("a\xEF\xBF\xBD"), nullptr);
  EXPECT_EQ(schema->find("a\xEF\xBF\xBD"), schema->find("a\xED\xA0\x80"));
  EXPECT_EQ(schema->find("a\xEF\xBF\xBD")->definition.name(), "a\xEF\xBF\xBD");
}

TEST(Schema, NamesThatMatchNothing) {
  const auto schema = one_field(R"("type": "text")");
  EXPECT_EQ(schema->find("g"), nullptr);
  EXPECT_EQ(schema->find(""), nullptr);
}

constexpr const char* kSortable = R"({"fields": [
    {"name": "i", "type": "int", "doc_values": "numeric"},
    {"name": "d", "type": "double", "doc_values": true},
    {"name": "s", "type": "keyword", "doc_values": "sorted"},
    {"name": "t_*", "type": "keyword", "doc_values": true},
    {"name": "x", "type": "keyword"}, {"name": "b", "type": "binary", "doc_values": true}],
    "parent_field": "p", "soft_deletes_field": "gone", "index_sort": [)";

TEST(Schema, IndexSortTakesItsKeysFromTheFields) {
  const auto schema = Schema::parse(std::string(kSortable) + R"({"field": "i"},
      {"field": "d", "order": "desc", "mode": "max", "missing": "_first"},
      {"field": "s", "order": "asc", "mode": "min", "missing": "_last"}, {"field": "t_1"}]})",
                                    "s.json");
  const IndexSort expected = {
      {"i", DocValuesType::kNumeric, SortNumber::kInt, SortMode::kMin, false, SortMissing::kLast},
      {"d", DocValuesType::kSortedNumeric, SortNumber::kDouble, SortMode::kMax, true,
       SortMissing::kFirst},
      {"s", DocValuesType::kSorted, SortNumber::kLong, SortMode::kMin, false, SortMissing::kLast},
      {"t_1", DocValuesType::kSortedSet, SortNumber::kLong, SortMode::kMin, false,
       SortMissing::kLast}};
  EXPECT_EQ(schema->index_sort(), expected);
  EXPECT_EQ(schema->parent_field(), "p");
  EXPECT_EQ(schema->soft_deletes_field(), "gone");
}

TEST(Schema, KeysThatCannotSortAreRefused) {
  auto with_key = [](const std::string& key) { return refusal(kSortable + key + "]}"); };
  EXPECT_EQ(with_key(R"({"field": "y"})"), "s.json: \"index_sort\": the schema has no field \"y\"");
  EXPECT_EQ(with_key(R"({"field": "x"})"),
            "s.json: \"index_sort\": field \"x\" needs \"doc_values\" to sort by: true, or any but "
            "binary");
  EXPECT_EQ(with_key(R"({"field": "b"})"),
            "s.json: \"index_sort\": field \"b\" needs \"doc_values\" to sort by: true, or any but "
            "binary");
  EXPECT_EQ(with_key(R"({"field": "i", "order": "up"})"),
            "s.json: unknown order \"up\"; known: asc, desc");
  EXPECT_EQ(with_key(R"({"field": "i", "missing": "last"})"),
            "s.json: unknown missing \"last\"; known: _last, _first");
  EXPECT_EQ(with_key(R"({"field": "i", "mode": "avg"})"),
            "s.json: unknown mode \"avg\"; known: min, max");
  EXPECT_EQ(with_key(R"({"field": "i", "reverse": true})"),
            "s.json: unknown key \"reverse\" in \"index_sort\"");
  EXPECT_EQ(with_key("1"), "s.json: each key of \"index_sort\" must be an object");
  EXPECT_EQ(refusal(R"({"fields": [], "index_sort": {"field": "f"}})"),
            "s.json: \"index_sort\" must be an array of keys");
  EXPECT_EQ(refusal(R"({"fields": [], "parent_field": "f", "soft_deletes_field": "f"})"),
            "s.json: \"parent_field\" and \"soft_deletes_field\" cannot be the same field");
}

TEST(Schema, TermVectorsDocValuesAndPointsBecomeTypes) {
  FieldType vectors = one_field(R"("type": "text", "term_vector": "with_positions_payloads")")
                          ->find("f")
                          ->definition.type();
  EXPECT_EQ(vectors.term_vectors,
            (TermVectors{.enabled = true, .positions = true, .offsets = false, .payloads = true}));
  EXPECT_EQ(one_field(R"("type": "text")")->find("f")->definition.type().term_vectors,
            TermVectors{});

  const auto doc_values = [](const char* json) {
    return one_field(json)->find("f")->definition.type().doc_values;
  };
  EXPECT_EQ(doc_values(R"("type": "int", "doc_values": true)"), DocValuesType::kSortedNumeric);
  EXPECT_EQ(doc_values(R"("type": "double", "doc_values": "numeric")"), DocValuesType::kNumeric);
  EXPECT_EQ(doc_values(R"("type": "binary", "doc_values": true)"), DocValuesType::kBinary);
  EXPECT_EQ(doc_values(R"("type": "keyword", "doc_values": true)"), DocValuesType::kSortedSet);
  EXPECT_EQ(doc_values(R"("type": "text", "doc_values": "sorted")"), DocValuesType::kSorted);
  EXPECT_EQ(doc_values(R"("type": "text", "doc_values": false)"), DocValuesType::kNone);

  FieldType shape =
      one_field(R"("type": "float", "dims": 3, "index_dims": 2)")->find("f")->definition.type();
  EXPECT_EQ(shape.point_dimensions, 3);
  EXPECT_EQ(shape.point_index_dimensions, 2);
  EXPECT_EQ(shape.point_bytes, 4);
  EXPECT_EQ(one_field(R"("type": "long")")->find("f")->definition.type().point_bytes, 8);
  EXPECT_EQ(
      one_field(R"("type": "long", "index": false)")->find("f")->definition.type().point_dimensions,
      0);
  EXPECT_EQ(one_field(R"("type": "binary", "index": true, "bytes": 5)")
                ->find("f")
                ->definition.type()
                .point_bytes,
            5);
}

TEST(Schema, MisusedAspectsSayWhatToWriteInstead) {
  const std::string start = "s.json: field \"f\": ";
  EXPECT_EQ(field_refusal(R"("type": "text", "doc_values": "numeric")"),
            start + "\"doc_values\": \"numeric\" does not fit type text; write \"sorted_set\"");
  EXPECT_EQ(field_refusal(R"("type": "int", "doc_values": "sorted")"),
            start + "\"doc_values\": \"sorted\" does not fit type int; write \"sorted_numeric\"");
  EXPECT_EQ(field_refusal(R"("type": "int", "doc_values_skip_index": true)"),
            start +
                "\"doc_values_skip_index\" needs \"doc_values\", other than binary ones; write "
                "\"doc_values\": true, or leave \"doc_values_skip_index\" out");
  EXPECT_EQ(
      field_refusal(R"("type": "text", "doc_values": true)"),
      start +
          "\"doc_values\": true says too little for type text: its doc values are whole texts, "
          "not their words; write \"sorted_set\", \"sorted\" or \"binary\" for that, or declare "
          "a keyword field");
  EXPECT_EQ(field_refusal(R"("type": "keyword", "dims": 2)"),
            start +
                "\"dims\" is of points, and type keyword has none; leave \"dims\" out, or write an "
                "indexed int, long, float, double or binary");
  EXPECT_EQ(field_refusal(R"("type": "int", "index": false, "index_dims": 1)"),
            start +
                "\"index_dims\" is of points, and type int without index has none; leave "
                "\"index_dims\" out, or write an indexed int, long, float, double or binary");
  EXPECT_EQ(field_refusal(R"("type": "binary", "index": true, "bytes": 4, "dims": 2)"),
            start +
                "\"dims\" above 1 needs type int, long, float or double; a binary is one point of "
                "\"bytes\"");
  EXPECT_EQ(
      field_refusal(R"("type": "int", "dims": 2, "store": true)"),
      start +
          "a point of several \"dims\" has neither \"store\" nor \"doc_values\"; declare fields of "
          "one dimension for those");
  EXPECT_EQ(field_refusal(R"("type": "int", "dims": 10, "index_dims": 9)"),
            start + "\"index_dims\" must be an integer from 1 to 8, got \"9\"");
  EXPECT_EQ(
      field_refusal(R"("type": "binary", "index": true)"),
      start +
          "an indexed binary is a point and needs \"bytes\", its width from 1 to 16; to search "
          "bytes as one term write \"type\": \"keyword\"");
  EXPECT_EQ(
      field_refusal(R"("type": "text", "index": false, "store": true, "term_vector": "yes")"),
      start +
          "\"term_vector\": \"yes\" needs an indexed text or keyword field; leave \"term_vector\" "
          "out");
}

TEST(Schema, MistakesAreNamed) {
  EXPECT_EQ(field_refusal(R"("type": "words")"),
            "s.json: field \"f\": unknown type \"words\"; known: text, keyword, binary, int, long, "
            "float, double, knn_vector");
  EXPECT_EQ(field_refusal(R"("type": "integer")"),
            "s.json: field \"f\": unknown type \"integer\"; write \"int\"");
  EXPECT_EQ(field_refusal(R"("type": "text", "stored": true)"),
            "s.json: field \"f\": unknown key \"stored\" in a field; write \"store\"");
  EXPECT_EQ(field_refusal(R"("type": "text", "hidden": true)"),
            "s.json: field \"f\": unknown key \"hidden\" in a field");
  EXPECT_EQ(
      field_refusal(R"("type": "text", "analyzer": "german")"),
      "s.json: field \"f\": unknown analyzer \"german\"; known: standard, whitespace, keyword, "
      "simple, stop, english, delimited, delimited_freq");
  EXPECT_EQ(field_refusal(R"("type": "text", "store": "yes")"),
            "s.json: field \"f\": \"store\" must be true or false");
  EXPECT_EQ(
      field_refusal(R"("type": "text", "max_token_length": 0)"),
      "s.json: field \"f\": \"max_token_length\" must be an integer from 1 to 1048576, got \"0\"");
  EXPECT_EQ(
      field_refusal(R"("type": "text", "offset_gap": -1)"),
      "s.json: field \"f\": \"offset_gap\" must be an integer from 0 to 2147483647, got \"-1\"");
  EXPECT_EQ(
      field_refusal(R"("type": "text", "stopwords": "_german_")"),
      "s.json: field \"f\": unknown stopwords \"_german_\"; known: a list, _english_, _none_");
  EXPECT_EQ(field_refusal(R"("type": "long", "index": false, "index_options": "docs")"),
            "s.json: field \"f\": \"index_options\" needs type text or keyword");
  EXPECT_EQ(
      field_refusal(R"("index": true)"),
      "s.json: field \"f\": it has no \"type\"; known: text, keyword, binary, int, long, float, "
      "double, knn_vector");
  EXPECT_EQ(
      refusal(R"({"fields": [{"name": "f", "type": "text"}, {"name": "f", "type": "text"}]})"),
      "s.json: field \"f\": it is declared twice");
  EXPECT_EQ(refusal(R"({"fields": [{"name": "a*b*", "type": "text"}]})"),
            "s.json: field \"a*b*\": a pattern has one \"*\" only");
  EXPECT_EQ(refusal(R"({"fields": [{"type": "text"}]})"), "s.json: a field has no \"name\"");
  EXPECT_EQ(refusal(R"({"fields": {}})"), "s.json: the schema needs \"fields\", an array");
  EXPECT_EQ(refusal(R"({"fields": [], "sort": 1})"), "s.json: unknown key \"sort\" in the schema");
  EXPECT_EQ(refusal(R"([])"), "s.json: the schema must be a JSON object");
  EXPECT_EQ(refusal("{\"fields\": [\n  {\"name\": \"a\" \"type\": \"text\"}\n]}"),
            "s.json: malformed JSON at line 2, column 16: expected ',' or '}'");
}

TEST(Schema, DeepNestingAndGarbageAreRefused) {
  EXPECT_EQ(refusal(std::string(100000, '[')),
            "s.json: malformed JSON at line 1, column 66: nested too deep");
  EXPECT_EQ(refusal(""), "s.json: malformed JSON at line 1, column 1: it ends too early");
  EXPECT_EQ(refusal("{\"fields\": []} x"),
            "s.json: malformed JSON at line 1, column 16: text behind the value");
  EXPECT_EQ(refusal("{\"a\xFF\": 1}"),
            "s.json: malformed JSON at line 1, column 4: not valid UTF-8");
}

TEST(Schema, AFileThatIsNotThere) {
  EXPECT_THROW(Schema::load("/nonexistent/schema.json"), InvalidArgument);
}

}  // namespace
}  // namespace postern::input
