"""The cases of test_mappings.py: mappings and documents, taken or not."""
import dataclasses
import json
import random


@dataclasses.dataclass
class Case:
    name: str
    mapping: dict
    documents: list          # (id, source, routing or None); a source is JSON text
    settings: dict
    same_index: bool = True  # false: documents that Lucene itself refuses leave a trace in a node's index
    not_ours: str = None     # part of the message with which we refuse a mapping that a node may take

    def bulk(self):
        lines = []
        for identifier, source, routing in self.documents:
            action = {"_id": identifier} if routing is None else {"_id": identifier, "routing": routing}
            lines += [json.dumps({"index": action}), source]
        return "".join(line + "\n" for line in lines)


CASES = []


def case(name, mapping, *documents, settings=None, **options):
    """Documents are dicts or JSON text, or (one of these, routing)."""
    listed = []
    for number, document in enumerate(documents):
        source, routing = document if isinstance(document, tuple) else (document, None)
        # Ids of all three forms (docs/opensearch.md).
        identifier = [f"r{number}", str(number), f"id-{number}"][number % 3]
        listed.append((identifier, source if isinstance(source, str) else json.dumps(source, ensure_ascii=False), routing))
    CASES.append(Case(name, mapping, listed, settings or {}, **options))


def fields(**parameters):
    return {"properties": {name: {"type": p} if isinstance(p, str) else p for name, p in parameters.items()}}


def field(_type, **parameters):
    return {"type": _type, **parameters}


# --- every type, with its aspects

ALL = {"t": "Hello World", "k": "x", "by": 7, "sh": -300, "i": 9, "l": 5, "ul": "18446744073709551615", "hf": 1.1, "f": 1.25,
       "do": 1.1, "b": True, "ip": "1.2.3.4", "g": "1.1,0.0001", "d": "2020-01-01", "dn": "2020-01-01T01:02:03.123456789Z"}
TYPES = {"t": "text", "k": "keyword", "by": "byte", "sh": "short", "i": "integer", "l": "long", "ul": "unsigned_long", "hf": "half_float",
         "f": "float", "do": "double", "b": "boolean", "ip": "ip", "g": "geo_point", "d": "date", "dn": "date_nanos"}
MORE = {"t": ["one two", "three"], "k": ["b", "a", "b"], "by": [1, 2], "sh": ["5", 6], "i": [1, 1], "l": [3, 2, 1], "ul": [0, 1],
        "hf": [0.1, 65504], "f": [-0.0, 0.0, 3.4e38], "do": [5e-324, -1], "b": [True, False, "true"], "ip": ["::1", "10.0.0.1"],
        "g": ["1,2", {"lat": -3, "lon": 4}], "d": ["2020", 1500, "1999-12-31T23:59:59.999+02:00"], "dn": [0, "2020-01-01"]}
for title, options in {"types": {}, "types stored": {"store": True}, "types not indexed": {"index": False},
                       "types without columns": {"doc_values": False}, "types stored alone": {"index": False, "doc_values": False, "store": True},
                       "types with nothing": {"index": False, "doc_values": False}}.items():
    case(title, fields(**{name: field(kind, **options) for name, kind in TYPES.items()}), (ALL, "a routing"), MORE, {}, {"t": None, "l": []},
         {"k": "", "l": "", "b": ""})
case("text options", fields(
    a=field("text", index_options="docs", term_vector="with_positions_offsets"), b=field("text", index_options="freqs"),
    c=field("text", index_options="offsets", term_vector="with_positions_offsets_payloads"), d=field("text", analyzer="keyword"),
    e=field("text", analyzer="simple", term_vector="yes"), f=field("text", analyzer="whitespace", norms=False),
    g=field("text", analyzer="stop", position_increment_gap=3), h=field("text", norms=False, store=True), i=field("text", position_increment_gap=0),
    j=field("text", position_increment_gap=-1), k=field("text", search_analyzer="simple", fielddata=True), l=field("text", similarity="boolean"),
    m=field("text", analyzer="default")),
    {name: ["The Quick foo.bar 1", "brown the"] for name in "abcdefghijklm"}, {name: "Ünïcode 漢字 😀 don't" for name in "abcdefghijklm"})
case("keyword options", fields(a=field("keyword", index_options="freqs"), b=field("keyword", norms=True), c=field("keyword", similarity="boolean"),
                               d=field("keyword", doc_values=False, norms=True), e=field("keyword", ignore_above=5)),
     {name: ["b", "a", "a"] for name in "abcde"}, {"e": "12345"}, {"e": "123456"}, {"e": "😀😀😀"}, {"e": "äöüßé"}, {"e": ["toolong", "ok"]},
     {"a": 1.50, "b": True, "c": 7})
case("long terms", fields(k="keyword", t=field("text", analyzer="keyword"), n=field("keyword", index=False, doc_values=False, store=True),
                          m=field("keyword", index=False)),
     *[{name: "x" * length} for name in "ktnm" for length in (32766, 32767)], same_index=False)
case("surrogates", fields(k="keyword", t="text", w=field("text", analyzer="whitespace", store=True)),
     '{"k":"a\\ud800b","t":"a\\ud800b \\udc00","w":"x\\ud800 y"}', '{"k":"\\ud83d\\ude00"}', '{"a\\ud800":1}', '{"t":"\\u0041\\n\\"b\\""}')
case("skip lists", {"properties": {"@timestamp": field("date", skip_list=False), "l": field("long", skip_list=True),
                                   "h": field("half_float", skip_list=True), "u": field("unsigned_long", skip_list=True),
                                   "o": {"properties": {"@timestamp": field("date")}}}},
     *[{"@timestamp": n, "l": n, "h": n, "u": n, "o": {"@timestamp": n}} for n in range(5)])
case("timestamp of another type", fields(**{"@timestamp": "long"}), {"@timestamp": 5})
case("timestamp of nanoseconds", fields(**{"@timestamp": "date_nanos"}), {"@timestamp": 5})
case("timestamp dynamically", {}, {"@timestamp": "2020-01-01"}, {"a": {"@timestamp": "2020-01-01"}})
case("booleans", fields(b="boolean"), *[{"b": value} for value in (True, "false", "", "no", 1, 0, None, "True", {"a": 1}, [True, "false"], 1.0)])
case("numbers", fields(by="byte", l="long", f="float", h="half_float", u="unsigned_long", n=field("long", coerce=False)),
     *[f'{{"{name}":{value}}}' for name in ("by", "l", "f", "h", "u", "n")
       for value in ("1", "-1", "1.9", "\"1.9\"", "\" 1\"", "1e3", "128", "1e30", "true", "\"x\"", "9223372036854775808", "\"\"", "{}", "[[1],2]",
                     "18446744073709551616", "1e400", "-0.0", "0.00000001", "\"0x10\"", "\"NaN\"", "\"1e2\"", "70000")])
case("dates", fields(d="date", s=field("date", format="epoch_second"), y=field("date", format="yyyy-MM-dd HH:mm:ss||yyyy-MM-dd"), n="date_nanos"),
     *[{name: value} for name in "dsyn" for value in ("2020-01-01", "2020-01-01 10:11:12", "2020-01-01T10:11:12Z", 1577836800, 1577836800.5, True,
                                                      {"a": 1}, "", "x", "1577836800123", -5, "2020-02-30", None)])
case("addresses", fields(i="ip"), *[{"i": value} for value in ("1.2.3.4", "::1", "::ffff:1.2.3.4", "2001:db8::", "1.2.3", "", "localhost", 5, True,
                                                               {"a": 1}, None, "fe80::1%eth0", "1.2.3.4/8", ["1.1.1.1", "2.2.2.2"])])

# --- nulls

NULLS = fields(l=field("long", null_value=7), b=field("boolean", null_value=True), d=field("date", null_value="2020-01-01"),
               i=field("ip", null_value="::1"), k=field("keyword", null_value="NULLVALUE", ignore_above=3), q=field("keyword", null_value=""),
               g=field("geo_point", null_value="1,2"), f=field("float", null_value="1.5"), u=field("unsigned_long", null_value=5))
case("null values", NULLS, {name: None for name in NULLS["properties"]}, {"l": [None, 1, None]}, {"g": [None]}, {"l": "", "f": "", "d": None},
     {"b": [None, False]})
for kind, value in [("long", "x"), ("boolean", "x"), ("byte", 300), ("long", 1.5)]:
    case(f"null value of the wrong kind: {kind} {value}", fields(a=field(kind, null_value=value)))
case("null value null", fields(a=field("long", null_value=None)), {"a": None})
case("null value of a text", fields(a=field("text", null_value="x")))

# --- existence by _field_names, ignored values

case("names of fields", fields(t=field("text", norms=False), k=field("keyword", doc_values=False), l=field("long", doc_values=False),
                               g=field("geo_point", doc_values=False), o={"properties": {"p": {"properties": {"k": field("keyword", doc_values=False)}}}}),
     ({"t": ["a", "b"], "k": ["a", "b"], "l": [1, 2], "g": "1,2", "o": {"p": {"k": "x"}}}, "R"), {"o": {"p": {"k": ["x", "y"]}}})
case("names of fields disabled", {"_field_names": {"enabled": False}, **fields(k=field("keyword", doc_values=False))}, ({"k": "x"}, "R"))
IGNORING = fields(**{name: field(kind, ignore_malformed=True) for name, kind in {"l": "long", "d": "date", "i": "ip", "g": "geo_point"}.items()})
case("malformed values ignored", IGNORING, {"l": "x", "d": "y", "i": "z", "g": "!"}, {"g": "91,181"}, {"g": [200, 95]}, {"l": {"a": 1}},
     {"d": {"a": 1}}, {"i": {"a": 1}}, {"g": {"a": 1}}, {"l": True}, {"l": [1, "x", 2]}, {"d": True}, {"g": True}, {"g": 5}, {"i": 5}, {"l": [{}, 5]})
GREEK = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "omicron"]
case("order of ignored fields", fields(**{name: field("long", ignore_malformed=True) for name in GREEK}),
     {name: "x" for name in ("zeta", "beta", "mu", "alpha", "theta")}, {name: "x" for name in GREEK}, {name: "x" for name in reversed(GREEK)},
     {name: "x" for name in GREEK[:12]}, {name: "x" for name in GREEK[:13]})
case("malformed values ignored by the index", fields(l="long", k=field("long", ignore_malformed=False), b="boolean"), {"l": "x"}, {"k": "x"},
     {"q": 5}, {"q": "x"}, {"b": "x"}, {"r": "2020-01-01"}, {"r": "x"}, settings={"index.mapping.ignore_malformed": True})
case("coercion off in the index", fields(l="long", m=field("long", coerce=True)), {"l": "5"}, {"m": "5"}, {"q": 5}, {"q": "6"},
     settings={"index.mapping.coerce": False})

# --- points on earth

case("geo points", fields(g="geo_point", z=field("geo_point", ignore_z_value=False), s=field("geo_point", store=True)),
     *['{"g":%s}' % value for value in (
         '"1,2"', '{"lat":1,"lon":2}', '{"lat":"1","lon":"2"}', '[2,1]', '[2,1,5]', '[[2,1],[3,1]]', '["1,2","3,4"]', '{"geohash":"u4pruydqqvj"}',
         '"u4pruydqqvj"', '"POINT (2 1)"', '{"type":"Point","coordinates":[2,1]}', '[]', 'null', '[{"lat":1,"lon":2},"1,2"]', '{"lat":91,"lon":2}',
         '{"lat":1}', '{}', '{"lat":null,"lon":1}', '{"lat":1,"lon":2,"z":3}', '{"lat":1,"lon":2,"geohash":"u4"}', '[1]', '["2","1"]', '5', 'true', '""',
         '[2,1,5,6]', '"1,2,3"', '[[[2,1]]]', '{"lat":true,"lon":1}', '{"lat":"x","lon":1}', '[2,"1"]', '{"type":"point","coordinates":[2,1,7]}',
         '{"type":"LineString","coordinates":[[2,1],[1,2]]}', '{"lon":1,"lat":[2]}', '[[]]', '[2,null]', '"1, 2"', '{"LAT":1,"LON":2}', '[181,1]',
         '{"lat":1e400,"lon":1}', '{"lat":90,"lon":180}', '{"lat":-90,"lon":-180}')],
     '{"z":"1,2,3"}', '{"z":[2,1,5]}', '{"z":[2,1]}', '{"s":"0.1,0.00001234"}', '{"s":[-179.123456789,1e-7]}', '{"s":[1,-89.5]}', '{"s":"u4"}')
case("malformed geo points ignored", fields(g=field("geo_point", ignore_malformed=True)),
     *['{"g":%s}' % value for value in ('{"lat":1}', '[1]', '["x","1,2"]', '[[2,1],"nope!",[3,1]]', '{"lat":-91,"lon":2}', '[-500,270]', '[540,-450]',
                                        '{"lat":95,"lon":-179}', '{"lat":"NaN","lon":1}', '[5,true]', '[null]', '[{"lat":1},{"lat":2,"lon":3}]')])

# --- objects

STRICT = {"dynamic": "strict", "properties": {"a": field("long"), "o": {"properties": {"x": field("long")}},
                                              "p": {"dynamic": True, "properties": {}}, "q": {"dynamic": False, "properties": {}}}}
case("strict", STRICT, {"a": 1}, {"b": 1}, {"b": None}, {"b": []}, {"b": {}}, {"b": [None]}, {"o": {"y": 1}}, {"o.x": 1}, {"o.y": 1}, {"o.y": None},
     {"p": {"n": 1}}, {"q": {"n": 1}}, {"p.m": 1}, {"q.m": 1}, {"n.m": 1})
case("not dynamic", {"dynamic": "false", **fields(a="long", o={"properties": {"x": field("long")}})}, {"a": 1, "b": 2}, {"o": {"y": 1}},
     {"b": {"c": [{"d": 1}]}}, {"o.y": 1}, {"b.c": 1}, {"a.c": 1}, {"b": "x"}, '{"":1}', '{"b":{"":1}}')
case("objects and values", fields(l="long", o={"properties": {"x": field("long")}}, n={"type": "nested", "properties": {"x": field("long")}}, t="text",
                                  k="keyword", al=field("alias", path="l")),
     '{"l":{"a":1}}', '{"l.a":1}', '{"o":5}', '{"o":[5]}', '{"o":null}', '{"o":[null,{"x":1}]}', '{"n":5}', '{"n":null}', '{"n":[null]}',
     '{"n":[[{"x":1}],{"x":2}]}', '{"n.x":1}', '{"n.y":1}', '{"n":[]}', '{"n":{}}', '{"t":{"a":1}}', '{"t":5}', '{"t":true}', '{"t":1.50}',
     '{"k":{"a":1}}', '{"al":5}', '{"al":null}', '{"al":[1]}', '{"o.x":5,"o":{"x":6}}', '{"l":[1,[2,3]]}', '{"t":["a",["b"]]}', '{"o":"x"}',
     '{"al.x":1}', '{"o.x.y":1}', '{"o":[[{"x":1}]]}', '{"k":[]}', '{"l":[{"a":1}]}')
case("disabled objects", fields(d={"type": "object", "enabled": False}, n={"type": "nested", "enabled": False}), '{"d":5}', '{"d":[1,{"x":[]}]}',
     '{"d.e":1}', '{"d":{"x":1},"d.y":{"z":1}}', '{"d":null}', '{"d":{"y":1,"y":2}}', '{"n":[{"x":1}]}')
case("disabled root", {"enabled": False, **fields(a="long")}, '{"a":"x"}', '{"a":1,"a":2}', '{"":1}',
     *['{"a":' * depth + "1" + "}" * depth for depth in (999, 1000, 1001)])
case("JSON", fields(a="long"), '{"a":1,"a":2}', '{"x":{"y":1,"y":2}}', '{"a":1,"\\u0061":2}', '{"a":1} x', "[1]", "5", '"x"', "null", '{"a":1,}',
     '{"a":01}', '{"a":NaN}', "{'a':1}", "{a:1}", "{}", '{"a":1', '{"k":"a\tb"}', '{"k2":"a\\u0000b"}', '{"a":1}{"a":2}', '  {"a" : 1 } ')
case("names", {}, '{"":1}', '{"a..b":1}', '{".a":1}', '{"a.":1}', '{".":1}', '{" ":1}', '{"a. .b":1}', '{"x":{"":1}}', '{"x":{" ":1}}', '{"b..":2}',
     '{"...":2}', '{"c. ":1}', '{" .c":1}', '{"x":{"y.":2}}', '{"y":{"_id":5}}', '{"@t":5}', '{"a-b":5}', '{"a/b":5}', '{"a\\nb":5}', '{"ä.ö":5}',
     *['{"%s":1}' % name for name in ("_id", "_source", "_foo", "_routing", "_seq_no", "_index", "_version", "_ignored", "_field_names",
                                      "_nested_path", "_type", "_data_stream_timestamp", "_parent", "_size", "_score", "_id.x")], '{"_id":null}')

# --- dynamic fields

for number, values in enumerate([
        [{"a": 1}, {"b": 1.5}, {"c": "hello"}, {"d": "2020-01-01"}, {"e": "2020/01/01"}, {"e2": "2020/01/01 10:11:12"}, {"f": True}],
        [{"g": {"h": 1}}, {"i": []}, {"j": {}}, {"k": None}, {"l": [1, 2.5]}, {"m": [1, "x"]}, {"n": ["2020-01-01", "foo"]}, {"n2": ["foo", "2020-01-01"]}],
        [{"o": [{"p": 1}, {"p": "x"}]}, '{"q":9223372036854775808}', '{"r":-9223372036854775809}', {"s": [[1, [2]], 3]}, {"t.u": 1}, {"t": {"v": 2}}],
        [{"w": "1234567890123"}, {"x": "2020"}, {"y": "12:30"}, {"z": "2020-01-01T00:00:00Z"}, {"z2": "2020-01-01T00:00:00.123456789+02:00"}, {"aa": 1e10}],
        [{"ac": [{"x": 1}, {"y": "s"}]}, {"ad": [None, 1]}, {"ae": [[], [{}]]}, {"af": "20200101"}, {"ag": "2020-1-1"}, {"ah": ""}, {"ai": "2020-01"}],
        [{"aj": "2020-01-01 10:00:00"}, '{"ak":[1,9223372036854775808]}', {"al": [1.5, 1]}, {"am": [True, "x"]}, {"an": {"x": 1}, "an.x": 2}],
        [{"ao": "2020/01/01 10:11:12 +0100"}, {"ap": [{"x": 1}, 5]}, {"aq": [5, {"x": 1}]}, {"ar": 1.0}, {"as": -0.0}, {"at": "2020-W01-1"}],
        [{"au": "10000-01-01"}, {"av": "-2020-01-01"}, {"aw": "2020-001"}, {"ax": "1.5"}, {"ay": "2020-01-01T"}, {"az": "2020-01-01T10"}],
        [{"a": ["2020-01-01", "2020/01/01"]}, {"b": ["1", "2020-01-01"]}, {"c": "2020/01/01||x"}, {"d": "2020-13-01"}, {"e": "0xFF"}, {"g": "NaN"}],
        [{"a": [{"b": "x"}, {"b": "y"}]}, {"a": None}, {"a": []}, {"a": 5}, {"a": {"b": {"c": 1}}}, {"a": {"d": {"c": 1}}}],
        ['{"b":1e400}', '{"c":-1e400}', '{"d":1e-400}', '{"e":3.5e38}', '{"f":1e38}', '{"g":0.1e-60}', '{"h":123456789012345678901234567890.5}']]):
    case(f"dynamic {number}", {}, *values)
case("numeric detection", {"numeric_detection": True}, *[{"abcdefghijklm"[i]: value} for i, value in enumerate(
    ("1", "1.5", "NaN", "0x1p3", " 5", "1d", "+5", "9223372036854775808", "2020-01-01", "-", "", "1e5", "Infinity"))])
case("date detection off", {"date_detection": False}, {"a": "2020-01-01"})
case("dynamic date formats", {"dynamic_date_formats": ["MM/dd/yyyy", "yyyy-MM-dd"]}, {"a": "2020-01-01"}, {"b": "09/25/2015"}, {"c": "2020/01/01"},
     {"d": "5"})
case("dynamic date formats of two parts", {"dynamic_date_formats": ["MM/dd/yyyy||yyyy", "yyyy-MM-dd"]}, {"a": "2020"}, {"b": "09/25/2015"}, {"c": "123456"})
case("no dynamic date formats", {"dynamic_date_formats": []}, {"a": "2020-01-01"})
case("epoch as dynamic date format", {"dynamic_date_formats": ["epoch_millis"]})

# --- nested

case("nested", fields(a={"type": "nested", "properties": {
        "x": field("long"), "n": field("keyword", doc_values=False), "m": field("long", ignore_malformed=True),
        "b": {"type": "nested", "properties": {"y": field("keyword")}}}},
    z="keyword",
    c={"type": "nested", "include_in_parent": True, "include_in_root": True, "properties": {
        "w": field("text"), "e": {"type": "nested", "include_in_root": True, "include_in_parent": True, "properties": {"q": field("long")}}}}),
    ({"z": "1", "a": [{"x": 1, "n": "p", "m": "bad", "b": [{"y": "u"}, {"y": "v"}]}, {"x": 2, "b": {"y": "w"}}],
      "c": [{"w": "foo bar", "e": [{"q": 5}, {"q": 6}]}, {"w": "baz"}]}, "R"), {"z": "no children"}, {"a": {"b": {}}}, {"a": []})
case("nested included in its parent", fields(c={"type": "nested", "include_in_parent": True, "properties": {
    "w": field("keyword", doc_values=False, store=True), "m": field("long", ignore_malformed=True)}}), {"c": [{"w": "foo", "m": "x"}, {"w": "bar"}]})
case("nested included in the root", fields(
    a={"type": "nested", "properties": {"b": {"type": "nested", "include_in_root": True, "properties": {"x": field("long")}}}},
    o={"properties": {"n": {"type": "nested", "include_in_root": True, "include_in_parent": True, "properties": {"y": field("long")}}}}),
    {"a": {"b": [{"x": 1}, {"x": 2}]}, "o": {"n": {"y": 5}}})
case("nested and dynamic", fields(n="nested"), {"n": [{"x": 1}, {"y": "t"}]}, {"n": {"o": {"p": 1}}})

# --- copies and multi-fields

case("copies", fields(a=field("text", copy_to=["all", "k", "n.x", "dyn"]), all="text", k="keyword", n={"properties": {"x": field("keyword")}},
                      l=field("long", copy_to="all"), b=field("boolean", copy_to="all"), kk=field("keyword", copy_to="nv", null_value="NULL"),
                      nv=field("keyword", null_value="NV"), c1=field("keyword", copy_to="c2"), c2=field("keyword", copy_to="c3"), c3="keyword"),
     '{"a":"One Two","l":3.70,"b":true,"kk":null,"c1":"chain"}', {"a": ["x", "y"], "all": "own"}, {"l": "7", "all": None}, {"kk": [None, "x"]})
case("copies of fields with multi-fields", fields(a=field("text", copy_to="b", fields={"k": field("keyword")}), b=field("text", fields={"k": field("keyword")})),
     {"a": ["x", "y"], "b": "z"})
case("copies of malformed values", fields(l=field("long", ignore_malformed=True, copy_to="t"), t="text"), {"l": "bad one"})
case("copies below objects that do not exist", fields(a=field("keyword", copy_to="p.q.r")), {"a": "2020-01-01"}, {"a": "x"})
case("copies in nested objects", fields(n={"type": "nested", "properties": {"a": field("keyword", copy_to=["n.b", "root"]), "b": field("keyword")}},
                                        root="keyword"), {"n": [{"a": "1"}, {"a": "2"}]})
case("copies of points", fields(g=field("geo_point", copy_to="k"), k="keyword"), {"g": "1,2"}, {"g": {"lat": 1, "lon": 2}}, {"g": [1, 2]})
case("copies to an alias", fields(g=field("long", copy_to="al"), k="long", al=field("alias", path="k")), {"g": 1})
case("copies into nested objects", fields(a=field("keyword", copy_to="n.b"), n={"type": "nested", "properties": {"b": field("keyword")}}))
case("copies to a multi-field", fields(g=field("long", copy_to="k.r"), k=field("text", fields={"r": field("keyword")})))
case("copies to an object", fields(g=field("long", copy_to="o"), o={"properties": {"x": field("long")}}))
case("copies from a multi-field", fields(g=field("text", fields={"r": field("keyword", copy_to="x")})))
case("copies where the mapping is strict", {"dynamic": "strict", **fields(g=field("long", copy_to="o.p"))}, {"g": 1})
case("copies where the mapping is not dynamic", {"dynamic": "false", **fields(g=field("long", copy_to="o"))}, {"g": 1})
case("multi-fields", fields(t=field("text", fields={"k": field("keyword", ignore_above=5, null_value="NN"), "n": field("long", ignore_malformed=True),
                                                    "w": field("text", analyzer="whitespace")}),
                            d=field("date", fields={"s": field("keyword")}), l=field("long", ignore_malformed=True, fields={"k": field("keyword")})),
     {"t": "running Fast", "d": 1500, "l": "bad"}, {"t": None}, {"t": ["1", 2]}, {"l": {"a": 1}}, {"t": {"a": 1}})
case("multi-fields of multi-fields", fields(t=field("text", fields={"k": field("keyword", fields={"z": field("text")})})), {"t": "x"})
case("objects as multi-fields", fields(t=field("text", fields={"k": field("object")})))

# --- limits

case("total fields", fields(**{f"f{n}": "long" for n in range(996)}), {"a": 1}, {"b": "x"}, {"c": {"d": 1}}, {"c": 1}, {"e": 1}, {"f": 1})
case("total fields with multi-fields", fields(**{f"f{n}": field("text", fields={"k": field("keyword")}) for n in range(500)}), {"a": 1})
case("more than the total fields", fields(**{f"f{n}": field("text", fields={"k": field("keyword")}) for n in range(501)}))
case("aliases among the total fields", fields(f="long", **{f"f{n}": field("alias", path="f") for n in range(1000)}))
case("a higher limit", fields(**{f"f{n}": "long" for n in range(1001)}), {"f1": 1}, settings={"index.mapping.total_fields.limit": 1200})
case("nested fields", fields(**{f"f{n}": "nested" for n in range(51)}))
case("nested objects", fields(n={"type": "nested", "properties": {"x": field("long")}}), {"n": [{"x": 1}] * 10}, {"n": [{"x": 1}] * 11},
     settings={"index.mapping.nested_objects.limit": 10})
case("depth", {}, *['{"' + '":{"'.join(f"a{depth}{n}" for n in range(depth)) + '":1' + "}" * depth for depth in (19, 20, 21)])
case("depth of names with dots", {}, *['{"' + ".".join(f"a{depth}{n}" for n in range(depth)) + '":1}' for depth in (19, 20, 21)])

# --- mappings

for parameters in [{"type": "txt"}, {}, {"properties": {}}, {"type": "long", "foo": 1}, {"type": "long", "index": "yes"}, {"type": "long", "index": "true"},
                   {"type": "long", "norms": False}, {"type": "keyword", "analyzer": "simple"}, {"type": "text", "index_options": "docs", "position_increment_gap": 5},
                   {"type": "text", "analyzer": "foo"}, {"type": "keyword", "ignore_above": "5"}, {"type": "keyword", "index_options": "positions"},
                   {"type": "date", "format": "foo"}, {"type": "long", "meta": {"a": "b"}}, {"type": "long", "copy_to": ["x"]}, {"type": "long", "fields": {}},
                   {"type": "object", "foo": 1}, {"type": "object", "dynamic": "foo"}, {"type": "alias", "path": "nope"}, {"type": "alias"},
                   {"type": "text", "similarity": "foo"}, {"type": "text", "term_vector": "foo"}, {"type": "boolean", "coerce": True},
                   {"type": "geo_point", "coerce": True}, {"type": "unsigned_long", "coerce": False}, {"type": "LONG"}, {"dynamic": True}, {"enabled": False},
                   {"type": "string"}, {"type": "long", "index": None}, {"type": "text", "analyzer": None}, "x", 5, None, [],
                   {"type": "text", "store": "yes"}, {"type": "long", "script": "x"}, {"type": "keyword", "skip_list": True}]:
    case(f"a field: {json.dumps(parameters)}", {"properties": {"f": parameters}})
for root in [{"_source": {"enabled": True}}, {"_source": {"compress": True}}, {"_routing": {"path": "x"}}, {"_meta": {"a": 1}}, {"_meta": 5}, {"foo": 1},
             {"_doc": {"properties": {"a": {"type": "long"}}}}, {"_id": {"enabled": True}}, {"date_detection": "x"}, {"dynamic": "TRUE"}, {"properties": []},
             fields(**{"a.b": "long"}), fields(**{"a": "long", "a.b": "long"}), fields(**{"a..b": "long"}), fields(**{"": "long"}), fields(**{".a": "long"}),
             {"properties": {"a": {"properties": {"b": {"type": "long"}}}, "a.c": {"type": "long"}}}, fields(_id="keyword"), fields(_x="keyword"),
             fields(**{"a.b": "nested"}), {"_size": {"enabled": True}}, {"_index": {}}, {"_data_stream_timestamp": {"enabled": False}}, {"derived": {}},
             {"dynamic": None}, {"_source": {"excludes": []}}, {"dynamic_date_formats": "yyyy"}, {"dynamic_date_formats": ["foo"]}, {"_routing": {}},
             {"type": "object"}, {"dynamic_templates": []}]:
    case(f"a mapping: {json.dumps(root)}", root, {"q": 1})
case("routing required", {"_routing": {"required": True}}, {"a": 1}, ({"a": 1}, "r"))

for mapping, reason in [
        (fields(a="match_only_text"), "field [a]: type [match_only_text] is not supported"), (fields(a="scaled_float"), "scale the values"),
        (fields(o={"properties": {"b": field("binary")}}), "field [o.b]: type [binary] is not supported"),
        (fields(a=field("keyword", normalizer="lowercase")), "field [a] of type [keyword]: parameter [normalizer] is not supported"),
        (fields(a=field("text", index_prefixes={})), "parameter [index_prefixes]"), (fields(a=field("date", locale="de")), "parameter [locale]"),
        ({"dynamic": "strict_allow_templates"}, "strict_allow_templates"), ({"dynamic_templates": [{"x": {}}]}, "dynamic_templates"),
        ({"_source": {"enabled": False}}, "[_source]: parameter [enabled]"), ({"_source": {"includes": ["a"]}}, "[_source]: parameter [includes]"),
        (fields(a=field("geo_point", fields={"k": field("keyword")})), "has no multi-fields here")]:
    case(f"not ours: {reason}", mapping, not_ours=reason)

# --- more of documents

case("english", fields(e=field("text", analyzer="english"), s=field("text", analyzer="stop", search_analyzer="english")),
     {"e": ["The runners' foxes weren't running", "dogs' bones"], "s": "The it's O'Neil"}, {"e": "organization organizations generalised"})
case("values of a field in several places", fields(o={"properties": {"a": field("keyword", store=True)}}, t=field("text", store=True)),
     '{"o.a":"1","t":"x","o":{"a":["2","3"]},"t2":"x"}', '{"o":[{"a":"1"},{"a":"2"}],"o.a":"3"}', '{"t":["b","a"],"o":{"a":"z"}}')
case("a new field and a copy into it", fields(a=field("keyword", copy_to="dyn")), {"a": "x", "dyn": 5}, {"dyn": "y", "a": "x"}, {"a": "2020-01-01", "dyn": "y"},
     {"dyn": ["y", "z"], "a": ["x", "w"]})
case("new fields in nested objects that belong to the root too", fields(n={"type": "nested", "include_in_root": True}), {"n": [{"a": 1, "b": "x"}, {"a": 2}]},
     {"n": {"c": {"d": True}}, "e": 1})
case("numbers as texts", fields(t=field("text", store=True), k=field("keyword", store=True)),
     *['{"t":%s,"k":%s}' % (value, value) for value in ("1E5", "1.0e+5", "-0", "0.10", "123456789012345678901234567890", "true", '"\\u00e4"')])
case("objects in objects of another kind", {"dynamic": False, **fields(a={"dynamic": True, "properties": {"b": {"dynamic": "strict", "properties": {}}}})},
     {"a": {"x": 1}}, {"a": {"b": {"x": 1}}}, {"a": {"b": {}}}, {"a.c.d": 1}, {"z": 1}, {"a": {"b": None}}, {"a": [{"e": 1}, {"b": []}]})
case("nulls where the mapping is strict", {"dynamic": "strict", **fields(
    o={"properties": {"x": field("long")}}, p={"dynamic": "strict", "properties": {"q": {"properties": {}}}}, n={"type": "nested", "properties": {}})},
    '{"o":{"y":null}}', '{"p":{"y":null}}', '{"p":{"q":{"y":null}}}', '{"o.y":null}', '{"n":{"y":null}}', '{"o":{"y":[]}}', '{"o":{"y":[null]}}',
    '{"p.y":null}', '{"p":{"q.y":null}}', '{"z.y":null}', '{"o":{"z.y":null}}', '{"o":{"z.y":[]}}')
case("arrays without values", {}, '{"x.y":[]}', '{"x.z":[null]}', '{"v.w":null}', '{"u":[]}', '{"x.y":[[],[5]]}', '{"t.s.r":[{"q.p":[]}]}')
case("names of points", fields(g=field("geo_point", doc_values=False)), '{"g":[[1,2],[3,4]]}', '{"g":null}', '{"g":[]}', '{"g":[null]}', '{"g":"1,2"}')
case("points stored", fields(g=field("geo_point", doc_values=False, store=True), h=field("geo_point", store=True)),
     '{"h":[[1,2],[3,4]],"g":[[1,2],[3,4]]}')
case("objects ignored and copied", fields(f=field("double", ignore_malformed=True, copy_to="all"), all="text"), '{"f":{"a":1}}', '{"f":"x"}')


# --- documents by chance

def by_chance(seed):
    chance = random.Random(seed)
    any_text = ["hello", "Quick brown", "", "2020-01-01", "2020/02/03", "12", "-1.5", "true", "x" * 40, "ä 😀", "1.2.3.4", "u4pr", "10,20"]
    of_type = {"long": [1, "2", "3.7", -5], "byte": [1, 100, 300], "double": [1.5, "2e3", 7], "half_float": [1.5, 0.1], "unsigned_long": [5, "6"],
               "boolean": [True, "false", ""], "date": ["2020-01-01", 1577836800000, "2021-05-06T07:08:09Z"], "date_nanos": ["2020-01-01", 5],
               "ip": ["1.2.3.4", "::1"], "geo_point": ["1,2", {"lat": 3, "lon": 4}, [5, 6]], "keyword": any_text, "text": any_text}

    def a_field():
        kind = chance.choice(list(of_type))
        parameters = {"type": kind}
        if chance.random() < 0.2 and kind != "text":
            parameters["doc_values"] = False
        if chance.random() < 0.2:
            parameters["store"] = True
        if chance.random() < 0.3 and kind not in ("text", "keyword", "boolean"):
            parameters["ignore_malformed"] = True
        if chance.random() < 0.2 and kind == "keyword":
            parameters["ignore_above"] = 10
        if chance.random() < 0.3 and kind == "text":
            parameters["norms"] = False
        if chance.random() < 0.2 and kind != "geo_point":
            parameters["copy_to"] = chance.choice(["all", "new.copy"])
        if chance.random() < 0.2 and kind != "geo_point":
            parameters["fields"] = {"raw": {"type": "keyword", "ignore_above": 20}}
        return parameters

    def an_object(depth):
        inner = {name: a_field() for name in chance.sample("abcdef", 4)}
        if depth < 2:
            for name in chance.sample("opq", 2):
                inner[name] = {"properties": an_object(depth + 1)}
                if chance.random() < 0.5:
                    inner[name]["type"] = "nested"
                    if chance.random() < 0.3:
                        inner[name]["include_in_parent"] = True
                    if chance.random() < 0.3:
                        inner[name]["include_in_root"] = True
                elif chance.random() < 0.3:
                    inner[name]["dynamic"] = chance.choice(["true", "false", "strict"])
        return inner

    mapping = {"properties": {**an_object(0), "all": {"type": "text"}}}

    def a_value(parameters):
        if chance.random() < 0.05:
            return chance.choice([None, [], {}, True, 5, "x", [None], {"a": 1}, [[1], [2]]])
        if parameters is None:
            return chance.choice([1, 2.5, "text", "2020-01-01", True, None, {"z": 1}, {}])
        if "properties" in parameters:
            some = [a_source(parameters["properties"], 3) for _ in range(chance.randint(1, 3))]
            return some if chance.random() < 0.6 else some[0]
        pool = of_type[parameters["type"]]
        return chance.choice(pool) if chance.random() < 0.8 else [chance.choice(pool) for _ in range(chance.randint(1, 3))]

    def a_source(properties, most):
        source = {}
        for name in chance.sample(list(properties), min(most, len(properties))):
            inner = properties[name].get("properties")
            if inner and chance.random() < 0.2:
                leaf = chance.choice(list(inner))
                source[f"{name}.{leaf}"] = a_value(inner[leaf])
            else:
                source[name] = a_value(properties[name])
        if chance.random() < 0.1:
            source[chance.choice(["new", "other", "o.new", "p.q.new"])] = a_value(None)
        return source

    documents = [a_source(mapping["properties"], 6) for _ in range(120)]
    case(f"by chance {seed}", mapping, *[(d, "r") if chance.random() < 0.1 else d for d in documents])


for seed in range(12):
    by_chance(seed)
