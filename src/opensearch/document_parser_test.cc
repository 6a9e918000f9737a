// What documents become; the expected values are what a node answered (tests/opensearch compares
// whole indexes with one).
#include "opensearch/document_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "opensearch/test_parsing.h"
#include "postern/writer.h"

namespace postern::opensearch {
namespace {

TEST(DocumentParser, MetadataFieldsComeFirst) {
  Parsing p(R"({"properties":{"a":{"type":"long"}}})");
  p.parse(R"({"a": 5})", "r");
  EXPECT_EQ(shown(p.documents(7), true),
            "_id=fe1f _routing=r _field_names=_routing _seq_no=7 _primary_term=1 "
            "_source={\"a\": 5} _version=1 a=5");
}

TEST(DocumentParser, NestedObjectsAreDocumentsBeforeTheirParent) {
  Parsing p(R"({"properties":{"n":{"type":"nested","properties":{"x":{"type":"keyword"},
      "m":{"type":"nested","properties":{"y":{"type":"keyword"}}}}}}})");
  EXPECT_EQ(p.parse(R"({"n":[{"x":"a","m":[{"y":"1"},{"y":"2"}]},{"x":"b","m":{"y":"3"}}]})"),
            "_nested_path=n.m n.m.y=1 | _nested_path=n.m n.m.y=2 | _nested_path=n n.x=a | "
            "_nested_path=n.m n.m.y=3 | _nested_path=n n.x=b | ");
  EXPECT_EQ(p.parse(R"({"n":[null,[{"x":"a"}]]})"), "_nested_path=n n.x=a | ");
  EXPECT_EQ(p.parse(R"({"n":5})"),
            "field [n] of type [nested]: a concrete value, \"5\", where objects are mapped");
  EXPECT_EQ(p.parse(R"({"n.x":"a"})"),
            "field [n.x]: it is in the nested object [n], and must be written as an object");
  EXPECT_EQ(shown(p.documents(0), true).find("_source"), std::string::npos)
      << "a refused document leaves nothing behind";
}

TEST(DocumentParser, NestedValuesMayBelongToTheParentToo) {
  Parsing p(R"({"properties":{"n":{"type":"nested","include_in_parent":true,"include_in_root":true,
      "properties":{"x":{"type":"keyword","doc_values":false}}}}})");
  EXPECT_EQ(p.parse(R"({"n":[{"x":"a"},{"x":"b"}]})"),
            "_nested_path=n n.x=a _field_names=n _field_names=n.x | "
            "_nested_path=n n.x=b _field_names=n _field_names=n.x | "
            "n.x=a _field_names=n _field_names=n.x n.x=b _field_names=n _field_names=n.x");
}

TEST(DocumentParser, DynamicFieldsAreThoseOfOpenSearch) {
  Parsing p("{}");
  EXPECT_EQ(p.parse(R"({"l":1,"f":2.5,"b":true,"s":"x","o":{"p":null,"q":[3]},"e":{},"z":null})"),
            "l=1 f=1075838976 b=T b=1 s=x s.keyword=x o.q=3");
  EXPECT_EQ(p.mapping(),
            R"({"properties":{"b":{"type":"boolean"},"e":{"type":"object"},"f":{"type":"float"},)"
            R"("l":{"type":"long"},"o":{"properties":{"q":{"type":"long"}}},)"
            R"("s":{"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}}})");
  EXPECT_EQ(p.waits(), 1);
  p.parse(R"({"l":2,"z":null,"y":[]})");
  EXPECT_EQ(p.waits(), 1) << "nothing new";
}

TEST(DocumentParser, StringsThatLookLikeDatesBecomeDates) {
  Parsing p("{}");
  EXPECT_EQ(p.parse(R"({"a":"2020-01-01","b":"2020/01/01","c":"2020","d":"2020-13-01"})"),
            "a=1577836800000 b=1577836800000 c=2020 c.keyword=2020 d=2020-13-01 "
            "d.keyword=2020-13-01");
  EXPECT_NE(p.mapping().find(
                R"("b":{"type":"date","format":"yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis",)"
                R"("print_format":"yyyy/MM/dd HH:mm:ss"})"),
            std::string::npos)
      << p.mapping();
}

TEST(DocumentParser, NumericDetectionReadsAsJavaDoes) {
  Parsing p(R"({"numeric_detection":true})");
  EXPECT_EQ(p.parse(R"({"a":"+5","b":" 5","c":"0x1p3"})"), "a=5 b=1084227584 c=1090519040");
}

TEST(DocumentParser, ARefusedDocumentAddsNoFields) {
  Parsing p(R"({"properties":{"l":{"type":"long"}}})");
  EXPECT_EQ(p.parse(R"({"new":1,"l":"x"})"),
            "field [l] of type [long]: value \"x\": is not taken as a number of type long");
  EXPECT_EQ(p.parse(R"({"new":[1,"x"]})"),
            "field [new]: value \"x\" would be of type [text], an earlier one of the document is "
            "of type [long]; declare the field in the mapping");
  EXPECT_EQ(p.mapping(), R"({"properties":{"l":{"type":"long"}}})");
  EXPECT_EQ(p.parse(R"({"new":"x"})"), "new=x new.keyword=x");
}

TEST(DocumentParser, StrictAndFalseAreInherited) {
  Parsing p(R"({"dynamic":"strict","properties":{"o":{"properties":{"x":{"type":"long"}}},
      "f":{"type":"object","dynamic":"false"}}})");
  EXPECT_EQ(p.parse(R"({"a":null})"), "field [a]: the mapping is strict and does not have it");
  EXPECT_EQ(p.parse(R"({"o":{"y":1}})"), "field [o.y]: the mapping is strict and does not have it");
  EXPECT_EQ(p.parse(R"({"o.y":1})"), "field [o.y]: the mapping is strict and does not have it");
  EXPECT_EQ(p.parse(R"({"o.x":1,"f":{"a":{"b":1}},"f.c":2})"), "o.x=1");
}

TEST(DocumentParser, CopiesAndMultiFieldsFollowTheirField) {
  Parsing p(R"({"properties":{
      "a":{"type":"text","copy_to":["all","new.one"],"fields":{"k":{"type":"keyword"}}},
      "n":{"type":"long","copy_to":"all"},"all":{"type":"text","copy_to":"never"}}})");
  EXPECT_EQ(p.parse(R"({"n":3.70,"a":["x","y"]})"),
            "n=3 all=3.70 a=x a.k=x all=x new.one=x new.one.keyword=x a=y a.k=y all=y new.one=y "
            "new.one.keyword=y");
}

TEST(DocumentParser, WhatIsCopiedToCannotBecomeAnObject) {
  Parsing p(R"({"properties":{"a":{"type":"keyword","copy_to":"c"}}})");
  EXPECT_EQ(p.parse(R"({"c":{}})"),
            "field [c]: an object, and field [a] of type [keyword] is copied to it");
  EXPECT_EQ(p.parse(R"({"a":"x","d":{}})"), "a=x c=x c.keyword=x");
}

TEST(DocumentParser, CopiesFromNestedObjectsGoWhereTheirTargetIs) {
  Parsing p(R"({"properties":{"root":{"type":"keyword"},"n":{"type":"nested","properties":{
      "a":{"type":"keyword","copy_to":["n.b","root"]},"b":{"type":"keyword"}}}}})");
  EXPECT_EQ(p.parse(R"({"n":[{"a":"1"},{"a":"2"}]})"),
            "_nested_path=n n.a=1 n.b=1 | _nested_path=n n.a=2 n.b=2 | root=1 root=2");
}

TEST(DocumentParser, NullsAndEmptyStrings) {
  Parsing p(R"({"properties":{"l":{"type":"long","null_value":7},
      "k":{"type":"keyword","null_value":"N"},"t":{"type":"text"},"b":{"type":"boolean"}}})");
  EXPECT_EQ(p.parse(R"({"l":[null,1,""],"k":[null,""],"t":[null,""],"b":[null,""]})"),
            "l=7 l=1 l=7 k=N k= t= b=F b=0");
}

TEST(DocumentParser, MalformedValuesAreIgnoredByName) {
  Parsing p(R"({"properties":{"zeta":{"type":"long","ignore_malformed":true},
      "beta":{"type":"date","ignore_malformed":true},"mu":{"type":"ip","ignore_malformed":true}}})");
  // In the order of a Java HashSet.
  EXPECT_EQ(p.parse(R"({"beta":"x","mu":"x","zeta":["x",1,true]})"),
            "zeta=1 _ignored=zeta _ignored=mu _ignored=beta");
  EXPECT_EQ(p.parse(R"({"zeta":{"a":1}})"), "");
}

TEST(DocumentParser, NamesOfFieldsWithoutNormsAndDocValues) {
  Parsing p(R"({"properties":{"o":{"properties":{"k":{"type":"keyword","doc_values":false}}},
      "t":{"type":"text","norms":false},"l":{"type":"long","doc_values":false},
      "s":{"type":"long","doc_values":false,"index":false,"store":true},
      "n":{"type":"long","doc_values":false,"index":false}}})");
  EXPECT_EQ(p.parse(R"({"o":{"k":"x"},"t":"y","l":1,"s":2,"n":3})"),
            "o.k=x _field_names=o _field_names=o.k t=y _field_names=t l=1 _field_names=l s=2 "
            "_field_names=s");
}

TEST(DocumentParser, PointsOnEarth) {
  Parsing p(R"({"properties":{"g":{"type":"geo_point"},
      "i":{"type":"geo_point","ignore_malformed":true,"store":true}}})");
  const std::string one = "g=816c16c1816c16c1 g=102481909731038913";
  for (const char* value :
       {R"("1,2")", R"({"lat":1,"lon":"2"})", "[2,1]", "[2,1,9]", R"x("POINT (2 1)")x",
        R"({"type":"Point","coordinates":[2,1]})", R"(["1,2"])", "[[2,1]]"}) {
    EXPECT_EQ(p.parse(fmt::format(R"({{"g":{}}})", value)), one) << value;
  }
  EXPECT_EQ(p.parse(R"({"g":{"lat":91,"lon":2}})"),
            "field [g] of type [geo_point]: value \"91, 2\": latitudes go from -90 to 90, "
            "longitudes from -180 to 180");
  EXPECT_EQ(p.parse(R"({"g":{"lat":1,"lat":2,"lon":3}})"), "a key is there twice in one object");
  EXPECT_EQ(p.parse(R"({"i":"91,181"})"), "i=89.0, 1.0 i=fe93e93e80b60b60 i=9120890122864560992");
  // The points before one that cannot be read are lost, those behind it are not.
  EXPECT_EQ(p.parse(R"({"i":["1,2",5,"0.0001,2"]})").find("1.0, 2.0"), std::string::npos);
  EXPECT_NE(p.parse(R"({"i":["1,2",5,"0.0001,2"]})").find("i=1.0E-4, 2.0 "), std::string::npos);
}

TEST(DocumentParser, LongTermsAreRefusedBeforeAnythingIsIndexed) {
  Parsing p(R"({"properties":{"k":{"type":"keyword"},"i":{"type":"keyword","ignore_above":5},
      "t":{"type":"text","analyzer":"keyword"}}})");
  const std::string most(32766, 'x');
  EXPECT_EQ(p.parse(R"({"k":")" + most + "\"}"), "k=" + most);
  for (const char* name : {"k", "t"}) {
    const std::string said = p.parse(fmt::format(R"({{"{}":"{}x"}})", name, most));
    EXPECT_NE(said.find("a term of 32767 bytes; the limit is 32766 bytes in UTF-8"), said.npos);
  }
  EXPECT_EQ(p.parse(R"({"i":"😀😀😀"})"), "") << "six UTF-16 units";
  EXPECT_EQ(p.parse(R"({"i":"äöüßé"})"), "i=äöüßé");
}

TEST(DocumentParser, WhatIsNotADocument) {
  Parsing p(R"({"properties":{"a":{"type":"long"},"d":{"type":"object","enabled":false},
      "o":{"properties":{"a":{"type":"long"}}},"al":{"type":"alias","path":"a"}}})");
  const std::pair<std::string, std::string> kCases[] = {
      {R"([1])", "the source must be a JSON object"},
      {R"(5)", "the source must be a JSON object"},
      {R"({"a":1,"a":2})", "key \"a\" is there twice in one object"},
      {R"({"a":1,"\u0061":2})", "key \"a\" is there twice in one object"},
      {R"({"d":{"x":[{"y":1,"y":2}]}})", "key \"y\" is there twice in one object"},
      {R"({"":1})", "a field name cannot be an empty string"},
      {R"({"a..b":1})", "field name \"a..b\": between dots there must be names that are not blank"},
      {R"({"_id":"x"})",
       "field [_id]: it is a metadata field and cannot be added inside a document"},
      {R"({"a":{"b":1}})", "field [a] of type [long]: an object; the field takes single values"},
      {R"({"a.b":1})", "field [a.b]: field [a] of type [long] is not an object"},
      {R"({"o":[1]})",
       "field [o] of type [object]: a concrete value, \"1\", where objects are mapped"},
      {R"({"al":1})", "field [al] of type [alias]: value \"1\": cannot write to a field alias"},
      {R"({"a":9223372036854775808})",
       "field [a] of type [long]: value \"9223372036854775808\": is out of range for the type "
       "long"},
      {R"({"x\ud800":1})", "field name \"x\xEF\xBF\xBD\": half a surrogate pair"},
      {R"({"a":1} x)", "malformed JSON"},
      {R"({"a":1,})", "malformed JSON"},
      {R"({"a":01})", "malformed JSON"},
      {R"({"a":nul})", "malformed JSON"},
      {"{\"a\":\"\xff\"}", "not valid UTF-8 at byte 7"},
      {"", "malformed JSON"},
  };
  for (const auto& [source, message] : kCases) {
    const std::string said = p.parse(source);
    EXPECT_TRUE(said.starts_with(message)) << source << ": " << said;
  }
}

TEST(DocumentParser, DepthHasALimit) {
  Parsing p(R"({"enabled":false})");
  auto deep = [](size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += "{\"a\":";
    return text + "1" + std::string(n, '}');
  };
  EXPECT_EQ(p.parse(deep(1000)), "");
  EXPECT_EQ(p.parse(deep(1001)), "objects and arrays nested deeper than 1000, the limit");
  EXPECT_NE(p.parse(deep(5000)), "");
}

TEST(DocumentParser, LimitsOfTheMapping) {
  Parsing p(R"({"mappings":{"properties":{"n":{"type":"nested"}}},"settings":{"index.mapping":
      {"total_fields.limit":3,"nested_objects.limit":2}}})");
  EXPECT_EQ(p.parse(R"({"a":1,"b":2,"c":3})"), "Limit of total fields [3] has been exceeded");
  EXPECT_EQ(p.parse(R"({"a":1,"b":2})"), "a=1 b=2");
  EXPECT_EQ(p.parse(R"({"n":[{},{}]})"), "_nested_path=n | _nested_path=n | ");
  EXPECT_EQ(p.parse(R"({"n":[{},{},{}]})"),
            "more than 2 nested objects, the limit (index.mapping.nested_objects.limit)");
}

TEST(DocumentParser, RoutingThatIsRequired) {
  Parsing p(R"({"_routing":{"required":true}})");
  EXPECT_EQ(p.parse("{}"), "[_routing]: the mapping requires a routing, and there is none");
  EXPECT_EQ(p.parse("{}", "x"), "_field_names=_routing");
}

TEST(DocumentParser, ManyKeysInOneObjectAreStillDistinct) {
  Parsing p(R"({"dynamic":"false"})");
  std::string source = "{";
  for (int i = 0; i < 5000; ++i) source += fmt::format("\"key{}\":{},", i, i);
  EXPECT_EQ(p.parse(source + "\"last\":1}"), "");
  EXPECT_EQ(p.parse(source + "\"key77\":1}"), "key \"key77\" is there twice in one object");
}

// The mapping is shared: each thread brings fields of its own, and all see one mapping.
TEST(DocumentParser, ThreadsShareTheMapping) {
  const auto mapping = Mapping::parse("{}", "m");
  std::mutex turn;  // what before_new_field stands for: one document at a time adds fields
  auto work = [&](int thread) {
    DocumentParser parser(*mapping, {});
    for (int i = 0; i < 50; ++i) {
      std::string source = fmt::format(R"({{"common":1,"o":{{"t{}_{}":"x"}}}})", thread, i / 2);
      const size_t size = source.size();
      source.append(DocumentParser::kPadding, ' ');
      std::unique_lock lock(turn, std::defer_lock);
      if (i % 2 == 0) lock.lock();
      parser.parse({.id = "1", .routing = {}}, std::string_view(source).substr(0, size));
      ASSERT_EQ(parser.documents(i).size(), 1u);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
  const std::string json = mapping->to_json();
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 25; ++i) {
      EXPECT_NE(json.find(fmt::format("\"t{}_{}\":", t, i)), json.npos);
    }
  }
}

TEST(DocumentParser, DocumentsGoIntoAnIndex) {
  Parsing p("{}");
  const auto directory = memory_directory();
  IndexWriter writer(*directory, {});
  for (const char* source :
       {R"({"t":"Hello","n":1,"b":true,"d":"2020-01-01"})", R"({"t":["a","b"],"n":[2,3]})", "{}"}) {
    p.parse(source);
    writer.add_document(p.documents(0)[0]);
  }
  EXPECT_EQ(writer.max_doc(), 3u);
  writer.close();
}

}  // namespace
}  // namespace postern::opensearch
