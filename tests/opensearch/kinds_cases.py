"""More cases for test_mappings.py: every kind of field, with each of its options, and the same hard values for all of a kind."""
import mapping_cases

WORDS = ["The quick brown foxes are jumping", "It was the best of times; it was the worst of TIMES", "", "a", "der die das", "O'Neil's U.S.A. 3.14 foo_bar"]


def _field(**mapping):
    return {"properties": {"v": mapping}}


def _each(values):
    return [f'{{"v":{value}}}' for value in values]


TEXTS = [{"v": words} for words in WORDS] + [{"v": WORDS[:3]}, {"v": [["x y"], [], [["z"]]]}, {"v": None}, {"w": 1}] + _each(
    ["1", "1.50", "1e3", "true", '{"a":1}', "[]", "[null]", '["x",null,"y"]', '"\\u00e9\\u0301 \\ud83d\\ude00 \\u5b57\\u6f22"', '"tab\\tand\\nline"', '"\\ud800x"'])
KEYWORDS = _each(['"one"', '""', '"a b"', '["z","a","z"]', "null", "[null]", "1", "1.50", "true", '"\\u00e9"', '"\\ud83d\\ude00x"', '"longer than ten"',
                  '["longer than ten","short"]', '{"a":1}', "[]", '"\\ud800x"', '"%s"' % ("k" * 32766)])
NUMBERS = _each(["1", "-1", "0", "1.5", "127", "128", "1e2", '"12"', '"1.9"', '""', '"x"', "null", "true", "[3,1,2,1]", "[]", "[null]", '[1,"x",2]', "-0.0",
                 "40000", "3000000000", "1e19", "1e39", "1e400", '{"a":1}', "65504", "0.1"])
BOOLEANS = _each(["true", "false", '"true"', '"false"', '""', '"True"', '"yes"', "1", "0", "null", "[true,false,true]", "[]", '{"a":1}', '[true,"x"]'])
DATES = _each(['"2024-02-29"', '"2024-02-29T12:30:45.123456789+01:00"', "1709209845123", '"1709209845123"', "0", "-1", "1.5", '"x"', "null", "true", '""',
               '["2024-01-01","1999-12-31"]', "[]", '{"a":1}', '"2300-01-01"', '"1900-01-01"'])
IPS = _each(['"1.2.3.4"', '"::1"', '"::ffff:1.2.3.4"', '["2001:db8::1","10.0.0.1"]', '"x"', "null", "1", "true", "[]", '{"a":1}', '""'])
POINTS = _each(['"41.12,-71.34"', '{"lat":1,"lon":2}', '{"lat":"1.5","lon":"2.5"}', "[2,1]", "[[2,1],[3,4]]", '"drm3btev3e86"', '"POINT (30 10)"',
                '{"type":"Point","coordinates":[30,10]}', '{"geohash":"u"}', '"91,0"', "[181,0]", '"1,2,3"', "[1,2,3]", "null", "[]", "1", '"x,y"', '{"lat":1}',
                '["1,2","3,4"]', '[{"lat":1,"lon":2},{"lat":3,"lon":4}]', "[1]", '{"lat":null,"lon":1}', '{"lat":1,"lon":2,"x":3}', "[null]", "{}", "true",
                '[["1","2"]]', '{"type":"LineString","coordinates":[[1,2],[3,4]]}', '"NaN,1"', '{"lat":91,"lon":181}', '[[181,91],[1,2]]'])
NUMBER_TYPES = ("byte", "short", "integer", "long", "unsigned_long", "half_float", "float", "double")


def _numbers():
    for kind in NUMBER_TYPES:
        yield kind, _field(type=kind), NUMBERS
        yield f"{kind} stored", _field(type=kind, store=True, doc_values=False), NUMBERS
        yield f"{kind} column", _field(type=kind, index=False, null_value=7, coerce=False), NUMBERS
    yield "long bare", _field(type="long", index=False, doc_values=False), NUMBERS
    yield "long only stored", _field(type="long", index=False, doc_values=False, store=True), NUMBERS
    yield "unsigned_long points", _field(type="unsigned_long", doc_values=False, ignore_malformed=True), NUMBERS
    yield "half_float points", _field(type="half_float", doc_values=False, ignore_malformed=True, null_value="1.5"), NUMBERS
    yield "integer lenient", _field(type="integer", ignore_malformed=True), NUMBERS
    yield "double with fields", _field(type="double", ignore_malformed=True, fields={"k": {"type": "keyword"}, "t": {"type": "text"}}), NUMBERS


def _texts():
    for options in ("docs", "freqs", "positions", "offsets"):
        yield f"text {options}", _field(type="text", index_options=options), TEXTS
    yield "text without norms", _field(type="text", norms=False), TEXTS
    yield "text docs without norms", _field(type="text", norms=False, index_options="docs"), TEXTS
    yield "text stored", _field(type="text", store=True), TEXTS
    yield "text not indexed", _field(type="text", index=False), TEXTS
    yield "text only stored", _field(type="text", index=False, store=True), TEXTS
    for vector in ("yes", "with_positions", "with_offsets", "with_positions_offsets", "with_positions_payloads", "with_positions_offsets_payloads"):
        yield f"text vectors {vector}", _field(type="text", term_vector=vector), TEXTS
    for analyzer in ("standard", "simple", "whitespace", "keyword", "stop", "english"):
        yield f"text {analyzer}", _field(type="text", analyzer=analyzer), TEXTS
    yield "text gap", _field(type="text", position_increment_gap=3, index_options="offsets"), TEXTS
    yield "text no gap", _field(type="text", position_increment_gap=0), TEXTS
    yield "text fields", _field(type="text", fields={"k": {"type": "keyword", "ignore_above": 10}, "e": {"type": "text", "analyzer": "english"},
                                                     "n": {"type": "long", "ignore_malformed": True}}), TEXTS
    yield "keyword", _field(type="keyword"), KEYWORDS
    yield "keyword norms", _field(type="keyword", norms=True), KEYWORDS
    yield "keyword freqs", _field(type="keyword", index_options="freqs"), KEYWORDS
    yield "keyword above", _field(type="keyword", ignore_above=10, null_value="nothing"), KEYWORDS
    yield "keyword null above", _field(type="keyword", ignore_above=3, null_value="nothing"), KEYWORDS
    yield "keyword terms", _field(type="keyword", doc_values=False, store=True), KEYWORDS
    yield "keyword column", _field(type="keyword", index=False), KEYWORDS
    yield "keyword bare", _field(type="keyword", index=False, doc_values=False), KEYWORDS
    yield "keyword only stored", _field(type="keyword", index=False, doc_values=False, store=True), KEYWORDS
    yield "keyword fields", _field(type="keyword", ignore_above=10, fields={"t": {"type": "text"}, "k": {"type": "keyword"}}), KEYWORDS


def _others():
    yield "boolean", _field(type="boolean"), BOOLEANS
    yield "boolean stored", _field(type="boolean", doc_values=False, store=True, null_value=True), BOOLEANS
    yield "boolean column", _field(type="boolean", index=False, null_value="false"), BOOLEANS
    for kind in ("date", "date_nanos"):
        yield kind, _field(type=kind), DATES
        yield f"{kind} stored", _field(type=kind, store=True, doc_values=False, ignore_malformed=True, null_value="2000-01-01"), DATES
        yield f"{kind} column", _field(type=kind, index=False, format="yyyy-MM-dd||epoch_second"), DATES
    yield "date @timestamp", {"properties": {"@timestamp": {"type": "date"}, "v": {"type": "date"}}}, DATES + [{"@timestamp": 1}, {"@timestamp": "2024"}]
    yield "ip", _field(type="ip"), IPS
    yield "ip stored", _field(type="ip", store=True, doc_values=False, ignore_malformed=True, null_value="::2"), IPS
    yield "ip column", _field(type="ip", index=False), IPS
    yield "geo_point", _field(type="geo_point"), POINTS
    yield "geo_point lenient", _field(type="geo_point", ignore_malformed=True, null_value="5,6"), POINTS
    yield "geo_point stored", _field(type="geo_point", store=True, doc_values=False), POINTS
    for kind, values in (("boolean", BOOLEANS), ("date", DATES), ("ip", IPS), ("geo_point", POINTS), ("half_float", NUMBERS), ("unsigned_long", NUMBERS)):
        yield f"{kind} only stored", _field(type=kind, index=False, doc_values=False, store=True), values
    yield "geo_point flat", _field(type="geo_point", ignore_z_value=False), POINTS


OBJECTS = [{"o": {"a": 1, "b": {"c": "x y", "d": "k"}}}, {"o.a": 2, "o.b.c": "z"}, {"o": [{"a": 1}, {"a": 2, "b": {"d": ["p", "q"]}}]}, {"o": None}, {"o": []},
           {"o": 5}, {"o": "x"}, {"o": {"new": 1}}, {"o": {"b.new": True}}, {"o": {}}, {"o": {"b": 7}}, '{"o":{"a":1},"o.a":3}', '{"o":{"a":1,"a":2}}', {"o.": 1},
           {".o": 1}, {"o..a": 1}, {"": 1}, {"o": {"a": {"x": 1}}}, {"p": {"q": {"r": "s"}}}, {"p.q.t": 1}]
OBJECT = {"a": {"type": "long"}, "b": {"properties": {"c": {"type": "text", "norms": False}, "d": {"type": "keyword", "doc_values": False}}}}
NESTED = [{"n": [{"a": 1, "t": "one two"}, {"a": 2}], "x": "root"}, {"n": {"a": 3, "m": [{"k": "deep"}, {"k": "er"}]}}, {"n": []}, {"n": None}, {"x": "no children"},
          {"n": [None, {"a": 4}]}, {"n": [{"a": "bad"}]}, {"n": 5}, {"n": {"new": 1}}, {"n": [[{"a": 5}], {"a": 6}]}, {"n.a": 7}, {"n": {}}]
NESTED_FIELDS = {"a": {"type": "integer"}, "t": {"type": "text", "copy_to": "all"}, "m": {"type": "nested", "properties": {"k": {"type": "keyword", "copy_to": ["all", "n.c"]}}},
                 "c": {"type": "keyword"}}
DYNAMIC = [{"s": "text", "n": 1, "f": 1.5, "b": True, "d": "2024-02-29", "d2": "2024/02/29 12:30:45", "e": "", "z": None, "l": [], "ln": [None]},
           {"s": "x" * 300, "n": 2.5, "f": 3, "b": "false", "d": "2023-01-01T00:00:00Z", "d2": "2024/02/29"}, {"n": "7", "d": "soon"}, {"b": "x"},
           {"o": {"p": {"q": 1}}, "arr": [1, 2], "mix": [1, 2], "objs": [{"a": 1}, {"b": "x"}]}, {"arr": [1.5], "o": {"p": {"r": "new"}}}, {"o": 1}, {"dots.in.name": "x"},
           {"big": 9223372036854775807}, {"bigger": 9223372036854775808}, {"exp": 1e300}, {"neg": -0.0}, {"num": "12"}, {"num2": "1.5"}, {"date_like": "20240229"},
           {"d3": "2024-02-29T12:30:45.123456789+01:00"}, {"year": "2024"}, {"ym": "2024-02"}, {"epoch": "1709209845123"}, {"d4": "2024/2/29"}, {"d5": "2024-13-01"},
           '{"sci":1e3,"int":10}', '{"int":10.0}', {"two": {"a": "2024-01-01"}}, {"two": {"a": "not a date"}}, {"emoji\U0001f600": 1}, {"sp ace": 1}, {"arr2": [[1, [2]], 3]},
           {"nulls": [None, 1]}, {"t2": "2024-01-01", "t3": "12:30"}, {"_id": "x"}, {"_source": 1}, {"a-b": 1}, {"bool": ["true", "x"]}]


def _structure():
    for dynamic in (True, False, "strict"):
        yield f"object {dynamic}", {"dynamic": dynamic, "properties": {"o": {"properties": OBJECT}}}, OBJECTS
        yield f"nested {dynamic}", {"dynamic": dynamic, "properties": {"x": {"type": "keyword"}, "all": {"type": "text"},
                                                                       "n": {"type": "nested", "properties": NESTED_FIELDS}}}, NESTED
    for dynamic in (True, False, "strict"):
        yield f"nulls {dynamic}", {"dynamic": dynamic, "properties": {"o": {"type": "object"}, "p": {"dynamic": "strict", "type": "object"}}}, [
            '{"x.y":null}', '{"x.z":[]}', '{"v.y":[null]}', '{"w.y.z":null}', '{"t":{"y":null}}', '{"o.p":null}', '{"o.p.q":[]}', '{"o":{"s.q":null}}', '{"o":{"r":null}}',
            '{"o":{"r":[]}}', '{"o":{"r":[null]}}', '{"p":{"a":null}}', '{"p":{"a.b":null}}', '{"p.a":null}', '{"p":{"a":[]}}', '{"o":{"k":{"l":null}}}', '{"z":null}', '{"z":[]}']
    yield "object not enabled", {"properties": {"o": {"type": "object", "enabled": False}}}, OBJECTS
    yield "object inner dynamic", {"properties": {"o": {"dynamic": "strict", "properties": {"a": {"type": "long"}, "b": {"dynamic": True, "type": "object"}}}}}, OBJECTS
    yield "nested in parent", {"properties": {"n": {"type": "nested", "include_in_parent": True, "properties": NESTED_FIELDS}}}, NESTED
    yield "nested in root", {"properties": {"n": {"type": "nested", "include_in_root": True, "properties": {**NESTED_FIELDS, "m": {
        "type": "nested", "include_in_root": True, "properties": {"k": {"type": "keyword"}}}}}}}, NESTED
    yield "dynamic", {}, DYNAMIC
    yield "dynamic false", {"dynamic": False, "properties": {"n": {"type": "long"}}}, DYNAMIC
    yield "dynamic without dates", {"date_detection": False}, DYNAMIC
    yield "dynamic numbers", {"numeric_detection": True}, DYNAMIC
    yield "dynamic formats", {"dynamic_date_formats": ["dd/MM/yyyy", "yyyy-MM-dd||yyyy"]}, DYNAMIC + [{"day": "29/02/2024"}, {"day2": "2024"}]
    copies = {"properties": {"a": {"type": "text", "copy_to": ["all", "k"]}, "n": {"type": "long", "copy_to": "all"}, "all": {"type": "text"},
                             "k": {"type": "keyword", "ignore_above": 5}, "d": {"type": "date", "copy_to": "new"}, "g": {"type": "geo_point", "copy_to": "k"}}}
    yield "copy_to", copies, [{"a": "one two", "n": 5}, {"a": ["x", "y"], "n": [1, 2]}, {"d": "2024-01-01"}, {"a": None}, {"n": "x"}, {"g": "1,2"}, {"g": {"lat": 1, "lon": 2}},
                              {"a": "z", "all": "own", "k": "own"}, {"d": "2024"}, {"n": 1.5}]
    yield "field names", {"properties": {"t": {"type": "text", "norms": False}, "o": {"properties": {"k": {"type": "keyword", "doc_values": False}}},
                                         "b": {"type": "boolean", "doc_values": False}, "m": {"type": "text", "fields": {"n": {"type": "text", "norms": False}}}}}, [
        {"t": "x"}, {"o": {"k": "y"}}, {"b": True}, {"m": "z"}, {"t": ["a", "b"], "o": [{"k": "1"}, {"k": "2"}]}, {"t": ""}, {"t": None}]
    yield "ignored", {"properties": {name: {"type": kind, "ignore_malformed": True} for name, kind in
                                     (("i", "integer"), ("l", "long"), ("d", "date"), ("p", "ip"), ("g", "geo_point"), ("x.y", "double"))}}, [
        {"i": "x", "l": "y", "d": "z", "p": "q", "g": "r", "x": {"y": "w"}}, {"i": ["x", 1, "y"]}, {"g": [[1, 2], "bad", [3, 4]]}, {"i": {"a": 1}}, {"d": True}, {"p": 5}]


for _part in (_texts, _numbers, _others, _structure):
    for _name, _mapping, _sources in _part():
        mapping_cases.case("kind " + _name, _mapping, *_sources)
