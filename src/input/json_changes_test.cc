// Deletes and updates in JSON Lines.
#include <gtest/gtest.h>

#include "input/test_support.h"

namespace postern::input {
namespace {

constexpr const char* kSchema = R"({"fields": [
  {"name": "id", "type": "keyword", "store": true},
  {"name": "t", "type": "text"},
  {"name": "p", "type": "long"},
  {"name": "i", "type": "int", "index": false, "doc_values": "numeric"},
  {"name": "l", "type": "long", "index": false, "doc_values": "numeric"},
  {"name": "f", "type": "float", "index": false, "doc_values": "numeric"},
  {"name": "d", "type": "double", "index": false, "doc_values": "numeric"},
  {"name": "b", "type": "binary", "doc_values": "binary"},
  {"name": "kb", "type": "keyword", "index": false, "doc_values": "binary"},
  {"name": "tb", "type": "text", "doc_values": "binary"},
  {"name": "s", "type": "keyword", "doc_values": true},
  {"name": "x_*", "type": "long", "index": false, "doc_values": "numeric"}
]})";

class JsonChangesTest : public testing::Test {
 protected:
  std::string one(std::string_view line) {
    const Steps steps = read_text(InputKind::kJsonLines, *schema_, line);
    return steps.size() == 1 ? steps[0] : fmt::format("{} steps", steps.size());
  }
  // Of an update of doc values: what is wrong with it.
  std::string refused_update(std::string_view rest) {
    const std::string said =
        one(fmt::format(R"({{"op": "update_doc_values", "term": ["id", "1"], {}}})", rest));
    constexpr std::string_view kBegin = "refused in line 1";
    return said.starts_with(kBegin) ? said.substr(kBegin.size()) : "not refused: " + said;
  }

  std::unique_ptr<Schema> schema_ = Schema::parse(kSchema, "schema");
};

TEST_F(JsonChangesTest, DeletesNameTerms) {
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", "17"]})"), "delete (id:17)");
  EXPECT_EQ(one(R"({"op": "delete", "terms": [["id", "a b"], ["t", "word"], ["id", ""]]})"),
            "delete (id:a b)(t:word)(id:)");
  EXPECT_EQ(one(R"({"op": "delete", "terms": []})"), "delete ");
}

TEST_F(JsonChangesTest, AllDocumentsAreDeletedInTwoSpellings) {
  EXPECT_EQ(one(R"({"op": "delete_all"})"), "delete_all");
  EXPECT_EQ(one(R"({"op": "delete", "query": "*:*"})"), "delete_all");
  EXPECT_EQ(one(R"({"op": "delete", "query": "id:1"})"),
            R"(refused in line 1: "query": "id:1" is not known, only "*:*" is)");
}

// A keyword takes numbers and booleans as they are spelled, so its terms do.
TEST_F(JsonChangesTest, TermsAreSpelledAsTheirFieldTakesThem) {
  EXPECT_EQ(one(R"({"op": "delete", "terms": [["id", 1.50], ["id", true], ["id", -0]]})"),
            "delete (id:1.50)(id:true)(id:-0)");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", {"base64": "gP8="}]})"), "delete (id:<80><FF>)");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["\u0069d", "x\u0041\ud800"]})"),
            "delete (id:xA<EF><BF><BD>)");
}

TEST_F(JsonChangesTest, ATermThatCanFindNothingIsRefused) {
  EXPECT_EQ(one(R"({"op": "delete", "term": ["nope", "1"]})"),
            R"(refused in line 1, field "nope": not in the schema)");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["p", 1]})"),
            R"(refused in line 1, field "p": the field has no terms, so no document could be )"
            "found by one");
}

TEST_F(JsonChangesTest, BadTerms) {
  const std::string pair = "refused in line 1: a term must be an array of a field and a value";
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id"]})"), pair);
  EXPECT_EQ(one(R"({"op": "delete", "term": []})"), pair);
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", "1", "2"]})"), pair);
  EXPECT_EQ(one(R"({"op": "delete", "term": "id"})"), "refused in line 1: a term must be an array");
  EXPECT_EQ(one(R"({"op": "delete", "terms": [["id", "1"], "x"]})"),
            "refused in line 1: a term must be an array");
  EXPECT_EQ(one(R"({"op": "delete", "terms": {"id": "1"}})"),
            R"(refused in line 1: "terms" must be an array)");
  EXPECT_EQ(one(R"({"op": "delete", "term": [1, "1"]})"),
            "refused in line 1: the field of a term must be a string");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", null]})"),
            R"(refused in line 1, field "id": not the value of a term: null)");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", ["1"]]})"),
            R"(refused in line 1, field "id": not the value of a term: [)");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", {"base64": "x"}]})"),
            R"(refused in line 1, field "id": bad base64 (wrong length): "x")");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", {"bytes": "x"}]})"),
            R"(refused in line 1, field "id": unknown key "bytes" in a bytes value)");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", "1")"),
            "refused in line 1: malformed JSON: it ends too early");
}

TEST_F(JsonChangesTest, UpdatesReplaceByADocumentOrABlock) {
  EXPECT_EQ(one(R"({"op": "update", "term": ["id", "1"], "doc": {"id": "1", "t": "x"}})"),
            "update (id:1)id=1 t=x");
  EXPECT_EQ(one(R"({"op": "update", "docs": [{"id": 1}, {"id": 2}], "term": ["id", 1]})"),
            "update (id:1)[id=1][id=2]");
  EXPECT_EQ(one(R"({"op": "update", "term": ["id", "1"], "docs": []})"), "update (id:1)");
  EXPECT_EQ(one(R"({"op": "update", "term": ["id", "1"], "doc": {"nope": 1}})"),
            R"(refused in line 1, field "nope": not in the schema)");
}

TEST_F(JsonChangesTest, DocValuesOfEachKindOfField) {
  EXPECT_EQ(one(R"({"op": "update_doc_values", "term": ["id", "1"], "field": "l", "value": -5})"),
            "update_doc_values (id:1){l: -5}");
  EXPECT_EQ(one(R"({"op": "update_doc_values", "term": ["id", "1"], "fields": )"
                R"({"i": "7", "x_1": 1, "f": 1.5, "d": "NaN", "l": 9223372036854775807}})"),
            "update_doc_values (id:1){i: 7}{x_1: 1}{f: 1069547520}{d: 9221120237041090560}"
            "{l: 9223372036854775807}");
  EXPECT_EQ(one(R"({"op": "update_doc_values", "term": ["id", "1"], "fields": {"f": -0.0}})"),
            "update_doc_values (id:1){f: -2147483648}");
  EXPECT_EQ(one(R"({"op": "update_doc_values", "term": ["id", "1"], "fields": )"
                R"({"b": "AP8=", "kb": "ab\u00e9", "tb": "t", "b": {"base64": ""}}})"),
            "update_doc_values (id:1){b: bytes <00><FF>}{kb: bytes ab<C3><A9>}{tb: bytes t}"
            "{b: bytes }");
  EXPECT_EQ(one(R"({"op": "update_doc_values", "term": ["id", "1"], "fields": {}})"),
            "update_doc_values (id:1)");
}

TEST_F(JsonChangesTest, TheValueMayStandBeforeItsField) {
  EXPECT_EQ(one(R"({"op": "update_doc_values", "value": -5, "field": "l", "term": ["id", "1"]})"),
            "update_doc_values (id:1){l: -5}");
  EXPECT_EQ(
      one(R"({"op": "update_doc_values", "value": [1 2], "field": "l", "term": ["id", 1]})"),
      "refused in line 1: malformed JSON at byte 41: a comma, colon, bracket, key or value is "
      "not where it should be");
  EXPECT_EQ(one(R"({"op": "update_doc_values", "value": "x", "field": "l", "term": ["id", 1]})"),
            R"(refused in line 1, field "l": not a long: "x")");
}

TEST_F(JsonChangesTest, BadDocValues) {
  EXPECT_EQ(refused_update(R"("field": "nope", "value": 1)"),
            R"(, field "nope": not in the schema)");
  for (const char* field : {"id", "s", "p", "t"}) {
    EXPECT_EQ(refused_update(fmt::format(R"("field": "{}", "value": "1")", field)),
              fmt::format(R"(, field "{}": only "doc_values": "numeric" and "binary" can be )"
                          "updated",
                          field));
  }
  EXPECT_EQ(refused_update(R"("field": "l", "value": "x")"), R"(, field "l": not a long: "x")");
  EXPECT_EQ(refused_update(R"("field": "i", "value": 2147483648)"),
            R"(, field "i": not an int: "2147483648")");
  EXPECT_EQ(refused_update(R"("field": "l", "value": null)"),
            R"(, field "l": an update takes one value, not 0)");
  EXPECT_EQ(refused_update(R"("field": "l", "value": [1, 2])"),
            R"(, field "l": an update takes one value, not 2)");
  EXPECT_EQ(refused_update(R"("field": "b", "value": 5)"),
            R"(, field "b": not a base64 string: 5)");
  EXPECT_EQ(refused_update(R"("field": "tb", "value": {"tokens": []})"),
            R"(, field "tb": ready tokens are no doc value)");
  EXPECT_EQ(refused_update(R"("fields": {"l": 1, "i": "y"})"), R"(, field "i": not an int: "y")");
  EXPECT_EQ(refused_update(R"("fields": [])"), R"(: "fields" must be an object)");
  EXPECT_EQ(refused_update(R"("field": 5, "value": 1)"), R"(: "field" must be a string)");
}

TEST_F(JsonChangesTest, EachOperationTakesItsKeys) {
  EXPECT_EQ(one(R"({"op": "delete"})"),
            R"(refused in line 1: "op": "delete" needs "term" or "terms" or "query")");
  EXPECT_EQ(one(R"({"op": "delete", "term": ["id", "1"], "terms": []})"),
            R"(refused in line 1: "op": "delete" takes one "term" or "terms" or "query", "terms" )"
            "is another");
  EXPECT_EQ(one(R"({"op": "delete", "doc": {}})"),
            R"(refused in line 1: unknown key "doc" in "op": "delete")");
  EXPECT_EQ(one(R"({"op": "update", "doc": {}})"),
            R"(refused in line 1: "op": "update" needs "term")");
  EXPECT_EQ(one(R"({"op": "update", "term": ["id", "1"]})"),
            R"(refused in line 1: "op": "update" needs "doc" or "docs")");
  EXPECT_EQ(one(R"({"op": "update", "term": ["id", "1"], "term": ["id", "1"], "doc": {}})"),
            R"(refused in line 1: "op": "update" takes one "term", "term" is another)");
  EXPECT_EQ(refused_update(R"("field": "l")"),
            R"(: "op": "update_doc_values" needs "fields" or "value")");
  EXPECT_EQ(refused_update(R"("value": 1)"),
            R"(: "op": "update_doc_values" needs "field" or "fields")");
  EXPECT_EQ(refused_update(R"("fields": {"l": 1}, "value": 1)"),
            R"(: "op": "update_doc_values" takes one "fields" or "value", "value" is another)");
  EXPECT_EQ(one(R"({"op": "update_doc_values", "field": "l", "value": 1})"),
            R"(refused in line 1: "op": "update_doc_values" needs "term")");
  EXPECT_EQ(one(R"({"op": "delete_all", "term": ["id", "1"]})"),
            R"(refused in line 1: unknown key "term" in "op": "delete_all")");
  EXPECT_EQ(one(R"({"op": "commit", "user_data": {}, "user_data": {}})"),
            R"(refused in line 1: repeated key "user_data" in "op": "commit")");
}

// What a line named is gone with the next one.
TEST_F(JsonChangesTest, NothingIsLeftOfTheLineBefore) {
  EXPECT_EQ(
      read_text(InputKind::kJsonLines, *schema_,
                "{\"op\": \"update_doc_values\", \"term\": [\"id\", 1], \"field\": \"l\", "
                "\"value\": 1}\n"
                "{\"op\": \"update_doc_values\", \"term\": [\"id\", 1], \"value\": 1}\n"
                "{\"op\": \"delete\", \"terms\": [[\"id\", 1], [\"id\", []]]}\n"
                "{\"id\": \"2\"}\n{\"op\": \"flush\"}\n"),
      (Steps{"update_doc_values (id:1){l: 1}",
             "refused in line 2: \"op\": \"update_doc_values\" needs \"field\" or \"fields\"",
             "refused in line 3, field \"id\": not the value of a term: [", "id=2", "flush"}));
}

}  // namespace
}  // namespace postern::input
