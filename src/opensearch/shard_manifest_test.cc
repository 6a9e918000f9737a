#include "opensearch/shard_manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "input/json_tree.h"
#include "opensearch/index_name.h"
#include "opensearch/json_text.h"
#include "opensearch/mapping_merge.h"
#include "opensearch/snapshot_repository.h"
#include "postern/error.h"

namespace postern::opensearch {
namespace {

ShardManifest example() {
  ShardManifest manifest;
  manifest.index = "docs";
  manifest.opensearch_version = "3.6.0";
  manifest.shards = 3;
  manifest.routing_shards = 768;
  manifest.shard = 2;
  manifest.documents = 5;
  manifest.read = 9;
  manifest.elsewhere = 4;
  manifest.mappings = R"({"properties":{"a":{"type":"text"}}})";
  manifest.settings = {{"index.mapping.coerce", "false"}};
  manifest.files.resize(2);
  manifest.files[0] = {"__abc", "_0.cfs", 1000, "1z141z3", ""};
  manifest.files[1] = {"v__def", "_0.si", 4, "1", std::string("\0\xFF\x3E\xBF", 4)};
  return manifest;
}

std::string message_of(const std::string& json) {
  try {
    parse_manifest(json, "m.json");
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string json = to_json(example());
  return json.replace(json.find(from), from.size(), to);
}

TEST(ShardManifest, IsReadBackAsItWas) {
  const ShardManifest manifest = parse_manifest(to_json(example()), "m.json");
  EXPECT_EQ(to_json(manifest), to_json(example()));
  EXPECT_EQ(manifest.files[1].content, example().files[1].content);
  EXPECT_EQ(manifest.bytes(), 1004U);
}

TEST(ShardManifest, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(message_of(changed("\"shard\": 2", "\"shard\": 3")),
            "m.json: there is no shard 3 among 3");
  EXPECT_EQ(message_of(changed("\"shard\": 2", "\"shard\": -1")),
            "m.json: \"shard\" is not an integer from 0 to 1024: \"-1\"");
  EXPECT_EQ(message_of(changed("\"postern_shard\": 1", "\"postern_shard\": 2")),
            "m.json: written by another version of postern");
  EXPECT_EQ(message_of(changed("\"index\": \"docs\", ", "")), "m.json: \"index\" is missing");
  EXPECT_EQ(message_of(changed("768", "767")),
            "the number of routing shards (767) must be a multiple of the number of shards (3)");
  EXPECT_EQ(message_of(changed("v__def", "__abc")), "m.json: two files __abc");
  EXPECT_EQ(message_of(changed("\"length\": 4", "\"length\": 5")),
            "m.json: \"content\" has 4 bytes instead of 5");
}

TEST(ShardManifest, NamesOfFilesCannotLeaveTheFolder) {
  for (const char* name : {"../x", "__../x", "__", "_abc", "__a/b", "", "v_x", "__a.b"}) {
    EXPECT_NE(message_of(changed("__abc", name)), "") << name;
  }
}

std::string merged(const std::string& a, const std::string& b) {
  input::JsonNode into = input::parse_json(a);
  try {
    merge_mappings(into, input::parse_json(b), "a", "b");
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  std::string out;
  append_json(out, into);
  return out;
}

TEST(MappingMerge, FieldsOfBothAreThere) {
  EXPECT_EQ(
      merged(R"({"dynamic":"true","properties":{"a":{"type":"long"}}})",
             R"({"properties":{"b":{"properties":{"c":{"type":"text"}}}},"dynamic":"true"})"),
      R"({"dynamic":"true","properties":{"a":{"type":"long"},"b":{"properties":{"c":{"type":"text"}}}}})");
  EXPECT_EQ(merged(R"({"properties":{"o":{"properties":{"x":{"type":"long"}}}}})",
                   R"({"properties":{"o":{"type":"object","properties":{"y":{"type":"long"}}}}})"),
            R"({"properties":{"o":{"properties":{"x":{"type":"long"},"y":{"type":"long"}}}}})");
  EXPECT_EQ(merged("{}", R"({"properties":{"a":{"type":"long"}}})"),
            R"({"properties":{"a":{"type":"long"}}})");
}

TEST(MappingMerge, ConflictsAreNamedByField) {
  EXPECT_EQ(merged(R"({"properties":{"o":{"properties":{"x":{"type":"long"}}}}})",
                   R"({"properties":{"o":{"properties":{"x":{"type":"text"}}}}})"),
            R"(field "o.x": "type" is "long" in a and "text" in b)");
  EXPECT_EQ(merged(R"({"properties":{"o":{"type":"nested"}}})",
                   R"({"properties":{"o":{"properties":{}}}})"),
            R"(field "o": "type" is "nested" in a and "object" in b)");
  EXPECT_EQ(merged(R"({"properties":{"k":{"type":"keyword","ignore_above":5}}})",
                   R"({"properties":{"k":{"type":"keyword"}}})"),
            R"(field "k": "ignore_above" is 5 in a and nothing in b)");
  EXPECT_EQ(merged(R"({"_routing":{"required":true}})", "{}"),
            R"(the mapping: "_routing" is {"required":true} in a and nothing in b)");
}

// Shards of one index, without files.
std::vector<BuiltShard> shards(uint32_t n) {
  std::vector<BuiltShard> result(n);
  for (uint32_t i = 0; i < n; ++i) {
    result[i].manifest = example();
    result[i].manifest.shards = n;
    result[i].manifest.routing_shards = 4 * n;
    result[i].manifest.shard = i;
    result[i].manifest.files.clear();
    result[i].name = "m" + std::to_string(i);
  }
  return result;
}

std::string refusal(std::vector<BuiltShard> shards) {
  try {
    AssembledIndex index(std::move(shards));
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "";
}

TEST(AssembledIndex, ShardsMayComeInAnyOrder) {
  std::vector<BuiltShard> all = shards(3);
  std::swap(all[0], all[2]);
  const AssembledIndex index(std::move(all));
  EXPECT_EQ(index.shards().front().name, "m0");
  EXPECT_EQ(index.documents(), 15U);
}

TEST(AssembledIndex, EveryShardOnce) {
  std::vector<BuiltShard> all = shards(3);
  all.erase(all.begin() + 1);
  EXPECT_EQ(refusal(all), "of the 3 shards of \"docs\" these are missing: 1");
  all.push_back(all[0]);
  all.back().name = "copy";
  EXPECT_EQ(refusal(all), "m0 and copy are both shard 0");
  EXPECT_NE(refusal({}), "");
}

TEST(AssembledIndex, ShardsOfOneIndexOnly) {
  std::vector<BuiltShard> all = shards(2);
  all[1].manifest.index = "other";
  EXPECT_EQ(refusal(all), "m0 and m1 are not of one index: the name is docs and other");
  all = shards(2);
  all[1].manifest.routing_shards = 16;
  EXPECT_NE(refusal(all).find("routing shards is 8 and 16"), std::string::npos);
  all = shards(2);
  all[1].manifest.settings.clear();
  EXPECT_NE(refusal(all).find("settings differ"), std::string::npos);
  all = shards(2);
  all[1].manifest.mappings = R"({"properties":{"a":{"type":"long"}}})";
  EXPECT_EQ(refusal(all), "field \"a\": \"type\" is \"text\" in m0 and \"long\" in m1");
}

TEST(AssembledIndex, DocumentsThatNoShardWasGivenAreMissed) {
  std::vector<BuiltShard> all = shards(2);
  all[1].manifest.read = 8;
  EXPECT_EQ(
      refusal(all),
      "documents would be missing: m0 was built from 9 documents (4 of other shards), m1 from "
      "8 (4 of other shards)");
  for (BuiltShard& shard : all) shard.manifest.elsewhere = 0;
  EXPECT_EQ(refusal(all), "");
}

TEST(IndexName, AsOpenSearchTakesThem) {
  for (const char* name : {"a", "\xC3\xA9", ".hid", "a+b", "a%b", "a-b_c.d"}) {
    EXPECT_NO_THROW(check_index_name(name)) << name;
  }
  EXPECT_NO_THROW(check_index_name(std::string(255, 'a')));
  for (const char* name : {"", "A", "a b", "a,b", "-a", "_a", "+a", ".", "..", "a#", "a:b", "a*",
                           "a\\b", "a\"b", "a<b", "a|b", "a?b", "a/b"}) {
    EXPECT_THROW(check_index_name(name), InvalidArgument) << name;
  }
  EXPECT_THROW(check_index_name(std::string(256, 'a')), InvalidArgument);
}

TEST(OpenSearchVersion, OnlyThoseWithLucene104) {
  EXPECT_NO_THROW(check_opensearch_version("3.6.0"));
  EXPECT_NO_THROW(check_opensearch_version("3.6.12"));
  for (const char* version : {"3.5.0", "3.7.0", "3.6", "3.6.", "3.6.x", "", "13.6.0"}) {
    EXPECT_THROW(check_opensearch_version(version), NotSupported) << version;
  }
}

}  // namespace
}  // namespace postern::opensearch
