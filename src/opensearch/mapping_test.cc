#include "opensearch/mapping.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "input/json_tree.h"
#include "opensearch/mapping_tree.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

// What is said of a mapping that is refused; empty if it is taken.
std::string refusal(const std::string& json) {
  try {
    Mapping::parse(json, "m.json");
    return "";
  } catch (const NotSupported& e) {
    return std::string("not supported: ") + e.what();
  } catch (const InvalidArgument& e) {
    return std::string("invalid: ") + e.what();
  }
}

std::string field_refusal(const std::string& parameters) {
  return refusal(R"({"properties":{"a":{"properties":{"b":)" + parameters + "}}}}");
}

const FieldMapper& field_of(Mapping& mapping, const char* path) {
  const Mapper mapper = mapping.tree().find(path);
  if (mapper.field == nullptr) throw std::out_of_range(path);
  return *mapper.field;
}

TEST(Mapping, IsTakenInEachOfItsThreeShapes) {
  const std::string plain = R"({"properties":{"a":{"type":"long"}}})";
  for (const std::string& json :
       {plain, R"({"mappings":)" + plain + "}",
        R"({"books":{"aliases":{},"mappings":)" + plain + R"(,"settings":{"index":{}}}})"}) {
    const auto mapping = Mapping::parse(json, "m.json");
    EXPECT_EQ(mapping->to_json(), plain) << json;
  }
  EXPECT_EQ(Mapping::parse("{}", "m.json")->to_json(), "{}");
  EXPECT_EQ(refusal(R"({"a":{"mappings":{}},"b":{"mappings":{}}})"),
            "invalid: m.json: mappings of 2 indexes (a, b, …); give one index");
}

TEST(Mapping, KeepsWhatItDoesNotNeed) {
  const std::string json =
      R"({"_meta":{"of":["x",1.50]},"properties":{"t":{"type":"text","fielddata":true,"meta":{"u":"m"}}}})";
  EXPECT_EQ(Mapping::parse(json, "m.json")->to_json(), json);
}

TEST(Mapping, NamesWithDotsAreObjects) {
  const auto mapping = Mapping::parse(
      R"({"properties":{"a.b.c":{"type":"long"},"a":{"properties":{"d":{"type":"ip"}}}}})", "m");
  EXPECT_EQ(
      mapping->to_json(),
      R"({"properties":{"a":{"properties":{"b":{"properties":{"c":{"type":"long"}}},"d":{"type":"ip"}}}}})");
  EXPECT_EQ(field_of(*mapping, "a.b.c").path, "a.b.c");
}

TEST(Mapping, RefusesByPathNameAndReason) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"type":"scaled_float"})",
       "not supported: m.json: field [a.b]: type [scaled_float] is not supported: write long or "
       "double, and scale the values yourself"},
      {R"({"type":"txt"})", "invalid: m.json: field [a.b]: unknown type \"txt\""},
      {R"({})", "invalid: m.json: field [a.b]: no \"type\""},
      {R"({"type":"long","foo":1})",
       "invalid: m.json: field [a.b] of type [long]: parameter [foo]: OpenSearch does not know it "
       "here"},
      {R"({"type":"long","index":"yes"})",
       "invalid: m.json: field [a.b] of type [long]: parameter [index]: must be true or false, got "
       "\"yes\""},
      {R"({"type":"text","analyzer":"french"})",
       "not supported: m.json: field [a.b] of type [text]: parameter [analyzer] is not supported: "
       "there is no analyzer \"french\"; known: standard, simple, whitespace, keyword, stop, "
       "english"},
      {R"({"type":"keyword","normalizer":"lowercase"})",
       "not supported: m.json: field [a.b] of type [keyword]: parameter [normalizer] is not "
       "supported: values are indexed as they are"},
      {R"({"type":"byte","null_value":300})",
       "invalid: m.json: field [a.b] of type [byte]: parameter [null_value]: \"300\" is not a "
       "byte"},
      {R"({"type":"text","fields":{"x":{"type":"join"}}})",
       "not supported: m.json: field [a.b.x]: type [join] is not supported: write nested, or a "
       "keyword with the id of the other document"},
      {R"({"type":"long","copy_to":"a"})",
       "invalid: m.json: field [a.b] of type [long]: parameter [copy_to]: \"a\" is an object"},
      {R"({"type":"alias","path":"nope"})",
       "invalid: m.json: field [a.b] of type [alias]: parameter [path]: there is no field "
       "\"nope\""},
      {R"({"type":"nested","foo":1})",
       "invalid: m.json: field [a.b] of type [nested]: parameter [foo]: OpenSearch does not know "
       "it here"},
  };
  for (const auto& [parameters, message] : kCases) {
    EXPECT_EQ(field_refusal(parameters), message) << parameters;
  }
}

TEST(Mapping, RefusesWhatTheRootCannotKeep) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"_source":{"enabled":false}})", "[_source]: parameter [enabled] is not supported"},
      {R"({"_source":{"excludes":["a"]}})", "[_source]: parameter [excludes] is not supported"},
      {R"({"dynamic":"strict_allow_templates"})", "there are no dynamic templates"},
      {R"({"dynamic_templates":[{"a":{}}]})", "[dynamic_templates] is not supported"},
      {R"({"foo":1})", "the mapping: parameter [foo]: OpenSearch does not know it here"},
      {R"({"properties":{"_id":{"type":"keyword"}}})", "field [_id]: it is a metadata field"},
      {R"({"properties":{"a":{"type":"long"},"a.b":{"type":"long"}}})",
       "field [a] of type [long] cannot be an object too"},
      {R"({"properties":{"a":{"type":"long"},"a":{"type":"long"}}})", "field [a] is there twice"},
      {"[1]", "a mapping must be a JSON object"},
      {"{", "malformed JSON at line 1"},
  };
  for (const auto& [json, message] : kCases) {
    const std::string said = refusal(json);
    EXPECT_NE(said.find(message), said.npos) << json << ": " << said;
  }
}

TEST(Mapping, SettingsThatDecideHowDocumentsAreReadAreKept) {
  const auto mapping = Mapping::parse(
      R"({"mappings":{},"settings":{"index":{"mapping":{"total_fields":{"limit":"5"},"coerce":"false"},
          "refresh_interval":"5s","number_of_shards":"3"}},"aliases":{"all":{}}})",
      "m");
  using Settings = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(mapping->index_settings(), (Settings{{"index.mapping.total_fields.limit", "5"},
                                                 {"index.mapping.coerce", "false"}}));
  EXPECT_EQ(mapping->passed_over(),
            (std::vector<std::string>{"index.refresh_interval", "alias all"}));
  EXPECT_EQ(mapping->tree().limits.total_fields, 5u);
  EXPECT_FALSE(mapping->tree().coerce);
}

TEST(Mapping, SettingsThatWouldMakeAnotherIndexAreRefused) {
  for (const char* setting :
       {R"("index.sort.field":"a")", R"("index":{"sort":{"field":["a"]}})",
        R"("routing_partition_size":2)", R"("index.derived_source.enabled":true)"}) {
    const std::string said =
        refusal(std::string(R"({"mappings":{},"settings":{)") + setting + "}}");
    EXPECT_TRUE(said.starts_with("not supported: m.json: setting [index.")) << setting << said;
  }
}

TEST(Mapping, AnalyzersOfTheSettingsAreRefusedWhereTheyAreUsed) {
  const std::string settings =
      R"("settings":{"analysis":{"analyzer":{"mine":{"type":"custom"},"standard":{"type":"x"}}}})";
  EXPECT_EQ(refusal("{" + settings + R"(,"mappings":{"properties":{"a":{"type":"keyword"}}}})"),
            "");
  for (const char* name : {"mine", "standard"}) {
    const std::string said =
        refusal("{" + settings + R"(,"mappings":{"properties":{"a":{"type":"text","analyzer":")" +
                name + "\"}}}}");
    EXPECT_NE(said.find("is one that the index's settings define"), said.npos) << said;
  }
}

TEST(Mapping, LimitsAreThoseOfOpenSearch) {
  auto longs = [](int n, const std::string& field) {
    std::string json = R"({"properties":{)";
    for (int i = 0; i < n; ++i) json += fmt::format("{}\"f{}\":{}", i == 0 ? "" : ",", i, field);
    return json + "}}";
  };
  EXPECT_EQ(refusal(longs(1000, R"({"type":"long"})")), "");
  EXPECT_EQ(refusal(longs(1001, R"({"type":"long"})")),
            "invalid: m.json: Limit of total fields [1000] has been exceeded");
  EXPECT_EQ(refusal(longs(500, R"({"type":"text","fields":{"k":{"type":"keyword"}}})")), "");
  EXPECT_NE(refusal(longs(501, R"({"type":"text","fields":{"k":{"type":"keyword"}}})")), "");
  EXPECT_EQ(refusal(longs(50, R"({"type":"nested"})")), "");
  EXPECT_EQ(refusal(longs(51, R"({"type":"nested"})")),
            "invalid: m.json: Limit of nested fields [50] has been exceeded");
}

TEST(Mapping, EachTypeBecomesWhatANodeMakesOfIt) {
  const auto mapping = Mapping::parse(
      R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"i":{"type":"byte"},
          "d":{"type":"date"},"@timestamp":{"type":"date"},"b":{"type":"boolean"},"ip":{"type":"ip"},
          "g":{"type":"geo_point"},"h":{"type":"half_float"},"u":{"type":"unsigned_long"},
          "n":{"type":"long","index":false,"doc_values":false}}})",
      "m");
  const FieldType& text = field_of(*mapping, "t").main->type();
  EXPECT_EQ(text.index_options, IndexOptions::kPositions);
  EXPECT_TRUE(text.has_norms());
  EXPECT_EQ(field_of(*mapping, "t").main->position_increment_gap(), 100u);
  const FieldType& keyword = field_of(*mapping, "k").main->type();
  EXPECT_EQ(keyword.index_options, IndexOptions::kDocs);
  EXPECT_EQ(keyword.doc_values, DocValuesType::kSortedSet);
  EXPECT_FALSE(keyword.has_norms());
  EXPECT_EQ(field_of(*mapping, "i").main->type().point_bytes, 4);
  EXPECT_EQ(field_of(*mapping, "d").main->type().point_bytes, 8);
  EXPECT_FALSE(field_of(*mapping, "d").main->type().doc_values_skip_index);
  EXPECT_TRUE(field_of(*mapping, "@timestamp").main->type().doc_values_skip_index);
  EXPECT_EQ(field_of(*mapping, "b").column->type().doc_values, DocValuesType::kSortedNumeric);
  EXPECT_EQ(field_of(*mapping, "ip").main->type().point_bytes, 16);
  EXPECT_EQ(field_of(*mapping, "g").main->type().point_dimensions, 2);
  EXPECT_EQ(field_of(*mapping, "h").main->type().point_bytes, 2);
  EXPECT_EQ(field_of(*mapping, "u").main->type().point_bytes, 16);
  EXPECT_EQ(field_of(*mapping, "n").main, nullptr);
}

}  // namespace
}  // namespace postern::opensearch
